import type { PlatformId } from "@carillon/sandbox/testing"
import { makeMastodon } from "@carillon/server/platforms/mastodon/Mastodon"
import { makeInstagram } from "@carillon/server/platforms/instagram/Instagram"
import { makePinterest } from "@carillon/server/platforms/pinterest/Pinterest"
import type { ConsentFields, Platform, PublishRequest } from "@carillon/server/platforms/Platform"
import type { ConnectedApp } from "@carillon/server/platforms/ConnectedApp"
import { makeTikTok } from "@carillon/server/platforms/tiktok/TikTok"
import type { Quota } from "@carillon/server/platforms/youtube/Quota"
import { makeYouTube } from "@carillon/server/platforms/youtube/YouTube"
import { Duration, Effect, Stream } from "effect"
import type { HttpClient } from "effect/http"
import { image, video } from "./TestRequest.ts"

/**
 * What a call is for. `asked`: it only helps, so the post goes out whatever becomes of it; a token is renewed all the
 * same. `after`: it completes a post that is out already, so its failure changes nothing.
 */
export type Purpose = "before" | "asked" | "commit" | "look" | "after"

/** One kind of post on one platform whose accounts are connected in the browser. */
export interface Flow {
  readonly name: string
  readonly network: PlatformId
  readonly make: (client: HttpClient.HttpClient, app: ConnectedApp) => Platform
  readonly login: string
  /** What the platform wants to know before. */
  readonly fields?: ConsentFields
  /** Its tokens never end, and the app is none of the operator's. */
  readonly lasting?: true
  /** An ending of the username that means something to the stand-in. */
  readonly ending?: string
  /** The ends of scopes of which one is needed to publish; the first is asked for where none was granted. */
  readonly needed: ReadonlyArray<string>
  /** Media that the platform fetches have addresses below `host`. `on`: the call that a test is about. */
  readonly post: (host: string, remoteId: string, on: string) => Partial<PublishRequest>
  /** Every call of it, as the network names them. */
  readonly calls: { readonly [operation: string]: Purpose }
  /** Faults that the documents do not know of a call, such as of a token where the address is the permission. */
  readonly unheard_of: { readonly [operation: string]: ReadonlyArray<string> }
  /** Calls whose answer has no body that anything follows from. */
  readonly without_answer: ReadonlyArray<string>
  /** After a commit without an answer nobody can tell whether it is there. */
  readonly nobody_can_tell: boolean
  /** The call that looks for it then, where no other has shown that call, and how many are made before. */
  readonly lookup?: { readonly on: string; readonly before: number }
}

const mebibyte = 1024 * 1024
const bytes = new Uint8Array(20 * mebibyte).fill(7)
const film = (size: number) => video("film", Stream.succeed(bytes.subarray(0, size)), size)
const at = (host: string, name: string) => ({ public_url: Effect.succeed(`${host}/${name}`) })
const jpeg = (id: string) =>
  image(id, {
    image: Effect.succeed({
      bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]),
      mime_type: "image/jpeg",
      width: 1000,
      height: 1500
    })
  })
const noQuota: Quota["Service"] = { take: () => Effect.void }

const tiktok = { network: "tiktok", login: "tiktok", needed: ["video.publish"], make: makeTikTok } as const
const instagram = {
  network: "instagram",
  make: (client: HttpClient.HttpClient, app: ConnectedApp) =>
    makeInstagram(client, {
      apps: { instagram: app, facebook: app },
      version: "v25.0",
      stand_in: true,
      settle_wait: Duration.seconds(1)
    })
} as const

const pinterest = {
  network: "pinterest",
  login: "pinterest",
  needed: ["pins:write"],
  make: makePinterest
} as const
const mastodon = {
  network: "mastodon",
  login: "mastodon",
  lasting: true,
  make: (client: HttpClient.HttpClient, { at }: ConnectedApp) =>
    makeMastodon(client, {
      allow_http: false,
      test_network: { client, at },
      apps: { obtain: (_place, _isKnown, register) => register },
      website: "http://127.0.0.1:9"
    })
} as const
/** The second board of the stand-in's accounts, whose ids follow from the account's. */
const onSecondBoard = (remoteId: string) => ({ board_id: String(BigInt(remoteId) * 400n + 1n) })

