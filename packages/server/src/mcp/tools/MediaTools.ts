import {
  AltText,
  ImportMedia,
  longestAltText,
  Media,
  MediaDeleted,
  MediaKind,
  MediaUrl,
  problem,
  ReserveUpload,
  Timestamp
} from "@carillon/domain"
import { Effect, Schema, Struct } from "effect"
import { AppConfig } from "../../AppConfig.ts"
import { BrowserUploads } from "../../media/uploads/BrowserUploads.ts"
import { Imports } from "../../media/imports/Imports.ts"
import { MediaLibrary } from "../../media/MediaLibrary.ts"
import { Uploads } from "../../media/uploads/Uploads.ts"
import { mostOfEach } from "../../media/uploads/UploadSize.ts"
import { mcpTool } from "../McpTool.ts"
import { thatFit } from "./AnswerSize.ts"
import { paged, pageOf, pageWith, paging, rest } from "./Paging.ts"

const shown = [
  "id",
  "name",
  "alt_text",
  "mime_type",
  "size_bytes",
  "status",
  "error",
  "width",
  "height",
  "duration_ms",
  "url",
  "created_at",
  "used_by"
] as const

/** So many ids of posts say where an item is used. */
const mostPosts = 10
const mostDrafts = 20
const usualPage = 20
const more = Schema.optionalKey(Schema.Int).annotate({ description: "How many others there are." })

const Item = Schema.Struct({ ...Struct.pick(Media.fields, shown), used_by_more: more }).annotate({
  identifier: "ToolMedia"
})
const item = (media: Media): typeof Item.Type => ({
  ...Struct.pick(media, shown),
  used_by: media.used_by.slice(0, mostPosts),
  ...(media.used_by.length > mostPosts ? { used_by_more: media.used_by.length - mostPosts } : {})
})

/** Hosts give null for what is left out. */
const described = {
  alt_text: Schema.optionalKey(Schema.NullOr(AltText)).annotate({
    description: `What is to be seen, for people who cannot, up to ${longestAltText.toLocaleString("en")} characters; posts send it.`
  })
}

const mediaId = Schema.String.check(Schema.isMaxLength(100)).annotate({
  description: "An id from list_media, create_media_upload or import_media."
})

/**
 * An attachment of a conversation as ChatGPT gives it: an address that is valid for some minutes. Its host is not
 * checked, because `url` takes every public address too. Fields that a later host adds are ignored.
 */
const AttachedFile = Schema.StructWithRest(
  Schema.Struct({
    download_url: MediaUrl,
    file_id: Schema.String.check(Schema.isMaxLength(1000)),
    mime_type: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000)))),
    file_name: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
).check(Schema.isMaxProperties(100))

