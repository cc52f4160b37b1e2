/**
 * Facebook Pages at the wire, every host as the first part of the path; `{v}` is a version such as `v25.0`. Sign-in, Pages,
 * comments and reading: `PeopleHttp.ts`. Every call has the token of the Page as `Authorization: Bearer` or `access_token`,
 * and its parameters in the query, a form of either kind, or JSON.
 *
 * Below `/graph.facebook.com/{v}/{page}`:
 * `POST /feed` `message`, `link`, `attached_media` (photos that are not published): `{ id: "{page}_{post}" }`. 506 of a text without
 *   photos that is the same as that of the newest post.
 * `POST /photos` `source` or `url`, `message`, `alt_text_custom`, `published`: `{ id, post_id }`; `{ id }` with
 *   `published=false`: nobody sees it, and it is gone after a day
 * `POST /video_reels` and `/video_stories` `upload_phase=start`: `{ video_id, upload_url }`; the bytes go there (`UploadHttp.ts`);
 *   `upload_phase=finish` `video_id`, and of reels `video_state`, `description`, `title`: `{ success, post_id? }`. 30 reels of a
 *   Page in 24 hours, 1 of `...-quota`.
 * `POST /photo_stories` `photo_id`: `{ success, post_id }`
 * `GET /feed` `fields`, `since` (Unix time): newest first, without stories, in parts (`Paging.ts`)
 * `POST /videos`, also at `graph-video.facebook.com`, `source` or `file_url`, `description`, `title`, `thumb`: `{ id }`; or
 *   `upload_phase=start` `file_size`: `{ upload_session_id, video_id, start_offset, end_offset }`, `transfer` `start_offset`,
 *   `video_file_chunk`: the next offsets, which are the same at the end, and `finish`. A refusal of another range than the next
 *   one names that in `error_data`.
 *
 * `GET /{v}/{video}?fields=status,permalink_url,post_id`. `processing` on `media` keeps a video in work before its finish, on `post`
 * after it; it is published when that is over. `becomes: failed` with a code as `reason` is what is wrong with it then.
 * `www.facebook.com/{page}_{post}`, `/reel/{video}` and `/{page}/videos/{video}` lead to the post in the feed.
 */
