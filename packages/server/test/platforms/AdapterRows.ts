import { platformOptions } from "@carillon/domain"
import type { ConnectedApp } from "@carillon/server/platforms/ConnectedApp"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { typedAt } from "@carillon/testing/ConnectedAccount"
import { type AdapterCalls, type Board, caption, type Walk, walks } from "@carillon/testing/Walks"
import { Effect, Schema, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { type Adapter, adapters } from "./Adapters.ts"
import { document, image, video } from "./TestRequest.ts"

/** One kind of post, with the adapter that publishes it. */
export interface Row
  extends Walk, Omit<Adapter, "network">, Required<Pick<AdapterCalls, Usual>>, Omit<AdapterCalls, Usual> {}

/** What a row leaves out if it is as usual. */
type Usual = "calls" | "unheard_of" | "without_answer" | "ending" | "film_bytes"

const rowOf = (walk: Walk & { readonly adapter: AdapterCalls }): Row => {
  const login = walk.signIn?.login
  const adapter =
    Object.values(adapters).find((one) => one.network === walk.network && one.login === login) ??
    adapters[walk.network]
  const usual = { unheard_of: {}, without_answer: [], ending: "", film_bytes: () => 10 }
  return { ...adapter, ...walk, ...usual, ...walk.adapter }
}

/** Posts on the network that is for tests alone: it honours keys, can be searched, or does neither. */
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

/** A client that hides the nonce of Discord's messages. */
export const forgetful = (client: HttpClient.HttpClient) =>
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

/** Without files, a message of Discord goes out as JSON instead of a form. */
const texts = ofWalks
  .filter(({ ending, network }) => network === "discord" && ending === "")
  .map((row): Row => ({
    ...row,
    what: row.what.replace(/^.+ on/, "a text on"),
    media: [],
    options: () => ({}),
    types: []
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
  const given = optionsOf(
    extra === undefined ? undefined : "01938f4a-0000-7000-8000-000000000001",
    boards,
    host
  )
  const {
    board_ids,
    caption: own,
    cover_image,
    thumbnail,
    ...options
  }: any = Schema.decodeSync(platformOptions[network])(given)
  return {
    caption: own ?? caption,
    media: media.map((file, index) => ({
      ...(file === "film"
        ? video("film", Stream.succeed(bytes.subarray(0, size)), size)
        : file === "paper"
          ? document("paper", new TextEncoder().encode("%PDF-1.7\n%%EOF\n"))
          : jpeg(String(index))),
      alt_text: (Array.isArray(options.alt_text) ? options.alt_text[index] : options.alt_text) ?? null,
      public_url: Effect.succeed(`${host}/${index}.${file === "film" ? "mp4" : "jpg"}`)
    })),
    cover: (cover_image ?? thumbnail) === undefined ? null : jpeg("cover"),
    board_id: board_ids?.[0] ?? null,
    options
  }
}