/** The tools of the workspace's media: see, upload, fetch, delete. */
export const makeMediaTools = Effect.gen(function* () {
  const library = yield* MediaLibrary
  const uploads = yield* Uploads
  const imports = yield* Imports
  const browser = yield* BrowserUploads
  const { allowPrivateHosts, maximumBytes } = yield* AppConfig

  const listMedia = mcpTool({
    name: "list_media",
    title: "List media",
    description:
      "List the files in the library, newest first, each with its id for media of a post, an address to look " +
      "at it (url, valid for a day), its status and the posts that use it. Use it to find existing files, or to see whether an " +
      "import is ready. For a new file use create_media_upload or import_media.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "media:read",
    input: Schema.Struct({
      query: Schema.optionalKey(
        Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))).annotate({
          description: "Text in the name."
        })
      ),
      type: Schema.optionalKey(
        Schema.NullOr(MediaKind).annotate({ description: "Only media of this kind." })
      ),
      ...paging(usualPage)
    }),
    output: Schema.Struct({ media: pageWith(Item), ...paged }),
    run: Effect.fnUntraced(function* ({ query, type, ...input }) {
      const page = pageOf(input, usualPage)
      const found = yield* library.list(
        { ...(query ? { q: query } : {}), ...(type ? { type: [type] } : {}) },
        page
      )
      const all = found.data.map(item)
      const shown = input.limit ? all : thatFit(all)
      return { media: shown, ...rest(found, { ...page, limit: shown.length }) }
    })
  })

  const createMediaUpload = mcpTool({
    name: "create_media_upload",
    title: "Prepare an upload",
    description:
      `Prepare the upload of one file; nothing is sent through this tool. ${mostOfEach(maximumBytes)} ` +
      "With a shell: give mime_type, size_bytes and name, run the curl line of the answer in the file's folder, then call complete_media_upload. Without a shell, or for a file on the " +
      "user's own device: leave both out, give the user the link browser_upload_page (one file, fifteen minutes), and call " +
      "complete_media_upload when they say it is done. For a public URL use import_media, or media_urls of the post.",
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    scope: "media:write",
    input: Schema.Struct({
      mime_type: Schema.optionalKey(
        Schema.NullOr(ReserveUpload.fields.mime_type).annotate({ description: "The file's type." })
      ),
      size_bytes: Schema.optionalKey(
        Schema.NullOr(ReserveUpload.fields.size_bytes).annotate({
          description: "The file's exact length in bytes."
        })
      ),
      name: ReserveUpload.fields.name.annotate({
        description: "The file's name, for example beach.jpg: the curl line sends the file of this name."
      })
    }),
    output: Schema.Struct({
      media_id: Media.fields.id,
      upload_url: Schema.NullOr(Schema.String).annotate({
        description: "PUT the bytes here with the Content-Type; no credential is needed."
      }),
      curl: Schema.NullOr(Schema.String).annotate({ description: "The same as a command." }),
      expires_at: Timestamp.annotate({ description: "The file must have arrived by then." }),
      browser_upload_page: Schema.String.annotate({
        description: "A page for the user to choose the file on; no sign-in, one file."
      }),
      browser_upload_page_expires_at: Timestamp
    }),
    run: Effect.fnUntraced(function* ({ mime_type, size_bytes, name }) {
      if ((mime_type ?? null) === null || (size_bytes ?? null) === null) {
        if ((mime_type ?? null) !== null || (size_bytes ?? null) !== null) {
          return yield* problem(
            "invalid_request",
            "mime_type and size_bytes belong together; give both, or neither and let the user choose the file on browser_upload_page."
          )
        }
        const { media_id, expires_at } = yield* browser.reserve
        return { media_id, upload_url: null, curl: null, expires_at, ...(yield* pageFor(media_id)) }
      }
      const reserved = yield* uploads.reserve({
        mime_type: mime_type!,
        size_bytes: size_bytes!,
        name: name ?? null
      })
      const { media_id, upload_url, expires_at } = reserved
      return {
        media_id,
        upload_url,
        curl: `curl --fail-with-body -sSg -T ${quoted(`./${reserved.name}`)} -H ${quoted(`Content-Type: ${mime_type}`)} ${quoted(upload_url)}`,
        expires_at,
        ...(yield* pageFor(media_id))
      }
    })
  })

  const pageFor = Effect.fnUntraced(function* (id: typeof Media.fields.id.Type) {
    const { url, expires_at } = yield* browser.page(id)
    return { browser_upload_page: url, browser_upload_page_expires_at: expires_at }
  })

  const describing = (alt_text: string | null | undefined) => (media: Media) =>
    alt_text ? library.update(media.id, { alt_text }) : Effect.succeed(media)

  const completeMediaUpload = mcpTool({
    name: "complete_media_upload",
    title: "Confirm an upload",
    description:
      "Confirm that the file of create_media_upload has arrived, and get the media item with what it turned out to be (type, " +
      "size, dimensions, duration). Call it after the curl line ran, or after the user says that they sent it. With alt_text it also " +
      "describes an item that is there already. While the bytes are missing the answer says upload_incomplete.",
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "media:write",
    input: Schema.Struct({ media_id: mediaId, ...described }),
    output: Item,
    run: ({ media_id, alt_text }) =>
      uploads.complete(media_id).pipe(Effect.flatMap(describing(alt_text)), Effect.map(item))
  })

  const importMedia = mcpTool({
    name: "import_media",
    title: "Import media from a URL or an attachment",
    description:
      "Fetch a file into the library from a public URL, or an attachment of the conversation that the host hands over as file. The " +
      "id can be put on a post straight away; status is reserved until the file has been fetched, then " +
      "ready, or failed with the reason (list_media shows it). Each call makes a new item. For one post media_urls of create_post is " +
      "enough; for a local file use create_media_upload. Private addresses are refused; a page instead of a file fails.",
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    scope: "media:write",
    input: Schema.Struct({
      url: Schema.optionalKey(
        Schema.NullOr(ImportMedia.fields.url).annotate({
          description: "An http or https address, port 80 or 443, of the file itself. Not together with file."
        })
      ),
      file: Schema.optionalKey(
        Schema.NullOr(AttachedFile).annotate({
          description: "A file of the conversation. The host fills it in; never make one up."
        })
      ),
      name: ImportMedia.fields.name.annotate({ description: "What it is called in the library." }),
      ...described
    }),
    output: Item,
    meta: { "openai/fileParams": ["file"] },
    run: Effect.fnUntraced(function* ({ url, file, name, alt_text }) {
      if ((url ?? null) === null ? (file ?? null) === null : (file ?? null) !== null) {
        return yield* problem(
          "invalid_request",
          "Give either url or file: url for a public address, file for an attachment that the host hands over."
        )
      }
      // Its address is as good as a password.
      if (file && !allowPrivateHosts && !/^https:/i.test(file.download_url)) {
        return yield* problem(
          "invalid_request",
          "file.download_url is not an https address; give the attachment as the host hands it over, or a public address as url."
        )
      }
      const asked = file
        ? { url: file.download_url, name: name ?? file.file_name ?? null }
        : { url: url!, name: name ?? null }
      return item(yield* Effect.flatMap(imports.import(asked), describing(alt_text)))
    })
  })

  const deleteMedia = mcpTool({
    name: "delete_media",
    title: "Delete media",
    description:
      "Delete one item from the library for good, bytes included. An item that a scheduled post needs is kept, and the answer " +
      "names the posts (media_in_use); drafts lose it and are listed in drafts. What is published stays published; a failed post cannot be retried without it. To take an " +
      "item off one post use update_post. Ask the user before deleting what they did not name.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    scope: "media:write",
    input: Schema.Struct({ media_id: mediaId }),
    output: Schema.Struct({
      deleted: Schema.Literal(true),
      media_id: Media.fields.id,
      drafts: MediaDeleted.fields.drafts,
      drafts_more: more
    }),
    run: ({ media_id }) =>
      Effect.map(library.remove(media_id), ({ id, drafts }) => ({
        deleted: true as const,
        media_id: id,
        drafts: drafts.slice(0, mostDrafts),
        ...(drafts.length > mostDrafts ? { drafts_more: drafts.length - mostDrafts } : {})
      }))
  })

  return [listMedia, createMediaUpload, completeMediaUpload, importMedia, deleteMedia]
})

/** Quoted, so that a shell takes it for one word. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
