import type { Handle } from "@carillon/server/engine/Handle"
import { makeFacebook } from "@carillon/server/platforms/facebook/Facebook"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { DateTime, Duration, Effect, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"
import { dueAt, image, noneTaken, request, savedHandles, video } from "./TestRequest.ts"

export const page = "1001"
export const token = "t0ken-of-the-page"
export const credentials = Redacted.make({ token, page_id: page, user_id: "7", user_token: "t0ken-of-alice" })
export const post = (values: Partial<PublishRequest> = {}) =>
  request({ remote_id: page, username: "bells", ...values })
export const film = () => video("film", Stream.succeed(new Uint8Array(10).fill(7)), 10)
export const kinds = {
  reel: { media: [film()], options: { placement: "reel" } },
  story: { media: [film()], options: { placement: "story" } },
  photoStory: { media: [image("a")], options: { placement: "story" } }
}

type Answers = Readonly<Record<string, unknown>>

export const ok = (json: unknown): Reply => ({ status: 200, json })
export const refusal = (code: number, more: object = {}): Reply => ({
  status: 400,
  json: { error: { message: "By script.", code, ...more } }
})

export const formOf = ({ body, headers }: Received): Answers => {
  const text = body.toString("latin1")
  const [, boundary] = /boundary=(\S+)/.exec(headers["content-type"] ?? "") ?? []
  return boundary === undefined
    ? Object.fromEntries(new URLSearchParams(text))
    : Object.fromEntries(
        text.split(`--${boundary}`).flatMap((part) => {
          const [head = "", value = ""] = part.split("\r\n\r\n", 2)
          const [, name] = /; name="([^"]+)"/.exec(head) ?? []
          return name === undefined ? [] : [[name, value.replace(/\r\n$/, "")]]
        })
      )
}

export const created_time = DateTime.formatIso(dueAt).replace(".000Z", "+0000")
export const ours = { id: `${page}_1`, message: "Hello", created_time }
export const pictured = (id: string) => ({
  attachments: {
    data: [{ media_type: "album", subattachments: { data: [{ media_type: "photo", target: { id } }] } }]
  }
})

export const phase = (status: string) => ({ status })
export const state = (values: object) => ({ status: { video_status: "processing", ...values } })
export const uploaded = state({ uploading_phase: phase("complete"), processing_phase: phase("not_started") })
export const published = {
  ...state({ publishing_phase: { status: "complete", publish_status: "published" } }),
  permalink_url: "/reel/900/"
}

/** Facebook as its documents have it; `own` answers by the last part of the path, or by method and that. */
export const facebook = (own: Readonly<Record<string, Reply | ((request: Received) => Reply)>> = {}) => {
  const answers: Answers = {
    access_token: { access_token: "t0ken-of-alice", expires_in: 5_184_000 },
    permissions: {
      data: ["pages_show_list", "pages_read_engagement", "pages_manage_posts", "business_management"].map(
        (permission) => ({ permission, status: "granted" })
      )
    },
    me: { id: "7" },
    accounts: {
      data: [{ id: page, name: "Bells", username: "bells", access_token: token, tasks: ["CREATE_CONTENT"] }]
    },
    businesses: { data: [] },
    [page]: { access_token: token },
    feed: { id: `${page}_1` },
    "GET feed": { data: [ours, { ...ours, ...pictured("500") }] },
    [`${page}_1`]: { permalink_url: "https://www.facebook.com/bells/posts/1" },
    photos: { id: "500" },
    photo_stories: { success: true, post_id: 600 },
    stories: {
      data: [
        {
          post_id: "600",
          media_id: "500",
          media_type: "photo",
          url: "https://www.facebook.com/stories/1/600"
        },
        {
          post_id: "601",
          media_id: "900",
          media_type: "video",
          url: "https://www.facebook.com/stories/1/601"
        }
      ]
    },
    "900": published,
    comments: { id: "700" },
    "GET comments": { data: [{ id: "700", message: "First", from: { id: page } }] }
  }
  return (received: Received): Reply => {
    const { headers, method, path } = received
    const last = path.split("/").at(-1)!
    // What was there before a post.
    if (method === "GET" && last === "feed" && received.query.fields === "id") return ok({ data: [] })
    const given = own[`${method} ${last}`] ?? own[last]
    if (given !== undefined) return typeof given === "function" ? given(received) : given
    if (method === "DELETE") return ok({ success: true })
    const { file_size, start_offset, upload_phase } = formOf(received)
    const upload_url = `http://${headers.host!}/rupload.facebook.com/video-upload/900`
    switch (upload_phase) {
      case "start":
        return ok(
          last === "videos"
            ? {
                video_id: "900",
                upload_session_id: "800",
                start_offset: "0",
                end_offset: String(Math.min(4, Number(file_size)))
              }
            : { video_id: "900", upload_url }
        )
      case "transfer": {
        const next = Math.min(Number(start_offset) + 4, 10)
        return ok({ start_offset: String(next), end_offset: String(Math.min(next + 4, 10)) })
      }
      case "finish":
        return ok({ success: true })
    }
    return ok(answers[`${method} ${last}`] ?? answers[last] ?? { success: true })
  }
}

export const connected = Effect.fnUntraced(function* (script: (request: Received) => Reply = facebook()) {
  const server = yield* scriptedServer(script)
  const app = {
    id: "1234567",
    secret: Redacted.make("a-very-s3cret-value"),
    at: (host: string) => `${server.url}/${host}`,
    stand_in: true
  }
  const platform = makeFacebook(yield* HttpClient.HttpClient, app, {
    version: "v25.0",
    settle_wait: Duration.zero
  })
  const prepared = Effect.fnUntraced(function* (one: PublishRequest) {
    const { save } = yield* savedHandles
    const { handle } = yield* platform.prepare(one, credentials, null, save)
    return handle
  })
  const look = (one: PublishRequest, handle: Handle, taken = noneTaken) =>
    Effect.map(platform.reconcile(one, credentials, handle, taken), (found) =>
      found._tag === "published"
        ? `published ${found.data.id}`
        : found._tag === "refused"
          ? `refused ${found.failure.class} ${found.failure.code}`
          : found._tag
    )
  return { platform, prepared, look, server }
})

export const consent = {
  login: "facebook_pages",
  redirect_uri: "https://carillon.example/oauth/callback/facebook",
  state: "state",
  code_verifier: "v".repeat(64),
  code: "c0de"
}
