import type { Fault } from "@carillon/sandbox/testing"
import type { Handle } from "@carillon/server/engine/Handle"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { likenessTo } from "@carillon/server/platforms/pinterest/BoardPins"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Chunk, DateTime, Effect, Layer, Redacted, Stream } from "effect"
import type { HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { adapters } from "./Adapters.ts"
import {
  carouselTranscript,
  coverTranscript,
  imageTranscript,
  videoTranscript
} from "./PinterestTranscripts.ts"
import { publisher, publisherOf, signedIn, somebody } from "./Publisher.ts"
import { image, live, noneTaken, request, video } from "./TestRequest.ts"
import { recorded } from "./Wiretap.ts"

const scopes = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"]
const secret = ["boards:read_secret", "pins:read_secret", "pins:write_secret"]
const jpeg = (size = 40) => new Uint8Array(size).map((_, index) => [0xff, 0xd8, 0xff][index] ?? index % 251)
const png = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1")

const picture = (id: string, bytes: Uint8Array = jpeg(), mime_type = "image/jpeg", alt?: string) =>
  image(id, {
    alt_text: alt ?? null,
    image: Effect.succeed({ bytes, mime_type, width: 1000, height: 1500 })
  })

const mebibyte = 1024 * 1024
const frames = new Uint8Array(mebibyte).map((_, index) => index % 253)

/** A video of so many mebibytes. */
const film = (mebibytes = 2) => {
  const hash = createHash("sha256")
  for (let left = mebibytes; left > 0; left--) hash.update(frames)
  const chunks = Stream.fromIterable(Array.from({ length: mebibytes }, () => frames))
  return { media: video("film", chunks, mebibytes * mebibyte), sha256: hash.digest("hex") }
}

interface OfferedBoard {
  readonly id: string
  readonly name: string
  readonly privacy: string
  readonly sections: ReadonlyArray<{ readonly id: string }>
}

/** An account of its own with what is needed to publish for it, and what its adapter sent but to read its boards. */
const connected = Effect.fn(function* (values: Partial<PublishRequest> = {}, ending = "") {
  const sent: Array<HttpClientRequest.HttpClientRequest> = []
  const person = yield* somebody(
    { ...adapters.pinterest, ending },
    { through: (client) => recorded(client, sent) }
  )
  const account = yield* signedIn(person)
  const before = sent.length
  const boards = (yield* person.platform.choices!(account.credentials, account.remote_id))[
    "board_ids"
  ] as unknown as ReadonlyArray<OfferedBoard>
  sent.splice(before)
  const own = yield* publisherOf(person, account, {
    caption: "In the valley",
    media: [picture("a")],
    board_id: boards[0]!.id,
    due_at: yield* now,
    ...values
  })
  return { ...own, boards, sent, commit: (handle: Handle) => Effect.map(own.commit(handle), live) }
})

/** The stand-in works in its own time. */
const now = TestClock.withLive(DateTime.now)

/** Method, address, kind of authorization and body of each request, without what is new each time. */
const transcript = Effect.fnUntraced(function* (
  sent: ReadonlyArray<HttpClientRequest.HttpClientRequest>,
  base: string,
  names: Readonly<Record<string, string>>
) {
  const neutral = (text: string) =>
    Object.entries(names).reduce((rest, [id, name]) => rest.replaceAll(id, name), text)
  return yield* Effect.forEach(sent, ({ method, url, headers, body, urlParams }) =>
    Effect.gen(function* () {
      const query = new URLSearchParams(
        [...urlParams].map(([name, value]): [string, string] => [name, String(value)])
      ).toString()
      const address = `${url.replace(`${base}/`, "https://")}${query === "" ? "" : `?${query}`}`
      const authorization = headers["authorization"]?.split(" ")[0]
      const text =
        body._tag === "Stream"
          ? Buffer.concat(Chunk.toArray(Chunk.fromIterable(yield* Stream.runCollect(body.stream)))).toString(
              "latin1"
            )
          : body._tag === "Uint8Array"
            ? Buffer.from(body.body).toString("utf8")
            : null
      if (body._tag === "Stream") assert.strictEqual(text!.length, Number(body.contentLength))
      const type = "contentType" in body ? body.contentType?.split(";")[0] : undefined
      return {
        call: neutral(`${method} ${address}`),
        ...(type === undefined ? {} : { type }),
        ...(authorization === undefined ? {} : { authorization }),
        ...(text === null
          ? {}
          : {
              body:
                type === "multipart/form-data"
                  ? [...text.matchAll(/form-data; name="([^"]+)"/g)].map(([, name]) => name!)
                  : type === "application/json"
                    ? JSON.parse(neutral(text), (key, value: unknown) =>
                        /^(data|cover_image_data)$/.test(key) ? "…" : value
                      )
                    : text.replace(/(code|redirect_uri)=[^&]+/g, "$1=…")
            })
      }
    })
  )
})

layer(Layer.merge(SharedSandbox, NodeHttpClient.layerUndici))("Pinterest", (it) => {
  describe("connect and refresh", () => {
    it.effect("asks for boards and pins, secret ones too", () =>
      Effect.gen(function* () {
        const { pathname, searchParams } = (yield* somebody(adapters.pinterest)).page!
        assert.isTrue(pathname.endsWith("/www.pinterest.com/oauth/"))
        assert.deepStrictEqual(Object.fromEntries(searchParams), {
          client_id: "1234-app.apps.googleusercontent.com",
          redirect_uri: "http://127.0.0.1:9/oauth/callback/pinterest",
          response_type: "code",
          scope: [...scopes, ...secret].join(","),
          state: "state"
        })
      })
    )

    it.effect("connects without secret boards, and with the only board as the default", () =>
      Effect.gen(function* () {
        const { account, username } = yield* publisher(
          { ...adapters.pinterest, ending: ".berg" },
          {},
          { granted: scopes }
        )
        assert.match(account.remote_id, /^\d{17,}$/)
        assert.strictEqual(account.username, username)
        assert.match(account.display_name!, /^Somebody\d+ Berg$/)
        assert.notProperty(account, "default_board_id")
        const alone = yield* publisher({ ...adapters.pinterest, ending: "-oneboard" })
        assert.match(alone.account.default_board_id!, /^\d+$/)
      })
    )

    it.effect("keeps the new refresh token of each refresh; an old one means to connect again", () =>
      Effect.gen(function* () {
        const { platform, credentials, post } = yield* connected()
        const renewed = yield* platform.refresh(credentials)
        const again = yield* platform.refresh(renewed.credentials)
        assert.isNotNull(again.token_expires_at)
        assert.isDefined(again.access_expires_at)
        const { handle } = yield* platform.prepare(post, again.credentials, null, () => Effect.void)
        assert.isString(live(yield* platform.commit(post, again.credentials, handle)).id)
        const error = yield* Effect.flip(platform.refresh(credentials))
        assert.deepInclude(error, { class: "reconnect", code: "invalid_grant" })
      })
    )

    it.effect("tells every board of an account, with the sections of the first ones", () =>
      Effect.gen(function* () {
        const { boards } = yield* connected({}, "-manyboards")
        assert.lengthOf(boards, 303)
        assert.deepInclude(boards[2], { name: "Surprises", privacy: "SECRET", sections: [] })
        assert.lengthOf(boards[0]!.sections, 2)
        assert.notProperty(boards[20], "sections")
      })
    )
  })

  describe("looks that only help a choice", () => {
    it.effect("an account is connected though its boards cannot be read, then without a default", () =>
      Effect.gen(function* () {
        const person = yield* somebody({ ...adapters.pinterest, ending: "-oneboard" })
        yield* person.network.script(person.username, [{ on: "boards", fault: "long_answer" }])
        const account = yield* signedIn(person)
        assert.strictEqual(account.username, person.username)
        assert.notProperty(account, "default_board_id")
      })
    )

    it.effect("a board is offered though its sections cannot be read", () =>
      Effect.gen(function* () {
        const { platform, credentials, script } = yield* connected()
        yield* script({ on: "boards", fault: "slow", ms: 0 }, { on: "boards", fault: "forbidden", times: 3 })
        const { board_ids } = yield* platform.choices!(credentials, "")
        const offered = board_ids as unknown as ReadonlyArray<OfferedBoard>
        assert.deepStrictEqual(
          offered.map(({ name, sections }) => [name, sections]),
          [
            ["Ideas", []],
            ["Recipes", []],
            ["Surprises", []]
          ]
        )
      })
    )
  })

  describe("publish", () => {
    const written = Effect.fnUntraced(function* (values: Partial<PublishRequest>) {
      const network = yield* connected(values)
      const { prepare, commit, url, sent, boards, publications } = network
      const { handle } = yield* prepare()
      assert.lengthOf(yield* publications, 0)
      const data = yield* commit(handle)
      const media = handle["media_id"] as string | undefined
      const names = { [boards[0]!.id]: "BOARD", ...(media === undefined ? {} : { [media]: "MEDIA" }) }
      const requests = yield* transcript(sent, url, names)
      const [publication, ...others] = yield* publications
      assert.lengthOf(others, 0)
      assert.isTrue(data.url!.endsWith(`/www.pinterest.com/pin/${data.id}/`))
      return { ...network, requests, publication: publication! }
    })

    it.effect("makes these requests and no others for an image", () =>
      Effect.gen(function* () {
        const bytes = jpeg(300_001)
        const options = { title: "Bells", link: "https://example.com/bells" }
        const { post, platform, credentials, boards, sent, url, publications } = yield* connected({
          media: [picture("a", bytes, "image/jpeg", "A bell")]
        })
        const section = boards[0]!.sections[0]!.id
        const own = { ...post, options: { ...options, board_section_id: section } }
        const { handle } = yield* platform.prepare(own, credentials, null, () => Effect.void)
        yield* platform.commit(own, credentials, handle)
        const names = { [section]: "7", [boards[0]!.id]: "BOARD" }
        assert.deepStrictEqual(yield* transcript(sent, url, names), imageTranscript)
        const [publication] = yield* publications
        assert.strictEqual(publication!.media[0]!.sha256, createHash("sha256").update(bytes).digest("hex"))
        assert.deepInclude(publication!.details, { board_section_id: section, link: options.link })
      })
    )

    it.effect("a pin of several images is published", () =>
      Effect.gen(function* () {
        const { requests, publication } = yield* written({
          media: [picture("a"), picture("b", png, "image/png")]
        })
        assert.deepStrictEqual(requests, carouselTranscript)
        assert.deepStrictEqual(
          publication.media.map(({ content_type }) => content_type),
          ["image/jpeg", "image/png"]
        )
      })
    )

    it.effect("a pin of a video is published with a frame as its cover", () =>
      Effect.gen(function* () {
        const { media, sha256 } = film()
        const { requests, publication } = yield* written({
          media: [media],
          options: { video_cover_timestamp_ms: 2900 }
        })
        assert.deepStrictEqual(requests, videoTranscript)
        assert.strictEqual(publication.media[0]!.sha256, sha256)
      })
    )

    it.effect("a pin of a video is published with an image as its cover", () =>
      Effect.gen(function* () {
        const { requests } = yield* written({
          media: [film().media],
          cover: picture("cover"),
          options: { video_cover_timestamp_ms: 2900 }
        })
        assert.deepStrictEqual(requests, coverTranscript)
      })
    )

    it.effect("puts pins on secret boards", () =>
      Effect.gen(function* () {
        const { platform, post, credentials, boards, publications } = yield* connected()
        const hidden = { ...post, board_id: boards[2]!.id }
        const { handle } = yield* platform.prepare(hidden, credentials, null, () => Effect.void)
        yield* platform.commit(hidden, credentials, handle)
        assert.strictEqual((yield* publications)[0]!.details!["board_id"], boards[2]!.id)
      })
    )

    it.effect("joins the texts of several images, of which a pin has one", () =>
      Effect.gen(function* () {
        const { publication } = yield* written({
          media: [
            picture("a", jpeg(), "image/jpeg", "A bell"),
            picture("b", jpeg(), "image/jpeg", "Another"),
            picture("c", jpeg(), "image/jpeg", "A bell")
          ]
        })
        assert.strictEqual(publication.media[0]!.alt_text, "A bell\nAnother")
      })
    )

    it.effect("says of a video that Pinterest fails to process what is wrong with it", () =>
      Effect.gen(function* () {
        const { prepare, poll, script } = yield* connected({ media: [film().media] })
        yield* script({ on: "media", fault: "processing", polls: 1, becomes: "failed" })
        const { handle } = yield* prepare()
        assert.strictEqual((yield* Effect.flip(poll(handle))).code, "video_failed")
      })
    )

    it.effect("sends a video again whose upload broke off, and not one that arrived", () =>
      Effect.gen(function* () {
        const { prepare, saved, script, requests, publications, commit } = yield* connected({
          media: [film().media]
        })
        const uploads = Effect.map(
          requests,
          (requests) => requests.filter(({ operation }) => operation === "media").length
        )
        yield* script({ on: "media", fault: "reset_before" })
        yield* Effect.flip(prepare())
        const announced = (yield* saved).at(-1)!
        assert.notProperty(announced, "uploaded")
        assert.notInclude(JSON.stringify(yield* saved), "amz")
        yield* script({ on: "media", fault: "effect_then_lost_reply" })
        yield* Effect.flip(prepare(announced))
        const arrived = (yield* saved).at(-1)!
        const { _tag, handle } = yield* prepare(arrived)
        assert.deepStrictEqual([_tag, yield* uploads], ["ready", 2])
        yield* commit(handle)
        assert.lengthOf(yield* publications, 1)
      })
    )

    it.effect("begins anew when the form has run out or the video is forgotten", () =>
      Effect.gen(function* () {
        const { prepare, poll, script } = yield* connected({ media: [film().media] })
        yield* script({ on: "upload_start", fault: "short_lived", seconds: 0 })
        const expired = yield* Effect.flip(prepare())
        assert.deepInclude(expired, {
          class: "transient",
          code: "upload_not_taken",
          discard_handle: true
        })
        const gone = yield* Effect.flip(poll({ seen: [], media_id: "1", uploaded: true }))
        assert.deepInclude(gone, { class: "transient", discard_handle: true })
      })
    )

    it.effect("finds out ahead of the time that the board is gone", () =>
      Effect.gen(function* () {
        const { prepare, publications } = yield* connected({ board_id: "123" })
        assert.deepInclude(yield* Effect.flip(prepare()), { class: "invalid", code: "board_not_found" })
        assert.lengthOf(yield* publications, 0)
      })
    )
  })

  describe("what goes wrong", () => {
    it.effect(
      "a look at the board before that fails does not stop the pin, and then a pin proves nothing",
      () =>
        Effect.gen(function* () {
          const { prepare, commit, reconcile, script, publications } = yield* connected()
          yield* script({ on: "post_search", fault: "forbidden" })
          const { handle } = yield* prepare()
          assert.deepStrictEqual(handle, { seen: null })
          yield* commit(handle)
          assert.lengthOf(yield* publications, 1)
          assert.deepStrictEqual(yield* reconcile(handle), { _tag: "unknown" })
          assert.lengthOf(((yield* prepare(handle)).handle as { seen: ReadonlyArray<string> }).seen, 1)
        })
    )

    it.effect.each([
      { on: "media", fault: "refuse", status: 400 },
      { on: "media", fault: "forbidden" },
      { on: "media", fault: "rate_limited" }
    ] satisfies ReadonlyArray<Fault>)("an upload that the store refuses begins anew: $fault", (fault) =>
      Effect.gen(function* () {
        const { prepare, script, publications, saved } = yield* connected({ media: [film(1).media] })
        yield* script(fault)
        const error = yield* Effect.flip(prepare())
        assert.strictEqual(error.class, "transient")
        const { _tag } = yield* prepare(error.discard_handle === true ? null : (yield* saved).at(-1)!)
        assert.strictEqual(_tag, "ready")
        assert.lengthOf(yield* publications, 0)
      })
    )
  })

  describe("after a commit that stayed open", () => {
    it.effect("a board of which 250 pins are more than a mebibyte takes a pin, and tells of it", () =>
      Effect.gen(function* () {
        const { prepare, commit, reconcile, url, credentials, boards, script } = yield* connected(
          {},
          "-carousels"
        )
        const { access_token } = Redacted.value(credentials) as { readonly access_token: string }
        const page = yield* Effect.promise(async () => {
          const address = `${url}/api.pinterest.com/v5/boards/${boards[0]!.id}/pins?page_size=250`
          return (await fetch(address, { headers: { authorization: `Bearer ${access_token}` } })).text()
        })
        assert.isAbove(page.length, mebibyte)
        const { handle } = yield* prepare()
        assert.deepStrictEqual(handle, { seen: [] })
        yield* script({ on: "post", fault: "reset_before" }, { on: "post", fault: "effect_then_lost_reply" })
        yield* Effect.flip(commit(handle))
        assert.deepStrictEqual(yield* reconcile(handle), { _tag: "not_published" })
        yield* Effect.flip(commit(handle))
        assert.strictEqual((yield* reconcile(handle))._tag, "published")
      })
    )

    it.effect("nobody can tell when two pins look alike, or one looks a little so", () =>
      Effect.gen(function* () {
        const { prepare, commit, reconcile, platform, post, credentials } = yield* connected({
          options: { title: "Bells" }
        })
        const { handle } = yield* prepare()
        yield* platform.commit({ ...post, caption: "Elsewhere" }, credentials, handle)
        assert.deepStrictEqual(yield* reconcile(handle), { _tag: "unknown" })
        yield* commit(handle)
        assert.strictEqual((yield* reconcile(handle))._tag, "published")
        yield* commit(handle)
        assert.deepStrictEqual(yield* reconcile(handle), { _tag: "unknown" })
      })
    )

    it.effect("pins of another time prove nothing either way", () =>
      Effect.gen(function* () {
        const { prepare, commit, platform, post, credentials } = yield* connected()
        const { handle } = yield* prepare()
        yield* commit(handle)
        const later = { ...post, due_at: DateTime.add(post.due_at, { minutes: 10 }) }
        assert.deepStrictEqual(yield* platform.reconcile(later, credentials, handle, noneTaken), {
          _tag: "not_published"
        })
      })
    )
  })
})

describe("what a pin looks like", () => {
  const likeness = likenessTo(
    request({ caption: "In the  valley", options: { title: "Bells", link: "https://example.com/bells/" } })
  )

  test.each([
    [{ title: "Bells", description: "In the valley ", link: "https://example.com/bells" }, "alike"],
    [{ title: "Bells", description: "In the valley", link: null }, "perhaps"],
    [{ title: null, description: "In the valley" }, "perhaps"],
    [{ title: "Owls", description: "At night", link: "https://example.com/owls" }, "other"],
    [{}, "other"]
  ] as const)("what a pin looks like: %j is %s", (pin, expected) => {
    assert.strictEqual(likeness(pin), expected)
  })
})
