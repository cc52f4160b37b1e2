import { Effect } from "effect"
import { Ledger, type Publication } from "../Ledger.ts"
import { graphCaller } from "../meta/GraphCaller.ts"
import { graphError, messageOf } from "../meta/GraphErrors.ts"
import type { GraphObject } from "../meta/GraphObject.ts"
import { type Body, pickFields } from "../meta/GraphParameters.ts"
import { NodeServer } from "../NodeServer.ts"
import type { Grant } from "../oauth/Tokens.ts"
import { Facebook, isStory, type PhotoState, type VideoState } from "./Facebook.ts"

/** Finds a post, a photo or a video of a Page, and says what a post has. */
export const facebookObjects = Effect.gen(function* () {
  const facebook = yield* Facebook
  const ledger = yield* Ledger
  const { pageId } = yield* graphCaller
  const { url } = yield* NodeServer
  const site = () => `${url()}/www.facebook.com`

  /** Of a story the number alone. */
  const postId = (post: Publication) =>
    isStory(post) ? post.id : `${pageId({ platform: "facebook", account: post.account })}_${post.id}`

  const postBody = (post: Publication) => {
    const [first, ...more] = post.media
    const kind = first?.content_type.startsWith("video/") ? "video" : more.length > 0 ? "album" : "photo"
    const photos = ((post.details?.["photo_ids"] ?? []) as ReadonlyArray<string>).map((id) => ({
      media_type: "photo",
      target: { id }
    }))
    const media_type = first === undefined ? (post.details?.["link"] === undefined ? null : "link") : kind
    return {
      id: postId(post),
      ...(post.text === "" ? {} : { message: post.text }),
      created_time: post.published_at.replace(/\.\d+Z$/, "+0000"),
      permalink_url: `${site()}/${postId(post)}`,
      is_published: true,
      ...(media_type === null
        ? {}
        : {
            attachments: {
              data:
                photos.length > 1
                  ? [{ media_type, target: { id: postId(post) }, subattachments: { data: photos } }]
                  : [photos[0] ?? { media_type }]
            }
          })
    }
  }

  const storyOf = (post: Publication) => {
    const [photo] = (post.details?.["photo_ids"] ?? []) as ReadonlyArray<string>
    return {
      post_id: post.id,
      media_id: photo ?? String(post.details?.["video_id"]),
      media_type: photo === undefined ? "video" : "photo",
      status: "PUBLISHED",
      creation_time: String(Math.floor(Date.parse(post.published_at) / 1000)),
      url: `${site()}/stories/${post.id}`
    }
  }

  const stories = (account: string) =>
    ledger.publications({ platform: "facebook", account }).filter(isStory).reverse().map(storyOf)

  const commentsOf = (id: string | null): Required<Pick<GraphObject, "comments">> | undefined => {
    const post = id === null ? undefined : ledger.find("facebook", id)
    if (post === undefined) return undefined
    const texts = () => (post.details?.["comments"] ?? []) as ReadonlyArray<string>
    const from = { id: pageId({ platform: "facebook", account: post.account }) }
    const commentId = (index: number) => `${post.id}_${firstComment + BigInt(index)}`
    return {
      comments: {
        all: () => texts().map((message, index) => ({ id: commentId(index), message, from })),
        add: (message) => {
          ledger.tell(post.id, { comments: [...texts(), message] })
          return commentId(texts().length - 1)
        }
      }
    }
  }

  const postOf = (id: string | null) => {
    const post = id === null ? undefined : ledger.find("facebook", id)
    return post === undefined ? {} : { post_id: postId(post), page_story_id: postId(post) }
  }

  const photoObject = ({ id, publication }: PhotoState): GraphObject => ({
    operation: publication === null ? "media_status" : "post_status",
    body: pickedFrom({ id, link: `${site()}/photo/${id}`, ...postOf(publication) }),
    ...commentsOf(publication)
  })

  const videoObject = (video: VideoState): GraphObject => ({
    operation: video.finish === null ? "media_status" : "post_status",
    body: (fields) =>
      Effect.gen(function* () {
        const path = video.edge === "videos" ? `${pageId(pageOf(video))}/videos` : "reel"
        const body = {
          id: video.id,
          permalink_url: `${site()}/${path}/${video.id}`,
          published: video.publication !== null,
          status: statusOf(video),
          ...postOf(video.publication)
        }
        yield* facebook.looked(video.id)
        return yield* pickedFrom(body)(fields)
      }),
    ...commentsOf(video.publication)
  })

  const objectOf = Effect.fnUntraced(function* ({ account }: Pick<Grant, "account">, id: string) {
    const photo = yield* facebook.photo(account, id)
    if (photo !== undefined) return photoObject(photo)
    const video = yield* facebook.video(account, id)
    if (video !== undefined) return videoObject(video)
    const post = ledger.publications({ platform: "facebook", account }).find((one) => postId(one) === id)
    return post === undefined
      ? undefined
      : ({
          operation: "post_status",
          body: pickedFrom(postBody(post)),
          ...commentsOf(post.id)
        } satisfies GraphObject)
  })

  return { objectOf, postBody, postId, stories }
})

const pageOf = ({ account }: VideoState) => ({ platform: "facebook", account }) as const

/** The fields that were asked for; one that there never is is refused. */
const pickedFrom = (body: Body) => (fields: ReadonlyArray<string>) => {
  const unknown = fields.find((field) => !known.has(field))
  return unknown === undefined
    ? Effect.succeed(pickFields(body, fields))
    : graphError("100", `(#100) Tried accessing nonexisting field (${unknown.slice(0, 60)})`)
}

/** Of every object; an object without one leaves it out. */
const known = new Set([
  "attachments",
  "created_time",
  "from",
  "id",
  "is_published",
  "link",
  "message",
  "page_story_id",
  "permalink_url",
  "post_id",
  "published",
  "status",
  "story"
])

const statusOf = ({ fails_with, finish, media, polls, publication, received }: VideoState) => {
  const inWork = polls > 0
  const failed = !inWork && fails_with !== null
  return {
    video_status: media === null ? "uploading" : inWork ? "processing" : failed ? "error" : "ready",
    uploading_phase: { status: media === null ? "in_progress" : "complete", bytes_transferred: received },
    processing_phase: {
      status: media === null ? "not_started" : inWork ? "in_progress" : failed ? "error" : "complete",
      ...(failed ? { error: { message: messageOf(fails_with) } } : {})
    },
    publishing_phase: {
      status:
        publication !== null
          ? "complete"
          : finish?.draft == null
            ? "not_started"
            : failed
              ? "error"
              : "in_progress",
      publish_status: publication === null ? "draft" : "published"
    }
  }
}

const firstComment = 18_020_000_000_000_001n
