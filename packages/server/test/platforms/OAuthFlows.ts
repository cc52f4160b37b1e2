import { platformOptions } from "@carillon/domain"
import { makeInstagram } from "@carillon/server/platforms/instagram/Instagram"
import { makeMastodon } from "@carillon/server/platforms/mastodon/Mastodon"
import { makePinterest } from "@carillon/server/platforms/pinterest/Pinterest"
import type { ConnectedApp } from "@carillon/server/platforms/ConnectedApp"
import type { Platform, PublishRequest } from "@carillon/server/platforms/Platform"
import { makeTikTok } from "@carillon/server/platforms/tiktok/TikTok"
import { makeYouTube } from "@carillon/server/platforms/youtube/YouTube"
import { type AdapterCalls, type Board, caption, type Walk, walks } from "@carillon/testing/Walks"
import { Duration, Effect, Schema, Stream } from "effect"
import type { HttpClient } from "effect/http"
import { image, video } from "./TestRequest.ts"

/** A platform whose accounts are connected in the browser. */
interface Login {
  readonly make: (client: HttpClient.HttpClient, app: ConnectedApp) => Platform
  /** The ends of scopes of which one is needed to publish; the first is asked for where none was granted. */
  readonly needed: ReadonlyArray<string>
  /** Its tokens never end, and the app is none of the operator's. */
  readonly lasting?: true
}

/** One kind of post on one of them. */
export interface Flow
  extends Walk, Login, Required<Omit<AdapterCalls, "lookup">>, Pick<AdapterCalls, "lookup"> {
  readonly login: string
}

const instagram: Login["make"] = (client, app) =>
  makeInstagram(client, {
    apps: { instagram: app, facebook: app },
    version: "v25.0",
    stand_in: true,
    settle_wait: Duration.seconds(1)
  })

const logins: Readonly<Record<string, Login>> = {
  tiktok: { needed: ["video.publish"], make: makeTikTok },
  instagram: { needed: ["instagram_business_content_publish"], make: instagram },
  facebook: { needed: ["pages_read_engagement"], make: instagram },
  google: {
    needed: ["youtube.upload", "/youtube"],
    make: (client, app) => makeYouTube(client, app, { take: () => Effect.void })
  },
  pinterest: { needed: ["pins:write"], make: makePinterest },
  mastodon: {
    needed: ["write:statuses"],
    lasting: true,
    make: (client, { at }) =>
      makeMastodon(client, {
        allow_http: false,
        test_network: { client, at },
        apps: { obtain: (_place, _isKnown, register) => register, admit: () => Effect.void },
        website: "http://127.0.0.1:9"
      })
  }
}

export const flows = walks.flatMap((walk): ReadonlyArray<Flow> => {
  if (walk.adapter === undefined) return []
  const login = walk.signIn?.login ?? walk.network
  const usual = { unheard_of: {}, without_answer: [], ending: "", film_bytes: () => 10 }
  return [{ ...walk, login, ...logins[login]!, ...usual, ...walk.adapter }]
})

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
  { extra, film_bytes, media, network, options: optionsOf }: Flow,
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
