import { platformOptions } from "@carillon/domain"
import type { Publication } from "@carillon/sandbox/testing"
import type { ConnectedApp } from "@carillon/server/platforms/ConnectedApp"
import type { Platform, PublishRequest } from "@carillon/server/platforms/Platform"
import { makeBluesky } from "@carillon/server/platforms/bluesky/Bluesky"
import { makeDiscord } from "@carillon/server/platforms/discord/Discord"
import { makeInstagram } from "@carillon/server/platforms/instagram/Instagram"
import { makeMastodon } from "@carillon/server/platforms/mastodon/Mastodon"
import { makePinterest } from "@carillon/server/platforms/pinterest/Pinterest"
import { makeSandbox } from "@carillon/server/platforms/Sandbox"
import { makeTelegram } from "@carillon/server/platforms/telegram/Telegram"
import { makeTikTok } from "@carillon/server/platforms/tiktok/TikTok"
import { makeYouTube } from "@carillon/server/platforms/youtube/YouTube"
import { typedAt } from "@carillon/testing/ConnectedAccount"
import { type AdapterCalls, type Board, caption, type Walk, walks } from "@carillon/testing/Walks"
import { Duration, Effect, Schema, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { image, video } from "./TestRequest.ts"

/** A network's adapter, by the login of its accounts. */
interface Adapter {
  /** `url`: the test network's. */
  readonly make: (client: HttpClient.HttpClient, app: ConnectedApp, url: string) => Platform
  /** The ends of scopes of which one is needed to publish; the first is asked for where none was granted. */
  readonly needed?: ReadonlyArray<string>
  /** How its tokens end: never, at the endpoint that `session` scripts, or at another. */
  readonly tokens: "last" | "session" | "end"
  /** Its id of a post, where that is not the test network's own. */
  readonly idOf?: (publication: Publication) => string
}

/** One kind of post on one of them. */
export interface Row
  extends
    Walk,
    Adapter,
    Required<Omit<AdapterCalls, "lookup" | "key" | "doubts">>,
    Pick<AdapterCalls, "lookup" | "key" | "doubts"> {
  readonly login: string
}

const instagram: Adapter["make"] = (client, app) =>
  makeInstagram(client, {
    apps: { instagram: app, facebook: app },
    version: "v25.0",
    stand_in: true,
    settle_wait: Duration.seconds(1)
  })
const messageId = ({ details }: Publication) => String(details?.["message_id"])
const at = (url: string) => (host: string) => `${url}/${host}`

const adapters: Readonly<Record<string, Adapter>> = {
  sandbox: { tokens: "session", make: (client, _app, url) => makeSandbox(client, url) },
  telegram: {
    tokens: "last",
    idOf: messageId,
    make: (client, _app, url) =>
      makeTelegram(client, { api: "https://api.telegram.org", test_network: at(url) })
  },
  discord: {
    tokens: "last",
    idOf: messageId,
    make: (client, _app, url) =>
      makeDiscord(client, {
        public_url: "https://carillon.test",
        at: () => "http://127.0.0.1:9",
        test_network: at(url)
      })
  },
  bluesky: {
    tokens: "session",
    idOf: ({ details }) => String(details?.["uri"]),
    make: (client, _app, url) =>
      makeBluesky(client, client, {
        video_service: "https://video.bsky.app",
        plc_directory: "https://plc.example",
        handle_resolver: "https://resolver.example",
        allow_http: false,
        download: () => Effect.die("no text here has a link"),
        test_network: { client, at: at(url) }
      })
  },
  tiktok: { tokens: "session", needed: ["video.publish"], make: makeTikTok },
  instagram: { tokens: "end", needed: ["instagram_business_content_publish"], make: instagram },
  facebook: { tokens: "end", needed: ["pages_read_engagement"], make: instagram },
  google: {
    tokens: "session",
    // The same number, in eleven characters.
    idOf: ({ id }) => Buffer.from(BigInt(id).toString(16).padStart(16, "0"), "hex").toString("base64url"),
    needed: ["youtube.upload", "/youtube"],
    make: (client, app) => makeYouTube(client, app, { take: () => Effect.void })
  },
  pinterest: { tokens: "session", needed: ["pins:write"], make: makePinterest },
  mastodon: {
    tokens: "last",
    needed: ["write:statuses"],
    make: (client, _app, url) =>
      makeMastodon(client, {
        allow_http: false,
        test_network: { client, at: at(url) },
        apps: { obtain: (_place, _isKnown, register) => register, admit: () => Effect.void },
        website: "http://127.0.0.1:9"
      })
  }
}

const rowOf = (walk: Walk & { readonly adapter: AdapterCalls }): Row => {
  const login = walk.signIn?.login ?? walk.network
  const usual = { unheard_of: {}, without_answer: [], ending: "", film_bytes: () => 10 }
  return { ...walk, login, ...adapters[login]!, ...usual, ...walk.adapter }
}

/** What no person posts to: it honours keys, or can be searched, or neither. */
const onTheSandbox = (what: string, rest: Partial<Walk>, calls: Partial<AdapterCalls>) =>
  rowOf({
    what: `files on a sandbox that ${what}`,
    network: "sandbox",
    typed: typedAt.sandbox,
    media: ["square", "upright"],
    options: () => ({}),
    published: { text: caption },
    details: () => ({}),
    types: ["image/jpeg", "image/jpeg"],
    ...rest,
    adapter: { calls: { media: "before", media_status: "waited", post: "commit" }, ...calls }
  })

/** Through which no message of Discord shows its nonce. */
const forgetful = (client: HttpClient.HttpClient) =>
  HttpClient.transform(client, (answer, request) =>
    Effect.flatMap(answer, (response) =>
      Effect.map(response.text, (text) =>
        HttpClientResponse.fromWeb(
          request,
          new Response(response.status === 204 ? null : text.replaceAll('"nonce":', '"forgotten":'), {
            status: response.status,
            headers: new Headers({ ...response.headers })
          })
        )
      )
    )
  )

const ofWalks = walks.flatMap(({ adapter, ...walk }) =>
  adapter === undefined ? [] : [rowOf({ ...walk, adapter })]
)

/** The test network loses the files of a message whose connection is cut. */
const texts = ofWalks
  .filter(({ network }) => network === "discord")
  .map((row): Row => ({
    ...row,
    what: row.what.replace(/^.+ on/, "a text on"),
    media: [],
    options: () => ({}),
    types: [],
    unheard_of: {}
  }))

export const rows: ReadonlyArray<Row> = [
  onTheSandbox("honours keys", {}, { key: "lasts" }),
  onTheSandbox(
    "can be searched",
    { media: ["film"], types: ["video/mp4"] },
    { ending: "-lookup", lookup: { on: "post_search", before: 0 } }
  ),
  onTheSandbox("does neither", { silent: true }, { ending: "-none" }),
  ...ofWalks,
  ...texts,
  ...texts
    .filter(({ silent }) => silent !== true)
    .map((row) => ({
      ...row,
      what: `${row.what} that does not show its key`,
      make: (client: HttpClient.HttpClient, app: ConnectedApp, url: string) =>
        row.make(forgetful(client), app, url)
    }))
]

const bytes = new Uint8Array(20 * 1024 * 1024).fill(7)

const jpeg = (id: string) =>
  image(id, {
    image: Effect.succeed({
      bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]),
      mime_type: "image/jpeg",
      width: 1000,
      height: 1500
    })
  })

/** As the service resolves it; media that the platform fetches have addresses below `host`. `on`: the call that a test is about. */
export const postOf = (
  { extra, film_bytes, media, network, options: optionsOf }: Row,
  boards: ReadonlyArray<Board>,
  host: string,
  on: string
): Partial<PublishRequest> => {
  const size = film_bytes(on)
  const given = optionsOf(extra === undefined ? undefined : "01938f4a-0000-7000-8000-000000000001", boards)
  const { board_ids, cover_image, thumbnail, ...options }: any = Schema.decodeSync(platformOptions[network])(
    given
  )
  return {
    caption,
    media: media.map((file, index) => ({
      ...(file === "film"
        ? video("film", Stream.succeed(bytes.subarray(0, size)), size)
        : jpeg(String(index))),
      public_url: Effect.succeed(`${host}/${index}.${file === "film" ? "mp4" : "jpg"}`)
    })),
    cover: (cover_image ?? thumbnail) === undefined ? null : jpeg("cover"),
    board_id: board_ids?.[0] ?? null,
    options
  }
}
