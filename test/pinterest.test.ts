import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import sharp from "sharp"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { create, eventually, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { sixSeconds } from "@carillon/testing/Videos"

const webp = (color: string) =>
  Effect.promise(() =>
    sharp({ create: { width: 1000, height: 1500, channels: 3, background: color } })
      .webp()
      .toBuffer()
  )

const uploadImage = Effect.fnUntraced(function* (color = "teal") {
  const service = yield* Service
  return yield* service.upload(yield* webp(color), "image/webp", `${color}.webp`)
})

const uploadVideo = Effect.fnUntraced(function* (bytes = 0) {
  const service = yield* Service
  return yield* service.upload(yield* sixSeconds(bytes), "video/mp4", "film.mp4")
})

interface Board {
  readonly id: string
  readonly name: string
  readonly sections: ReadonlyArray<{ readonly id: string }>
}

/** A connected account and the boards that it offers. */
const connected = Effect.fnUntraced(function* (username: string) {
  const service = yield* Service
  const sandbox = (yield* SandboxProcess).on("pinterest")
  const [account] = yield* connectInBrowser("pinterest", username)
  const { body } = yield* service.call("GET", `/v1/social-accounts/${account}/options`)
  return {
    account: account!,
    boards: body.choices.board_ids as ReadonlyArray<Board>,
    sandbox,
    publications: sandbox.publications(username)
  }
})

const boardsOf = (post: { readonly results: ReadonlyArray<{ readonly board_id: string | null }> }) =>
  post.results.map(({ board_id }) => board_id)

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })("Pinterest", (it) => {
  it.effect("gets a pin with all that belongs to it, and a link to it", () =>
    Effect.gen(function* () {
      const { account, boards, publications } = yield* connected("bells")
      const [board] = boards
      const section = board!.sections[0]!.id
      const { id } = yield* create({
        social_accounts: [account],
        caption: "In the valley",
        media: [yield* uploadImage()],
        platform_configurations: {
          pinterest: {
            title: "Evening bells",
            link: "https://example.com/bells",
            alt_text: "A bell",
            board_ids: [board!.id],
            board_section_id: section
          }
        }
      })
      const post = yield* settled(id)
      assert.strictEqual(post.status, "published", JSON.stringify(post.results))
      const [publication, ...others] = yield* publications
      assert.lengthOf(others, 0)
      assert.deepInclude(publication, { title: "Evening bells", text: "In the valley" })
      assert.deepInclude(publication!.details, {
        board_id: board!.id,
        board_section_id: section,
        link: "https://example.com/bells",
        source_type: "image_base64"
      })
      // Pinterest takes no WebP in a request.
      assert.deepInclude(publication!.media[0], { content_type: "image/jpeg", alt_text: "A bell" })
      const { url, username } = post.results[0].platform_data
      assert.strictEqual(username, "bells")
      const page = yield* Effect.promise(() => fetch(url))
      assert.isTrue(page.url.endsWith(`/posts/${publication!.id}`))
    })
  )

  it.effect("gets several images as one pin, and a video with a cover", () =>
    Effect.gen(function* () {
      const { account, boards, publications } = yield* connected("mixed")
      const pin = (media: ReadonlyArray<string>, options: object = {}) =>
        Effect.flatMap(
          create({
            social_accounts: [account],
            media,
            platform_configurations: { pinterest: { board_ids: [boards[1]!.id], ...options } }
          }),
          ({ id }) => settled(id)
        )
      const row = yield* pin([yield* uploadImage("teal"), yield* uploadImage("red")])
      const film = yield* pin([yield* uploadVideo()], { cover_image: yield* uploadImage() })
      const frame = yield* pin([yield* uploadVideo()], { video_cover_timestamp_ms: 500 })
      assert.deepStrictEqual(
        [row, film, frame].map(({ status }) => status),
        ["published", "published", "published"],
        JSON.stringify([row, film, frame].map(({ results }) => results[0].error))
      )
      assert.deepStrictEqual(
        (yield* publications).map(({ details, media }) => [details!["source_type"], media.length]),
        [
          ["multiple_image_base64", 2],
          ["video_id", 1],
          ["video_id", 1]
        ]
      )
    })
  )

  it.effect(
    "gets a pin for each board, each with its own outcome, of which the failed one goes out again",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { account, boards, sandbox, publications } = yield* connected("many")
        const ids = boards.slice(0, 2).map(({ id }) => id)
        const wanted = [ids[1]!, "123", ids[0]!]
        const { id, results } = yield* create({
          social_accounts: [account],
          caption: "On three boards",
          media: [yield* uploadImage()],
          platform_configurations: { pinterest: { board_ids: wanted } }
        })
        assert.deepStrictEqual(boardsOf({ results }), wanted)
        const post = yield* settled(id)
        assert.strictEqual(post.status, "published")
        assert.deepInclude(post.progress, { total: 3, published: 2, failed: 1 })
        assert.deepStrictEqual(
          post.results.map((result: any) => [result.board_id, result.status, result.error?.class]),
          [
            [ids[1], "published", undefined],
            ["123", "failed", "invalid"],
            [ids[0], "published", undefined]
          ]
        )
        assert.sameMembers(
          (yield* publications).map(({ details }) => details!["board_id"]),
          ids
        )
        const list = yield* service.call("GET", `/v1/post-results?post_id=${id}`)
        assert.strictEqual(list.body.meta.total, 3)
        const posts = yield* service.call("GET", "/v1/posts?platform=pinterest&limit=200")
        assert.lengthOf(
          posts.body.data.filter((one: any) => one.id === id),
          1
        )

        const again = yield* service.call("POST", `/v1/posts/${id}/retry`, {})
        assert.strictEqual(again.status, 200, JSON.stringify(again.body))
        yield* settled(id)
        assert.lengthOf(yield* publications, 2)

        yield* sandbox.script("many", [
          { on: "post", fault: "refuse", status: 400, code: "1", message: "Too many images." }
        ])
        const other = yield* create({
          social_accounts: [account],
          caption: "On two boards",
          media: [yield* uploadImage()],
          platform_configurations: { pinterest: { board_ids: ids } }
        })
        const half = yield* settled(other.id)
        assert.deepInclude(half.progress, { published: 1, failed: 1 })
        yield* service.call("POST", `/v1/posts/${other.id}/retry`, {})
        const whole = yield* eventually(other.id, ({ progress }) => progress.published === 2)
        assert.sameMembers(boardsOf(whole), ids)
        assert.lengthOf(yield* publications, 4)
      })
  )

  it.effect("is moved to other boards by a PATCH", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { account, boards, publications } = yield* connected("moved")
      const [a, b, c] = boards.map(({ id }) => id)
      const { id, results } = yield* create({
        social_accounts: [account],
        caption: "Moved",
        media: [yield* uploadImage()],
        platform_configurations: { pinterest: { board_ids: [a, b] } },
        scheduled_at: inSeconds(3600)
      })
      const to = (board_ids: ReadonlyArray<unknown>) =>
        service.call("PATCH", `/v1/posts/${id}`, { platform_configurations: { pinterest: { board_ids } } })
      const moved = yield* to([c, b])
      assert.deepStrictEqual([moved.status, boardsOf(moved.body)], [200, [c, b]])
      // The pin on the board that stays is still the same result.
      assert.strictEqual(moved.body.results[1].id, results[1].id)
      const twice = yield* to([a, a])
      assert.deepStrictEqual([twice.status, twice.body.errors[0].rule], [400, "boards_differ"])
      yield* service.call("PATCH", `/v1/posts/${id}`, { scheduled_at: null })
      assert.strictEqual((yield* settled(id)).status, "published")
      assert.sameMembers(
        (yield* publications).map(({ details }) => details!["board_id"]),
        [b, c]
      )
    })
  )

  it.effect("goes to the account's default board, and without one says which boards there are", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { account, boards, publications } = yield* connected("undecided")
      const post = { social_accounts: [account], caption: "Where?", media: [yield* uploadImage()] }
      const path = `/v1/social-accounts/${account}`
      for (const target of ["/v1/posts", "/v1/posts/validate"]) {
        const refused = yield* service.call("POST", target, post)
        assert.deepStrictEqual([refused.status, refused.body.code], [400, "board_required"])
        for (const { id, name } of boards) assert.include(refused.body.detail, `${id} (${name})`)
      }
      const wrong = yield* service.call("PATCH", path, { default_board_id: "123" })
      assert.deepStrictEqual([wrong.status, wrong.body.code], [400, "board_not_found"])
      const chosen = yield* service.call("PATCH", path, { default_board_id: boards[1]!.id })
      assert.deepStrictEqual([chosen.status, chosen.body.default_board_id], [200, boards[1]!.id])
      const created = yield* create(post)
      assert.deepStrictEqual(boardsOf(created), [boards[1]!.id])
      assert.strictEqual((yield* settled(created.id)).status, "published")
      assert.strictEqual((yield* publications)[0]!.details!["board_id"], boards[1]!.id)

      // Connecting again keeps what was chosen; with one board there is nothing to choose.
      yield* connectInBrowser("pinterest", "undecided")
      assert.strictEqual((yield* service.call("GET", path)).body.default_board_id, boards[1]!.id)
      const alone = yield* connected("x-oneboard")
      const { body } = yield* service.call("GET", `/v1/social-accounts/${alone.account}`)
      assert.strictEqual(body.default_board_id, alone.boards[0]!.id)
    })
  )

  it.effect("has a demo account from the start where the test network plays it", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { body } = yield* service.call(
        "GET",
        "/v1/social-accounts?platform=pinterest&username=pinterest-demo"
      )
      assert.lengthOf(body.data, 1)
    })
  )

  it.effect("gets a pin once when the reply is lost", () =>
    Effect.gen(function* () {
      const { account, boards, sandbox, publications } = yield* connected("lost")
      yield* sandbox.script("lost", [{ on: "post", fault: "effect_then_lost_reply" }])
      const { id } = yield* create({
        social_accounts: [account],
        caption: "Once",
        media: [yield* uploadImage()],
        platform_configurations: { pinterest: { board_ids: [boards[0]!.id] } }
      })
      const post = yield* settled(id)
      assert.strictEqual(post.status, "published")
      const [publication, ...others] = yield* publications
      assert.lengthOf(others, 0)
      assert.strictEqual(post.results[0].platform_data.id, publication!.id)
    })
  )

  it.effect("gets a video once whose upload was killed in the middle", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { account, boards, sandbox, publications } = yield* connected("killed")
      const upload = yield* uploadVideo(64 * 1024 * 1024)
      const due = inSeconds(8)
      const { id } = yield* create({
        social_accounts: [account],
        caption: "A film",
        media: [upload],
        platform_configurations: { pinterest: { board_ids: [boards[0]!.id] } },
        scheduled_at: due
      })
      yield* sandbox.requests("killed").pipe(
        Effect.filterOrFail((requests) => requests.some(({ operation }) => operation === "upload_start")),
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 6000 })
      )
      yield* service.kill
      yield* service.start
      assert.strictEqual((yield* settled(id, 60)).status, "published")
      const [publication, ...others] = yield* publications
      assert.lengthOf(others, 0)
      assert.isAtLeast(Date.parse(publication!.published_at), Date.parse(due))
    })
  )
})
