import { type Fault, type PlatformId, SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import sharp from "sharp"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { create, eventually, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { uprightVideo } from "@carillon/testing/UprightVideo"
import { type Board, caption, type File, type Walk, walks } from "@carillon/testing/Walks"

const picture = (width: number, height: number, format: "png" | "webp", background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()

const files = {
  film: ["video/mp4", async () => uprightVideo()],
  square: ["image/png", () => picture(600, 600, "png", "red")],
  other: ["image/png", () => picture(600, 600, "png", "teal")],
  paper: ["application/pdf", async () => new TextEncoder().encode("%PDF-1.7\n%%EOF\n")],
  upright: ["image/webp", () => picture(1000, 1500, "webp", "teal")],
  wide: ["image/webp", () => picture(1600, 900, "webp", "teal")]
} satisfies Record<File, readonly [string, () => Promise<Uint8Array>]>

const upload = Effect.fnUntraced(function* (file: File) {
  const [type, bytes] = files[file]
  return yield* (yield* Service).upload(yield* Effect.promise(bytes), type, `${file} ü.file`)
})

let guests = 0

/** The test network's own name of an account, whose server follows in some networks. */
const nameIn = (username: string) => username.split(/@|\.bsky\./, 1)[0]

/** An account that a person has connected in the browser. */
const connected = Effect.fnUntraced(function* (
  network: PlatformId,
  ending = "",
  signIn: Walk["signIn"] = undefined,
  of = ending
) {
  const service = yield* Service
  const sandbox = (yield* SandboxProcess).on(network)
  const person = `guest${++guests}`
  const [account, ...others] = yield* connectInBrowser(network, `${person}${ending}`, signIn)
  assert.lengthOf(others, 0)
  const path = `/v1/social-accounts/${account}`
  const username = `${person}${of}`
  assert.strictEqual(nameIn((yield* service.call("GET", path)).body.username), username)
  return {
    account: account!,
    username,
    path,
    sandbox,
    publications: sandbox.publications(username),
    script: (...faults: ReadonlyArray<Fault>) => sandbox.script(username, faults),
    choices: Effect.map(service.call("GET", `${path}/options`), ({ body }) => {
      assert.isNull(body.choices_error)
      return body.choices
    }),
    // Those of a sign-in in the browser are heard on the wire by the adapters' tests.
    secrets: []
  }
})

/** Connects an account with what a person types. */
const typedIn = Effect.fnUntraced(function* ({ adapter, network, typed }: Walk) {
  const service = yield* Service
  const { on, url } = yield* SandboxProcess
  const sandbox = on(network)
  const username = `guest${++guests}${adapter?.ending ?? ""}`
  const credentials = typed!(username, url)
  const { status, body } = yield* service.call("POST", "/v1/social-accounts", {
    platform: network,
    credentials
  })
  assert.strictEqual(status, 201, JSON.stringify(body))
  assert.strictEqual(nameIn(body.username), username)
  return {
    account: body.id as number,
    username,
    publications: sandbox.publications(username),
    script: (...faults: ReadonlyArray<Fault>) => sandbox.script(username, faults),
    choices: Effect.succeed({ board_ids: [] }),
    secrets: Object.entries(credentials)
      .filter(([name]) => /token|password/.test(name))
      .map(([, value]) => value.split("/").at(-1)!)
  }
})

const boardsOf = (post: { readonly results: ReadonlyArray<{ readonly board_id: string | null }> }) =>
  post.results.map(({ board_id }) => board_id)

/** From the consent page to the public page. */
const walked = Effect.fnUntraced(function* (walk: Walk, ...faults: ReadonlyArray<Fault>) {
  const { directory, url } = yield* SandboxProcess
  const { account, username, script, publications, choices, secrets } =
    walk.typed === undefined
      ? yield* connected(
          walk.network,
          walk.signIn?.choose === undefined ? "" : "-two",
          walk.signIn,
          walk.of === undefined ? "" : `-${walk.of}`
        )
      : yield* typedIn(walk)
  yield* script(...faults)
  const boards: ReadonlyArray<Board> = walk.network === "pinterest" ? (yield* choices).board_ids : []
  const extra = walk.extra === undefined ? undefined : yield* upload(walk.extra)
  const { id } = yield* create({
    social_accounts: [account],
    caption,
    media: yield* Effect.forEach(walk.media, upload),
    platform_configurations: { [walk.network]: walk.options(extra, boards, url) }
  })
  const { status, results, warnings } = yield* settled(id)
  assert.strictEqual(status, "published", JSON.stringify(results))
  assert.lengthOf(warnings, walk.warnings?.length ?? 0, JSON.stringify(warnings))
  walk.warnings?.forEach((words, index) => assert.match(warnings[index], words))

  const [publication, ...others] = yield* publications
  assert.lengthOf(others, 0)
  assert.deepInclude(publication, walk.published)
  expect(publication!.details).toMatchObject(walk.details(boards))
  assert.deepStrictEqual(
    publication!.media.map(({ content_type, alt_text }) =>
      alt_text === null ? content_type : `${content_type} ${alt_text}`
    ),
    walk.types
  )
  if (walk.media.join() === "film") {
    const sent = createHash("sha256").update(uprightVideo()).digest("hex")
    assert.strictEqual(publication!.media[0]!.sha256, sent)
  }
  const journal = yield* Effect.promise(() => readFile(join(directory, "ledger.jsonl"), "utf8"))
  for (const secret of secrets) assert.isFalse(journal.includes(secret), `the test network keeps ${secret}`)

  const [{ platform_data, error }] = results
  assert.isNull(error)
  assert.notProperty(platform_data, "warnings")
  assert.strictEqual(nameIn(platform_data.username), username)
  if (walk.hidden === true) return assert.isNull(platform_data.url)
  assert.include(platform_data.url, platform_data.id.split("/").at(-1))
  const page = yield* Effect.promise(() => fetch(platform_data.url))
  assert.isTrue(page.url.endsWith(`/posts/${publication!.id}`), page.url)
  const html = yield* Effect.promise(() => page.text())
  for (const detail of Object.keys(walk.details(boards))) assert.include(html, `<dt>${detail}</dt>`)
})

const connectedToBoards = Effect.fnUntraced(function* (ending = "") {
  const account = yield* connected("pinterest", ending)
  return { ...account, boards: (yield* account.choices).board_ids as ReadonlyArray<Board> }
})

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds", concurrent: true })(
  "a platform",
  (it) => {
    describe("for an account that was connected as a person does it", () => {
      it.effect.each(walks)("publishes $what with all that belongs to it, once and with its link", (walk) =>
        walked(walk)
      )

      it.effect.each(
        walks.filter(
          ({ network, silent }, index) =>
            silent !== true && walks.findIndex((one) => one.network === network) === index
        )
      )("publishes $what once when the answer to the last call is lost", (walk) =>
        walked(walk, { on: "post", fault: "effect_then_lost_reply" })
      )

      it.effect.each(walks.filter(({ silent, typed }) => silent === true && typed !== undefined))(
        "publishes $what once and leaves it to a person when the answer to the last call is lost",
        (walk) =>
          Effect.gen(function* () {
            const { account, publications, script } = yield* typedIn(walk)
            yield* script({ on: "post", fault: "effect_then_lost_reply" })
            const { id } = yield* create({
              social_accounts: [account],
              caption,
              media: yield* Effect.forEach(walk.media, upload)
            })
            const { results } = yield* settled(id)
            assert.strictEqual(results[0].status, "unconfirmed", JSON.stringify(results))
            assert.lengthOf(yield* publications, 1)
          })
      )

      it.effect.each([
        { network: "tiktok", reason: "frame_rate_check_failed", polls: 2 },
        // The second look at a video comes half a minute after the first.
        { network: "youtube", reason: "duplicate", polls: 1 }
      ] as const)(
        "a video that $network gives up fails with its reason, and is not there",
        ({ network, reason, polls }) =>
          Effect.gen(function* () {
            const { account, script, publications } = yield* connected(network)
            yield* script({ on: "post", fault: "processing", polls, becomes: "failed", reason })
            const { id } = yield* create({
              social_accounts: [account],
              caption,
              media: [yield* upload("film")]
            })
            const { status, results } = yield* settled(id)
            assert.strictEqual(status, "failed")
            assert.deepInclude(results[0].error, {
              class: "media_rejected",
              code: reason,
              action: "fix_content"
            })
            if (network === "tiktok") assert.lengthOf(yield* publications, 0)
          })
      )
    })

    it.effect("a bot of a Bot API server of the operator's own goes through that, and takes its files", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = (yield* SandboxProcess).on("telegram")
        const { body } = yield* service.call("POST", "/v1/social-accounts", {
          platform: "telegram",
          credentials: { chat: "@own_server", bot_token: "440000:own" }
        })
        assert.deepInclude(body.limits, { video_bytes: 2_000_000_000, document_bytes: 2_000_000_000 })
        const { body: options } = yield* service.call("GET", `/v1/social-accounts/${body.id}/options`)
        const most = options.placements.map(({ videos, documents }: any) => (videos ?? documents)?.max_bytes)
        assert.deepStrictEqual(most, [undefined, 2_000_000_000, 2_000_000_000, 2_000_000_000])
        const { id } = yield* create({ social_accounts: [body.id], caption })
        assert.strictEqual((yield* settled(id)).status, "published")
        const requests = yield* sandbox.requests("own_server")
        const posted = requests.find(({ operation }) => operation === "post")
        assert.strictEqual(posted!.path, "/bot-api.own/bot…/sendMessage")
      })
    )

    describe("on TikTok", () => {
      it.effect("the warnings of a post stay true when it is changed", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { account } = yield* connected("tiktok")
          const post = yield* create({
            social_accounts: [account],
            media: [yield* upload("film")],
            is_draft: true
          })
          const warningsOf = Effect.fnUntraced(function* (tiktok: object | null) {
            const { body } = yield* service.call("PATCH", `/v1/posts/${post.id}`, {
              platform_configurations: tiktok === null ? null : { tiktok }
            })
            return body.warnings as ReadonlyArray<string>
          })
          assert.deepStrictEqual(yield* warningsOf({ privacy_level: "SELF_ONLY" }), [])
          assert.include((yield* warningsOf({ draft: true }))[0], "inbox")
          const back = yield* warningsOf(null)
          assert.lengthOf(back, 1)
          assert.include(back[0], "privacy_level")
        })
      )

      it.effect(
        "a person's choice of a default audience is held to what the account offers, and goes out",
        () =>
          Effect.gen(function* () {
            const service = yield* Service
            const { account, publications } = yield* connected("tiktok", "-private")
            const path = `/v1/social-accounts/${account}`
            const of = (default_privacy_level: string | null) =>
              service.call("PATCH", path, { default_privacy_level })
            assert.isNull((yield* service.call("GET", path)).body.default_privacy_level)
            const wrong = yield* of("PUBLIC_TO_EVERYONE")
            assert.deepStrictEqual([wrong.status, wrong.body.code], [400, "privacy_level_not_offered"])
            assert.include(wrong.body.detail, "FOLLOWER_OF_CREATOR, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY")
            const post = { social_accounts: [account], caption: "Bells", media: [yield* upload("film")] }
            const warned = yield* service.call("POST", "/v1/posts/validate", post)
            assert.include(warned.body.warnings.join(), "default_privacy_level")

            const chosen = yield* of("MUTUAL_FOLLOW_FRIENDS")
            assert.deepStrictEqual(
              [chosen.status, chosen.body.default_privacy_level],
              [200, "MUTUAL_FOLLOW_FRIENDS"]
            )
            const created = yield* create(post)
            assert.deepStrictEqual(created.warnings, [])
            assert.strictEqual((yield* settled(created.id)).status, "published")
            assert.strictEqual((yield* publications)[0]!.details!["privacy_level"], "MUTUAL_FOLLOW_FRIENDS")
            assert.isNull((yield* of(null)).body.default_privacy_level)

            const other = yield* connected("youtube")
            const none = yield* service.call("PATCH", `/v1/social-accounts/${other.account}`, {
              default_privacy_level: "SELF_ONLY"
            })
            assert.deepStrictEqual([none.status, none.body.code], [400, "privacy_level_not_offered"])
          })
      )

      it.effect("the account's page shows what it offers now", () =>
        Effect.gen(function* () {
          const { choices } = yield* connected("tiktok", "-private")
          assert.deepStrictEqual((yield* choices).privacy_level, [
            "FOLLOWER_OF_CREATOR",
            "MUTUAL_FOLLOW_FRIENDS",
            "SELF_ONLY"
          ])
        })
      )
    })

    describe("on Mastodon", () => {
      it.effect("a post has the limits of the account's own server, also where they are wider", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { body: account } = yield* service.call("POST", "/v1/social-accounts", {
            platform: "mastodon",
            credentials: { server: "gotosocial.sandbox", access_token: "long-winded.sandbox" }
          })
          assert.deepInclude(account.limits, { characters: 5000, media: 6, poll_options: 6 })
          const { body: options } = yield* service.call("GET", `/v1/social-accounts/${account.id}/options`)
          assert.deepInclude(options.placements[0].caption, { max: 5000, address_length: 25 })

          const post = (caption: string) => ({ social_accounts: [account.id], caption })
          const link = ` https://example.com/${"y".repeat(100)}`
          const tooLong = yield* service.call("POST", "/v1/posts", post("x".repeat(4975) + link))
          assert.deepInclude(tooLong.body.errors[0], { code: "caption_too_long", limit: 5000, value: 5001 })
          const { id } = yield* create(post("x".repeat(4974) + link))
          const { status, results } = yield* settled(id)
          assert.strictEqual(status, "published", JSON.stringify(results))
        })
      )
    })

    describe("on Bluesky", () => {
      it.effect(
        "a post has the limits of the account's own server, and is told what apps will not show",
        () =>
          Effect.gen(function* () {
            const service = yield* Service
            const { url } = yield* SandboxProcess
            const connect = (name: string, server: object) =>
              Effect.map(
                service.call("POST", "/v1/social-accounts", {
                  platform: "bluesky",
                  credentials: {
                    identifier: `${name}.bsky.sandbox`,
                    app_password: "bell-bell-bell-bell",
                    ...server
                  }
                }),
                ({ body }) => body
              )
            const shown = yield* connect("in-the-open", {})
            // An address in a private network, which the video service does not reach.
            const hidden = yield* connect("in-a-cellar", { service: url })
            assert.deepStrictEqual(
              [shown.limits, hidden.limits],
              [true, false].map((video_service) => ({ file_bytes: 104_857_600, video_service }))
            )
            const large = 200_000_000
            const { body: declared } = yield* service.call("POST", "/v1/media/create-upload-url", {
              mime_type: "video/mp4",
              size_bytes: large,
              name: "long.mp4"
            })
            const validated = (account: number, media: string) =>
              Effect.map(
                service.call("POST", "/v1/posts/validate", {
                  social_accounts: [account],
                  caption: "Bells",
                  media: [media]
                }),
                ({ body }) => ({
                  tooLarge: (body.errors ?? []).filter(({ limit }: any) => limit === 104_857_600),
                  warnings: (body.warnings ?? []).join()
                })
              )
            const refused = yield* validated(hidden.id, declared.media_id)
            assert.deepInclude(refused.tooLarge[0], { rule: "max_bytes", value: large })
            assert.deepStrictEqual((yield* validated(shown.id, declared.media_id)).tooLarge, [])

            const film = yield* upload("film")
            assert.strictEqual((yield* validated(shown.id, film)).warnings, "")
            assert.match((yield* validated(hidden.id, film)).warnings, /sends the video as it is/)
            const post = yield* create({
              social_accounts: [shown.id, hidden.id],
              caption: "Bells",
              media: [film]
            })
            assert.lengthOf(post.warnings, 1)
            assert.include(post.warnings[0], `(account ${hidden.id}) sends the video as it is`)
            const { results, status } = yield* settled(post.id)
            assert.strictEqual(status, "published", JSON.stringify(results))
            const warningsOf = (account: number) =>
              results.find(({ social_account_id }: any) => social_account_id === account).platform_data
                .warnings
            assert.isUndefined(warningsOf(shown.id))
            assert.match(warningsOf(hidden.id).join(), /sent as it is/)
          })
      )
    })

    describe("on Discord", () => {
      it.effect("a post is told before its time which options its kind of access does not have", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { url } = yield* SandboxProcess
          const connect = (credentials: object) =>
            Effect.map(
              service.call("POST", "/v1/social-accounts", { platform: "discord", credentials }),
              ({ body }) => body
            )
          const webhook_or_token = `${url}/discord.com/api/webhooks/812345678901234567/sandbox-foretold`
          const webhook = yield* connect({ webhook_or_token })
          const bot = yield* connect({
            webhook_or_token: "foretold-bot.sandbox",
            channel_id: "812345678901234568"
          })
          assert.deepStrictEqual([webhook.limits, bot.limits], [{ webhook: true }, { webhook: false }])

          const options = {
            username: "Ringer",
            avatar_url: "https://example.com/bell.png",
            thread_name: "Bells",
            crosspost: true
          }
          const post = {
            social_accounts: [webhook.id, bot.id],
            caption,
            scheduled_at: "2040-01-01T12:00:00Z",
            platform_configurations: { discord: options }
          }
          const said = [
            `Discord (account ${webhook.id}) leaves out crosspost: only a bot can use it.`,
            ...["username", "avatar_url"].map(
              (name) => `Discord (account ${bot.id}) leaves out ${name}: only a webhook can use it.`
            ),
            `Discord (account ${bot.id}) leaves out thread_name: only a webhook, or a bot in a forum, can use it.`
          ]
          const checked = yield* service.call("POST", "/v1/posts/validate", post)
          assert.sameMembers(checked.body.warnings, said)
          const created = yield* create(post)
          assert.sameMembers([...created.warnings], said)
          const change = (discord: object) =>
            Effect.map(
              service.call("PATCH", `/v1/posts/${created.id}`, { platform_configurations: { discord } }),
              ({ body }) => body.warnings
            )
          assert.deepStrictEqual(yield* change({ crosspost: false }), [])
          assert.deepStrictEqual(yield* change({ crosspost: true }), said.slice(0, 1))
        })
      )
    })

    describe("on X", () => {
      it.effect(
        "a thread that the app may not continue keeps what is live, and says which items are missing",
        () =>
          Effect.gen(function* () {
            const { account, publications } = yield* connected("twitter", "-selfserve")
            const { id } = yield* create({
              social_accounts: [account],
              caption: "The first bell",
              thread: ["The second", "The third"]
            })
            const [{ error, failed_items, items, status }] = (yield* settled(id)).results
            assert.deepStrictEqual([status, failed_items, error.code], ["published", 2, "reply_not_allowed"])
            assert.deepStrictEqual(
              items.map((item: { readonly status: string }) => item.status),
              ["published", "failed", "failed"]
            )
            assert.deepStrictEqual(
              (yield* publications).map(({ text }) => text),
              ["The first bell"]
            )
          })
      )

      it.effect("a subscriber writes more than others, and is found by the whole of it", () =>
        Effect.gen(function* () {
          const { account, publications, script } = yield* connected("twitter", "-premium")
          const caption = "鐘".repeat(200)
          yield* script({ on: "post", fault: "effect_then_lost_reply" })
          const { id } = yield* create({ social_accounts: [account], caption })
          const { status, results } = yield* settled(id)
          assert.strictEqual(status, "published", JSON.stringify(results))
          assert.deepStrictEqual(
            (yield* publications).map(({ text }) => text),
            [caption]
          )
          const other = yield* connected("twitter")
          const refused = yield* (yield* Service).call("POST", "/v1/posts", {
            social_accounts: [other.account],
            caption
          })
          assert.strictEqual(refused.status, 400)
        })
      )
    })

    describe("on Instagram", () => {
      it.effect("a post is live though its first comment is refused, and says so", () =>
        Effect.gen(function* () {
          const { account, script, publications } = yield* connected("instagram")
          yield* script({ on: "comment", fault: "refuse", status: 400, code: "10" })
          const { id } = yield* create({
            social_accounts: [account],
            media: [yield* upload("square")],
            platform_configurations: { instagram: { first_comment: "Nobody reads this" } }
          })
          const { results } = yield* settled(id)
          assert.match(
            results[0].platform_data.warnings.join(),
            /^The first comment could not be posted\. Instagram .+allow everything\.$/
          )
          assert.lengthOf(yield* publications, 1)
        })
      )

      it.effect("a post waits when the account's limit is reached, and says why", () =>
        Effect.gen(function* () {
          const { account } = yield* connected("instagram", "-quota")
          const post = Effect.flatMap(upload("square"), (media) =>
            create({ social_accounts: [account], media: [media] })
          )
          assert.strictEqual((yield* settled((yield* post).id)).status, "published")
          const { results } = yield* eventually((yield* post).id, ({ results: [one] }) => one.error !== null)
          assert.deepInclude(results[0], { status: "waiting" })
          assert.deepInclude(results[0].error, {
            class: "quota_exhausted",
            code: "9/2207042",
            action: "wait"
          })
        })
      )
    })

    describe("on LinkedIn", () => {
      it.effect("a post that a person has seen says that its first comment was not posted", () =>
        Effect.gen(function* () {
          const { account, script } = yield* connected("linkedin")
          yield* script({ on: "post", fault: "effect_then_lost_reply" }, { on: "post", fault: "forbidden" })
          const { id } = yield* create({
            social_accounts: [account],
            caption: "Bells",
            platform_configurations: { linkedin: { first_comment: "Tickets" } }
          })
          const { results } = yield* settled(id)
          assert.strictEqual(results[0].status, "unconfirmed")
          const service = yield* Service
          const confirmed = yield* service.call("POST", `/v1/post-results/${results[0].id}/confirm`, {
            published: true
          })
          assert.deepInclude(confirmed.body, { status: "published", error: null })
          assert.deepInclude(confirmed.body.platform_data, { id: "", url: null })
          assert.match(confirmed.body.platform_data.warnings.join(), /^The first comment was not posted/)
        })
      )
    })

    describe("on Pinterest", () => {
      it.effect("each board gets a pin with its own outcome, of which the failed one goes out again", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { account, boards, script, publications } = yield* connectedToBoards()
          const ids = boards.slice(0, 2).map(({ id }) => id)
          const wanted = [ids[1]!, "123", ids[0]!]
          yield* script({ on: "boards", fault: "server_error_before" })
          const { id, results, warnings }: any = yield* create({
            social_accounts: [account],
            caption: "On three boards",
            media: [yield* upload("upright")],
            platform_configurations: { pinterest: { board_ids: wanted } }
          })
          assert.deepStrictEqual(boardsOf({ results }), wanted)
          assert.match(warnings[0], /could not be asked for its boards, so .*"123".* are used as ids\.$/)
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

          yield* script({ on: "post", fault: "refuse", status: 400, code: "1", message: "Too many images." })
          const other = yield* create({
            social_accounts: [account],
            caption: "On two boards",
            media: [yield* upload("upright")],
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

      it.effect("a PATCH moves a post to other boards", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { account, boards, publications } = yield* connectedToBoards()
          const [a, b, c] = boards.map(({ id }) => id)
          const { id, results } = yield* create({
            social_accounts: [account],
            caption: "Moved",
            media: [yield* upload("upright")],
            platform_configurations: { pinterest: { board_ids: [a, b] } },
            scheduled_at: inSeconds(3600)
          })
          const to = (board_ids: ReadonlyArray<unknown>) =>
            service.call("PATCH", `/v1/posts/${id}`, {
              platform_configurations: { pinterest: { board_ids } }
            })
          const moved = yield* to([c, b])
          assert.deepStrictEqual([moved.status, boardsOf(moved.body)], [200, [c, b]])
          // The pin on the board that stays is still the same result.
          assert.strictEqual(moved.body.results[1].id, results[1].id)
          const twice = yield* to([a, a])
          assert.deepStrictEqual([twice.status, twice.body.errors[0].rule], [400, "boards_differ"])
          yield* service.call("POST", `/v1/posts/${id}/publish`)
          assert.strictEqual((yield* settled(id)).status, "published")
          assert.sameMembers(
            (yield* publications).map(({ details }) => details!["board_id"]),
            [b, c]
          )
        })
      )

      it.effect("a board may be named, and one that is not there is refused with those that are", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { account, username, boards, script, sandbox } = yield* connectedToBoards()
          const post = {
            social_accounts: [account],
            caption: "By name",
            media: [yield* upload("upright")],
            scheduled_at: inSeconds(3600)
          }
          const on = (...board_ids: ReadonlyArray<string>) => ({
            platform_configurations: { pinterest: { board_ids } }
          })
          const ids = [boards[1]!.id, boards[0]!.id]
          const { id, ...created }: any = yield* create({ ...post, ...on("recipes", ids[1]!) })
          assert.deepStrictEqual(boardsOf(created), ids)
          assert.deepStrictEqual(created.platform_configurations, on(...ids).platform_configurations)

          const asked = Effect.map(
            sandbox.requests(username),
            (requests) => requests.filter(({ operation }) => operation === "boards").length
          )
          const before = yield* asked
          const moved = yield* service.call("PATCH", `/v1/posts/${id}`, on("Surprises"))
          assert.deepStrictEqual([moved.status, boardsOf(moved.body)], [200, [boards[2]!.id]])
          assert.strictEqual(yield* asked, before)

          // The list is known, so it need not be told again.
          yield* script({ on: "boards", fault: "server_error_before", times: 100 })
          for (const [method, target, body] of [
            ["POST", "/v1/posts", { ...post, ...on("Ideas", "Nowhere") }],
            ["POST", "/v1/posts/validate", { ...post, ...on("Ideas", "Nowhere") }],
            ["PATCH", `/v1/posts/${id}`, on("Ideas", "Nowhere")]
          ] as const) {
            const refused = yield* service.call(method, target, body)
            assert.deepStrictEqual([refused.status, refused.body.code], [400, "destination_not_found"])
            assert.strictEqual(refused.body.errors[0].path, "platform_configurations.pinterest.board_ids[1]")
            for (const board of boards) assert.include(refused.body.detail, `${board.id} (${board.name})`)
          }
          const twice = yield* service.call("PATCH", `/v1/posts/${id}`, on("Ideas", boards[0]!.id))
          assert.deepStrictEqual([twice.status, twice.body.errors[0].rule], [400, "boards_differ"])
        })
      )

      it.effect(
        "a pin goes to the account's default board, and without one the account says which there are",
        () =>
          Effect.gen(function* () {
            const service = yield* Service
            const { account, username, path, boards, publications } = yield* connectedToBoards()
            const post = { social_accounts: [account], caption: "Where?", media: [yield* upload("upright")] }
            for (const target of ["/v1/posts", "/v1/posts/validate"]) {
              const refused = yield* service.call("POST", target, post)
              assert.deepStrictEqual([refused.status, refused.body.code], [400, "board_required"])
              for (const { id, name } of boards) assert.include(refused.body.detail, `${id} (${name})`)
            }
            const wrong = yield* service.call("PATCH", path, { default_board_id: "123" })
            assert.deepStrictEqual([wrong.status, wrong.body.code], [400, "destination_not_found"])
            const chosen = yield* service.call("PATCH", path, { default_board_id: boards[1]!.name })
            assert.deepStrictEqual([chosen.status, chosen.body.default_board_id], [200, boards[1]!.id])
            const created = yield* create(post)
            assert.deepStrictEqual(boardsOf(created), [boards[1]!.id])
            assert.strictEqual((yield* settled(created.id)).status, "published")
            assert.strictEqual((yield* publications)[0]!.details!["board_id"], boards[1]!.id)

            // Connecting again keeps what was chosen; with one board there is nothing to choose.
            yield* connectInBrowser("pinterest", username)
            assert.strictEqual((yield* service.call("GET", path)).body.default_board_id, boards[1]!.id)
            const alone = yield* connectedToBoards("-oneboard")
            const { body } = yield* service.call("GET", alone.path)
            assert.strictEqual(body.default_board_id, alone.boards[0]!.id)
          })
      )
    })
  }
)