export const flows: ReadonlyArray<Flow> = [
  {
    ...tiktok,
    name: "a video on TikTok",
    // All but the last of its chunks go ahead.
    ending: "-pieces",
    post: (_host, _remoteId, on) => ({ media: [film(on === "media" ? bytes.length : 4)] }),
    calls: {
      creator_info: "before",
      upload_start: "before",
      media: "before",
      post: "commit",
      post_status: "look"
    },
    unheard_of: { media: ["unauthorized", "forbidden"], post: ["unauthorized", "forbidden"] },
    without_answer: ["media", "post"],
    nobody_can_tell: false
  },
  {
    ...tiktok,
    name: "photos on TikTok",
    post: (host) => ({ media: [image("a", at(host, "a.jpg")), image("b", at(host, "b.jpg"))] }),
    calls: { creator_info: "before", post: "commit", post_status: "look" },
    unheard_of: {},
    without_answer: [],
    nobody_can_tell: true
  },
  {
    ...instagram,
    name: "a picture on Instagram",
    login: "instagram",
    needed: ["instagram_business_content_publish"],
    post: (host) => ({ media: [image("a", at(host, "a.jpg"))], options: { first_comment: "First" } }),
    calls: {
      media: "before",
      media_status: "before",
      publishing_limit: "asked",
      post: "commit",
      comment: "after",
      post_status: "after"
    },
    unheard_of: {},
    without_answer: [],
    nobody_can_tell: false
  },
  {
    ...instagram,
    name: "a reel on Instagram through Facebook",
    login: "facebook",
    needed: ["pages_read_engagement"],
    post: () => ({ media: [film(300_000)] }),
    calls: {
      media: "before",
      upload: "before",
      media_status: "before",
      publishing_limit: "asked",
      post: "commit",
      post_status: "after"
    },
    unheard_of: { upload: ["forbidden", "rate_limited"] },
    without_answer: [],
    nobody_can_tell: false
  },
  {
    ...instagram,
    name: "a carousel on Instagram",
    login: "instagram",
    needed: ["instagram_business_content_publish"],
    post: (host) => ({
      media: [image("a", at(host, "a.jpg")), { ...film(10), ...at(host, "film.mp4") }]
    }),
    calls: {
      media: "before",
      media_status: "before",
      publishing_limit: "asked",
      post: "commit",
      post_status: "after"
    },
    unheard_of: {},
    without_answer: [],
    nobody_can_tell: false
  },
  {
    name: "a video on YouTube",
    network: "youtube",
    login: "google",
    needed: ["youtube.upload", "/youtube"],
    make: (client, app) => makeYouTube(client, app, noQuota),
    post: () => ({
      caption: "Evening bells",
      media: [film(mebibyte + 3)],
      cover: image("cover"),
      options: { playlist_ids: ["PLmine"] }
    }),
    calls: { upload_start: "before", media: "before", post: "commit", thumbnail: "after", playlist: "after" },
    unheard_of: {},
    without_answer: ["upload_start", "media"],
    nobody_can_tell: false,
    lookup: { on: "post_search", before: 0 }
  },
  {
    ...pinterest,
    name: "a picture on Pinterest",
    post: (_host, remoteId) => ({ media: [jpeg("a")], ...onSecondBoard(remoteId) }),
    // The same call reads the board before and looks on it after.
    calls: { post_search: "asked", post: "commit" },
    unheard_of: {},
    without_answer: [],
    nobody_can_tell: false,
    lookup: { on: "post_search", before: 1 }
  },
  {
    ...pinterest,
    name: "a video on Pinterest",
    post: (_host, remoteId) => ({
      media: [film(300_000)],
      cover: jpeg("cover"),
      ...onSecondBoard(remoteId)
    }),
    calls: {
      post_search: "asked",
      upload_start: "before",
      media: "before",
      media_status: "before",
      post: "commit"
    },
    // The store that videos go to knows no account, and what it refuses begins anew.
    unheard_of: { media: ["unauthorized", "forbidden", "rate_limited"] },
    without_answer: ["media"],
    nobody_can_tell: false
  },
  {
    ...mastodon,
    name: "pictures on Mastodon",
    fields: { server: "mastodon.sandbox" },
    needed: ["write:statuses"],
    post: () => ({ caption: "Evening bells", media: [jpeg("a"), jpeg("b")] }),
    calls: { media: "before", post: "commit" },
    unheard_of: {},
    without_answer: [],
    nobody_can_tell: false,
    lookup: { on: "post_search", before: 0 }
  },
  {
    ...mastodon,
    name: "a picture on a server that ignores the key",
    fields: { server: "gotosocial.sandbox" },
    needed: ["write:media"],
    post: () => ({ caption: "Evening bells", media: [jpeg("a")] }),
    calls: { media: "before", post: "commit" },
    unheard_of: {},
    without_answer: [],
    nobody_can_tell: false,
    lookup: { on: "post_search", before: 0 }
  }
]