import { ByteSize, Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Arrived, Exchange, Granted } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { fileTypeOf } from "../FileType.ts"
import { Ledger, type Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { graphCaller } from "../meta/GraphCaller.ts"
import { graphDialect, graphError, noObject } from "../meta/GraphErrors.ts"
import { fieldsOf, type Given, pickFields } from "../meta/GraphParameters.ts"
import { partOf } from "../meta/Paging.ts"
import { pull } from "../meta/Pull.ts"
import { uploadRoute } from "../meta/UploadHttp.ts"
import { NodeServer } from "../NodeServer.ts"
import { Facebook, type Draft, type VideoEdge } from "./Facebook.ts"
import { facebookObjects } from "./FacebookObjects.ts"
import { attachedOf, draftOf, textProblem } from "./PageDraft.ts"

const maximumPhoto = 4_000_000
const maximumVideo = 10_000_000_000
const chunkBytes = 4 * 1024 * 1024
const photoTypes = ["image/jpeg", "image/png", "image/gif", "image/bmp", "image/tiff"] as const
const day = 24 * 3600 * 1000

type Call = Arrived & Given & { readonly account: string; readonly fault: Fault | undefined }

export const FacebookHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const facebook = yield* Facebook
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const { url } = yield* NodeServer
    const { endpointsAt } = yield* graphCaller
    const { postBody, postId } = yield* facebookObjects
    const endpoint = endpointsAt("facebook", "facebook")
    const at = "/graph.facebook.com/:version/:id"
    const publishing = { scope: "publish", own: "page" } as const

    /** A file of the form, or the one behind an address. */
    const fileOf = Effect.fnUntraced(function* (
      { files, given }: Given,
      [part, address]: readonly [part: string, address: string],
      maximum: number,
      [unreachable, tooLarge]: readonly [unreachable: string, tooLarge: string]
    ) {
      const sent = files.get(part)
      const from = given.get(address)
      if (sent !== undefined) return sent.size > maximum ? yield* graphError(tooLarge) : sent
      if (from === null)
        return yield* graphError("100", `(#100) The parameter ${part} or ${address} is required`)
      const pulled = yield* pull(store, from, {
        unreachable,
        objection: (_type, length) => (length > maximum ? tooLarge : undefined),
        headBytes: 0
      })
      return typeof pulled === "string" ? yield* graphError(pulled) : pulled
    })

    const takePhoto = Effect.fnUntraced(function* (call: Call) {
      const file = yield* fileOf(call, ["source", "url"], maximumPhoto, ["324/2069019", "324/1366046"])
      const type = fileTypeOf(file.beginning, photoTypes)
      if (type === undefined) return yield* graphError("324/2069019")
      const alt_text = call.given.get("alt_text_custom")
      return yield* facebook.takePhoto({ account: call.account, media: yield* file.keepAs(type), alt_text })
    })

    /** Photos that can still be published. */
    const unpublished = (account: string, ids: ReadonlyArray<string>) =>
      Effect.forEach(ids, (id) =>
        Effect.gen(function* () {
          const photo = yield* facebook.photo(account, id)
          if (photo === undefined) return yield* noObject(id)
          return photo.publication === null ? photo : yield* graphError("100/1366051")
        })
      )

    const created = (publication: Publication, body: { readonly [name: string]: string | boolean }) =>
      new Granted({ body, publication: publication.id })

    /** A video that its Page may still finish. */
    const unfinished = Effect.fnUntraced(function* (account: string, id: string, edge: VideoEdge) {
      const video = yield* facebook.video(account, id)
      if (video?.edge !== edge) return yield* noObject(id)
      if (video.finish !== null) return yield* graphError("100", "(#100) The video has been finished already")
      return video
    })

    const finished = Effect.fnUntraced(function* (
      { account, fault, given, seen }: Call,
      id: string,
      edge: VideoEdge,
      draft: Draft
    ) {
      const video = yield* unfinished(account, id, edge)
      if (video.media === null) return yield* graphError("6000/1363019", "The upload is not complete")
      if (video.polls === 0 && video.fails_with !== null) return yield* graphError(video.fails_with)
      const problem = textProblem(draft)
      if (problem !== undefined) return yield* problem
      const isLive =
        given.get("published") !== "false" && (given.get("video_state") ?? "PUBLISHED") === "PUBLISHED"
      if (isLive && edge === "video_reels") {
        const since = (yield* Clock.currentTimeMillis) - day
        const reels = facebook
          .feed(account)
          .filter(
            ({ details, published_at }) => details?.["edge"] === edge && Date.parse(published_at) > since
          )
        if (reels.length >= (account.endsWith("-quota") ? 1 : 30)) return yield* graphError("4/1390008")
      }
      const named = { ...draft, details: { ...draft.details, video_id: id } }
      return yield* facebook.finish(id, isLive ? named : null, seen, fault)
    })

    /** The start and the finish of a video whose bytes go elsewhere. */
    const uploaded = (edge: "video_reels" | "video_stories") =>
      endpoint<"start" | "finish">("POST", `${at}/${edge}`, {
        ...publishing,
        operation: null,
        read: ({ given, seen }) => {
          const phase = given.get("upload_phase")
          if (phase !== "start" && phase !== "finish") {
            return graphError("100", "(#100) upload_phase must be start or finish")
          }
          seen.operation = phase === "start" ? "upload_start" : "post"
          return Effect.succeed(phase)
        },
        answer: (call, phase) =>
          Effect.gen(function* () {
            const { account, given, path } = call
            if (phase === "start") {
              const { id } = yield* facebook.startVideo({ account, edge, size: null })
              const upload_url = `${url()}/rupload.facebook.com/video-upload/${path["version"]}/${id}`
              return { video_id: id, upload_url }
            }
            const draft = draftOf(given, edge, "description")
            const post = yield* finished(call, given.get("video_id") ?? "", edge, draft)
            return post === undefined
              ? { success: true }
              : created(post, { success: true, post_id: postId(post) })
          })
      })

    const offsets = ({ received, size }: { readonly received: number; readonly size: number | null }) => ({
      start_offset: String(received),
      end_offset: String(Math.min(received + chunkBytes, size ?? received))
    })
    /** A session is of one video. */
    const sessionOf = (video: string) => `9${video}`
    const videoOf = (given: URLSearchParams) => (given.get("upload_session_id") ?? "").replace(/^9/, "")

    const transfer = Effect.fnUntraced(function* ({ account, fault, files, given }: Call) {
      const { id, received, size } = yield* unfinished(account, videoOf(given), "videos")
      const chunk = files.get("video_file_chunk")
      if (chunk === undefined) {
        return yield* graphError("100", "(#100) The parameter video_file_chunk is required")
      }
      const end = received + chunk.size
      if (given.get("start_offset") !== String(received) || chunk.size > chunkBytes || end > (size ?? 0)) {
        return yield* graphError("6001/1363037", undefined, 400, offsets({ received, size }))
      }
      yield* store.append(id, received, store.read(yield* chunk.keep))
      if (end === size) facebook.uploaded(id, yield* store.assemble(id, size, "video/mp4"), fault)
      else facebook.received(id, end)
      return offsets({ received: end, size })
    })

    const videoPost = Effect.fnUntraced(function* ({ files, given }: Given) {
      const draft = draftOf(given, "videos", "description")
      const thumb = files.get("thumb")
      if (thumb === undefined) return draft
      const type = fileTypeOf(thumb.beginning, photoTypes)
      if (type === undefined) return yield* graphError("324/2069019")
      return { ...draft, details: { ...draft.details, cover: { ...(yield* thumb.keepAs(type)) } } }
    })

    const phases = { start: "upload_start", transfer: "media", finish: "post", whole: "post" } as const
    const videos = (path: HttpRouter.PathInput) =>
      endpoint<keyof typeof phases>("POST", path, {
        ...publishing,
        largest: ByteSize.bytes(maximumVideo + 1_000_000),
        operation: null,
        read: ({ given, seen }) => {
          const asked = given.get("upload_phase") ?? "whole"
          if (!Object.hasOwn(phases, asked)) {
            return graphError("100", "(#100) upload_phase must be start, transfer or finish")
          }
          const phase = asked as keyof typeof phases
          seen.operation = phases[phase]
          return Effect.succeed(phase)
        },
        answer: (call, phase) =>
          Effect.gen(function* () {
            const { account, given } = call
            switch (phase) {
              case "start": {
                const size = Number(given.get("file_size") ?? Number.NaN)
                if (!Number.isSafeInteger(size) || size < 1 || size > maximumVideo) {
                  return yield* graphError("100", "(#100) file_size must be from 1 to 10,000,000,000 bytes")
                }
                const video = yield* facebook.startVideo({ account, edge: "videos", size })
                return { upload_session_id: sessionOf(video.id), video_id: video.id, ...offsets(video) }
              }
              case "transfer":
                return yield* transfer(call)
              case "finish": {
                const post = yield* finished(call, videoOf(given), "videos", yield* videoPost(call))
                return post === undefined ? { success: true } : created(post, { success: true })
              }
              case "whole": {
                const file = yield* fileOf(call, ["source", "file_url"], maximumVideo, [
                  "389",
                  "6000/1363019"
                ])
                const draft = yield* videoPost(call)
                const { id } = yield* facebook.startVideo({ account, edge: "videos", size: file.size })
                facebook.uploaded(id, yield* file.keepAs("video/mp4"), undefined)
                const post = yield* finished(call, id, "videos", draft)
                return post === undefined ? { id } : created(post, { id })
              }
            }
          })
      })

    /** The page behind a link: the post in the feed. */
    const look = Effect.gen(function* () {
      const { url: address } = yield* HttpServerRequest.HttpServerRequest
      const id =
        address
          .split("?", 1)[0]!
          .split("/")
          .findLast((part) => part !== "") ?? ""
      const post = ledger.find("facebook", facebook.postOf(id) ?? id.split("_").at(-1)!)
      return post === undefined
        ? HttpServerResponse.text("This content isn't available right now.", { status: 404 })
        : HttpServerResponse.redirect(`${url()}/posts/${post.id}`)
    })

    return [
      endpoint("GET", `${at}/feed`, {
        operation: "post_search",
        scope: "read",
        own: "page",
        answer: ({ account, given, id, path: { version = "" }, token }) =>
          Effect.gen(function* () {
            const fields = given.has("fields") ? fieldsOf(given) : ["message", "created_time"]
            const since = Number(given.get("since") ?? 0) * 1000
            const all = facebook.feed(account).filter(({ published_at }) => Date.parse(published_at) >= since)
            const address = `${url()}/graph.facebook.com/${version}/${id}/feed`
            const { paging, part } = yield* partOf(all, { given, token }, address)
            return { data: part.map((post) => pickFields(postBody(post), fields)), paging }
          })
      }),
      endpoint("POST", `${at}/feed`, {
        ...publishing,
        operation: "post",
        answer: ({ account, given, path, seen }) =>
          Effect.gen(function* () {
            const attached = attachedOf(given)
            if (attached === undefined) {
              return yield* graphError(
                "100",
                "(#100) Param attached_media must be an array of { media_fbid }"
              )
            }
            const described = draftOf(given, "feed", "message")
            const own = { page_id: path["id"]!, photo_ids: attached }
            const draft: Draft = { ...described, details: { ...described.details, ...own } }
            if (draft.text === "" && draft.details["link"] === undefined && attached.length === 0) {
              return yield* graphError("100", "(#100) One of message, link and attached_media is required")
            }
            if (given.get("published") === "false") {
              return yield* graphError("100", "(#100) The test network has no unpublished posts")
            }
            const problem = textProblem(draft)
            if (problem !== undefined) return yield* problem
            const photos = yield* unpublished(account, attached)
            const newest = facebook.feed(account)[0]
            const isSame =
              newest !== undefined &&
              newest.media.length === 0 &&
              newest.text === draft.text &&
              newest.details?.["link"] === draft.details["link"]
            if (attached.length === 0 && isSame) return yield* graphError("506")
            const post = yield* facebook.publish(account, draft, photos, seen)
            return created(post, { id: postId(post) })
          })
      }),
      endpoint("POST", `${at}/photos`, {
        ...publishing,
        largest: ByteSize.mebibytes(30),
        operation: null,
        read: ({ given, seen }) =>
          Effect.sync(() => {
            const isLive = given.get("published") !== "false"
            seen.operation = isLive ? "post" : "media"
            return isLive
          }),
        answer: (call, isLive) =>
          Effect.gen(function* () {
            const draft = draftOf(call.given, "photos", "message")
            const problem = textProblem(draft)
            if (problem !== undefined) return yield* problem
            const photo = yield* takePhoto(call)
            if (!isLive) return { id: photo.id }
            const post = yield* facebook.publish(call.account, draft, [photo], call.seen)
            return created(post, { id: photo.id, post_id: postId(post) })
          })
      }),
      endpoint("POST", `${at}/photo_stories`, {
        ...publishing,
        operation: "post",
        answer: ({ account, given, seen }) =>
          Effect.gen(function* () {
            const photos = yield* unpublished(account, [given.get("photo_id") ?? ""])
            const draft = draftOf(given, "photo_stories", "message")
            const details = { ...draft.details, photo_ids: [given.get("photo_id")!] }
            const post = yield* facebook.publish(account, { ...draft, text: "", details }, photos, seen)
            return created(post, { success: true, post_id: postId(post) })
          })
      }),
      uploaded("video_reels"),
      uploaded("video_stories"),
      videos(`${at}/videos`),
      videos("/graph-video.facebook.com/:version/:id/videos"),
      exchange.unknown(graphDialect("facebook"), "/graph-video.facebook.com/*", (_method, path) =>
        graphError("2500", `Unknown path components: ${path}`)
      ),
      yield* uploadRoute({
        platform: "facebook",
        operation: "media",
        path: "/rupload.facebook.com/video-upload/:version/:id",
        mediaType: "video/mp4",
        largest: maximumVideo,
        open: (account, id) =>
          Effect.map(facebook.video(account, id), (video) =>
            video === undefined || video.edge === "videos" || video.media !== null
              ? undefined
              : video.received
          ),
        received: facebook.received,
        uploaded: facebook.uploaded
      }),
      HttpRouter.route("GET", "/www.facebook.com/*", look)
    ]
  })
)
