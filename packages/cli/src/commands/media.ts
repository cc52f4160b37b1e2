import { oneLine } from "@carillon/domain/OneLine"
import type { Media, MediaDeleted } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import type { MakeCommand } from "../MakeCommand.ts"
import { confirm } from "../Confirm.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import { limitOption, offsetOption } from "../ListOptions.ts"
import type { OpenSession } from "../Session.ts"
import type { Column } from "../Table.ts"
import { bytes, shortTime } from "../Text.ts"
import { color, toneOf } from "../Color.ts"

export const mediaCommand: MakeCommand = (open) =>
  withExamples(
    new Command("media")
      .addCommand(listCommand(open), { isDefault: true })
      .addCommand(uploadCommand(open))
      .addCommand(showCommand(open))
      .addCommand(updateCommand(open))
      .addCommand(deleteCommand(open))
      .addCommand(importCommand(open)),
    "media upload ./bells.mp4",
    "media list --type video"
  )

const listCommand = (open: OpenSession) =>
  withExamples(
    new Command("list")
      .description("List media, newest first")
      .addOption(
        new Option("--type <type>", "filter by type").choices(["image", "video", "document"] as const)
      )
      .addOption(
        new Option("--status <status>", "filter by status").choices(["reserved", "ready", "failed"] as const)
      )
      .option("--post <id>", "filter by post ID")
      .option("--search <text>", "filter by text in the name")
      .option("--unused", "show only media that no post uses")
      .option("--undescribed", "show only media without alt text")
      .addOption(limitOption())
      .addOption(offsetOption())
      .action(async ({ post, search, undescribed, ...filter }) => {
        const { client, output } = await open()
        await output.list(
          await client.media.list({
            ...filter,
            ...(post === undefined ? {} : { post_id: post }),
            ...(search === undefined ? {} : { q: search }),
            ...(undescribed === undefined ? {} : { described: false })
          }),
          columns,
          "No media. Upload a file with: carillon media upload <file>"
        )
      }),
    "media list --type video --limit 5"
  )

const uploadCommand = (open: OpenSession) =>
  withExamples(
    new Command("upload")
      .description("Upload files to the media library")
      .argument("<files...>", "images, videos or PDFs to upload")
      .option("--name <name>", "name in the library (default: the file name)")
      .action(async (files, { name }) => {
        const session = await open()
        const { output } = session
        const { Uploads } = await import("../Uploads.ts")
        const uploads = new Uploads(session)
        const sent: Array<Media> = []
        for (const file of files) sent.push(await uploads.send(file, name))
        uploads.done()
        output.result(sent.length === 1 ? sent[0] : sent, () =>
          sent.map((media) => `Uploaded ${media.name} as ${media.id} (${facts(media)})`).join("\n")
        )
      }),
    "media upload ./bells.jpg",
    'media upload ./a8f3.mp4 --name "The bells.mp4"'
  )

const showCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("show"), "Media")
      .description("Show a media item and the posts that use it")
      .argument("<id>", "media ID")
      .action(async (id) => {
        const { client, output } = await open()
        const media = await client.media.get(id)
        output.result(media, () => describe(media))
      }),
    "media show 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const updateCommand = (open: OpenSession) =>
  withExamples(
    new Command("update")
      .description("Change a media item's name or alt text")
      .argument("<id>", "media ID")
      .option("--name <name>", "new name in the library")
      .option("--alt-text <text>", 'description for people who cannot see the media; "" removes it')
      .action(async (id, { name, altText }) => {
        const { client, output } = await open()
        const media = await client.media.update(id, {
          ...(name === undefined ? {} : { name }),
          ...(altText === undefined ? {} : { alt_text: altText === "" ? null : altText })
        })
        output.result(media, () => describe(media))
      }),
    'media update 01a1fd84-0a5f-7788-97ec-9b46677293d3 --alt-text "Three bells in a tower at dusk"'
  )

const deleteCommand = (open: OpenSession) =>
  withExamples(
    new Command("delete")
      .description("Delete media items and remove them from drafts")
      .argument("<ids...>", "media IDs")
      .option("--yes", "skip the confirmation prompt")
      .action(async (ids, { yes }) => {
        const { client, output, terminal } = await open()
        await confirm(
          terminal,
          `Delete ${ids.length === 1 ? `media item ${ids[0]}` : `${ids.length} media items`}?`,
          yes
        )
        const deleted: Array<MediaDeleted> = []
        for (const id of ids) deleted.push(await client.media.delete(id))
        output.result(deleted.length === 1 ? deleted[0] : deleted, () =>
          deleted
            .map(
              ({ drafts, id }) =>
                `Deleted ${id}${drafts.length === 0 ? "" : `, removed from drafts ${drafts.join(", ")}`}`
            )
            .join("\n")
        )
      }),
    "media delete 01a1fd84-0a5f-7788-97ec-9b46677293d3 --yes"
  )

const importCommand = (open: OpenSession) =>
  withExamples(
    new Command("import")
      .description("Import a file from a URL")
      .argument("<url>", "public https URL of an image, video or PDF")
      .option("--name <name>", "name in the library (default: from the server or URL)")
      .action(async (url, { name }) => {
        const { client, output } = await open()
        const media = await client.media.import(url, { name })
        output.result(media, () => `Importing ${media.name} as ${media.id}`)
      }),
    "media import https://www.example.com/bells.jpg"
  )

const facts = (media: Media): string =>
  [
    media.mime_type ?? "unknown type",
    ...(media.width === null || media.height === null ? [] : [`${media.width} x ${media.height}`]),
    ...(media.duration_ms === null ? [] : [`${(media.duration_ms / 1000).toFixed(1)} s`]),
    ...(media.size_bytes === null ? [] : [bytes(media.size_bytes)])
  ].join(", ")

const describe = (media: Media): string =>
  [
    `${media.name}: ${color(toneOf(media.status), media.status)} (${facts(media)})`,
    `ID: ${media.id}`,
    ...(media.alt_text === null ? [] : [`Alt text: ${media.alt_text}`]),
    ...(media.error === null ? [] : [`Error: ${oneLine(media.error.message)}`]),
    ...(media.sha256 === null ? [] : [`SHA-256: ${media.sha256}`]),
    ...(media.url === null ? [] : [`URL: ${media.url}`]),
    ...(media.expires_at === null ? [] : [`Expires: ${shortTime(media.expires_at)}`]),
    `Used by: ${media.used_by.length === 0 ? "no posts" : media.used_by.join(", ")}`
  ].join("\n")

const columns: ReadonlyArray<Column<Media>> = [
  { title: "ID", of: (media) => media.id },
  { title: "STATUS", of: (media) => media.status, tone: (media) => toneOf(media.status) },
  { title: "TYPE", of: (media) => media.mime_type },
  { title: "SIZE", of: (media) => (media.size_bytes === null ? null : bytes(media.size_bytes)) },
  { title: "POSTS", of: (media) => media.used_by.length },
  { title: "NAME", of: (media) => media.name }
]
