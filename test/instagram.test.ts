import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import sharp from "sharp"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { create, eventually, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { sixSeconds } from "@carillon/testing/Videos"

const picture = (red: number, name = "picture.png") =>
  Effect.gen(function* () {
    const service = yield* Service
    const bytes = yield* Effect.promise(() =>
      sharp({ create: { width: 600, height: 600, channels: 3, background: { r: red, g: 80, b: 80 } } })
        .png()
        .toBuffer()
    )
    return yield* service.upload(new Uint8Array(bytes), "image/png", name)
  })

const film = Effect.gen(function* () {
  const service = yield* Service
  return yield* service.upload(yield* sixSeconds(), "video/mp4", "film.mp4")
})

const publish = Effect.fnUntraced(function* (
  account: number,
  media: ReadonlyArray<string>,
  options: object = {}
) {
  const { id } = yield* create({
    social_accounts: [account],
    caption: "Glück ab! 🎈",
    media,
    platform_configurations: { instagram: options }
  })
  const post = yield* settled(id, 60)
  assert.strictEqual(post.status, "published", JSON.stringify(post.results))
  return post.results[0].platform_data as {
    readonly id: string
    readonly url: string
    readonly username: string
    readonly warnings?: ReadonlyArray<string>
  }
})

layer(ServiceWithSandbox({ env: { SANDBOX_SETTLE_WAIT: "1 second" } }), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("Instagram", (it) => {
  it.effect("has a demo account on the test network from the start, and one only", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* service.kill
      yield* service.start
      const { body } = yield* service.call(
        "GET",
        "/v1/social-accounts?platform=instagram&username=instagram-demo"
      )
      assert.lengthOf(body.data, 1)
      yield* publish(body.data[0].id, [yield* picture(60)])
    })
  )

  it.effect(
    "takes pictures, reels, stories and carousels of an account that was connected in the browser",
    () =>
      Effect.gen(function* () {
        const sandbox = (yield* SandboxProcess).on("instagram")
        const [account] = yield* connectInBrowser("instagram", "amy")
        const [red, green, video] = [
          yield* picture(200),
          yield* picture(20, "zweites Bild ü.png"),
          yield* film
        ]

        const single = yield* publish(account!, [red], { alt_text: "Red", first_comment: "First!" })
        assert.strictEqual(single.username, "amy")
        assert.include(single.url, single.id)
        yield* publish(account!, [video], {
          is_trial_reel: true,
          trial_graduation: "SS_PERFORMANCE",
          cover_image: red
        })
        yield* publish(account!, [video], { placement: "story" })
        yield* publish(account!, [green, video, red])

        const posts = yield* sandbox.publications("amy")
        assert.deepStrictEqual(
          posts.map(({ text, media }) => [text, ...media.map(({ content_type }) => content_type)]),
          [
            ["Glück ab! 🎈", "image/jpeg"],
            ["Glück ab! 🎈", "video/mp4"],
            ["", "video/mp4"],
            ["Glück ab! 🎈", "image/jpeg", "video/mp4", "image/jpeg"]
          ]
        )
        assert.strictEqual(posts[0]!.id, single.id)
        assert.strictEqual(posts[0]!.media[0]!.alt_text, "Red")
        const requests = yield* sandbox.requests("amy")
        assert.lengthOf(
          requests.filter(({ operation }) => operation === "comment"),
          1
        )
      })
  )

  it.effect("connects the chosen ones of a person's Pages, which take bytes", () =>
    Effect.gen(function* () {
      const sandbox = (yield* SandboxProcess).on("instagram")
      const accounts = yield* connectInBrowser("instagram", "ben-two", { login: "facebook", choose: [1] })
      assert.lengthOf(accounts, 1)
      yield* publish(accounts[0]!, [yield* film], { share_to_feed: true })
      const [post] = yield* sandbox.publications("ben-shop")
      assert.strictEqual(
        post!.media[0]!.sha256,
        createHash("sha256")
          .update(yield* sixSeconds())
          .digest("hex")
      )
      assert.lengthOf(yield* sandbox.publications("ben-two"), 0)
    })
  )

  it.effect("publishes once when the answer to the publication is lost", () =>
    Effect.gen(function* () {
      const sandbox = (yield* SandboxProcess).on("instagram")
      const [account] = yield* connectInBrowser("instagram", "cleo")
      yield* sandbox.script("cleo", [{ on: "post", fault: "effect_then_lost_reply" }])
      const { id, url } = yield* publish(account!, [yield* picture(90)], { first_comment: "Late, and once" })
      const posts = yield* sandbox.publications("cleo")
      assert.deepStrictEqual(
        posts.map((post) => post.id),
        [id]
      )
      assert.include(url, id)
      const comments = (yield* sandbox.requests("cleo")).filter(({ operation }) => operation === "comment")
      assert.lengthOf(comments, 1)
    })
  )

  it.effect("is live though its first comment is refused", () =>
    Effect.gen(function* () {
      const sandbox = (yield* SandboxProcess).on("instagram")
      const [account] = yield* connectInBrowser("instagram", "dan")
      yield* sandbox.script("dan", [{ on: "comment", fault: "refuse", status: 400, code: "10" }])
      const { warnings = [] } = yield* publish(account!, [yield* picture(120)], {
        first_comment: "Nobody reads this"
      })
      assert.match(warnings.join(), /^The first comment could not be made\. Instagram .+allow everything\.$/)
      assert.lengthOf(yield* sandbox.publications("dan"), 1)
    })
  )

  it.effect("waits when the account's limit is reached, and says why", () =>
    Effect.gen(function* () {
      const [account] = yield* connectInBrowser("instagram", "eli-quota")
      yield* publish(account!, [yield* picture(10)])
      const { id } = yield* create({ social_accounts: [account!], media: [yield* picture(11)] })
      const { results } = yield* eventually(id, (post) => post.results[0].error !== null)
      assert.deepInclude(results[0], { status: "waiting" })
      assert.deepInclude(results[0].error, { class: "quota_exhausted", code: "9/2207042", action: "wait" })
    })
  )

  it.effect("goes on with a big upload in which the process was killed, and publishes once", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const network = yield* SandboxProcess
      const sandbox = network.on("instagram")
      const size = 120_000_000
      const bytes = yield* sixSeconds(size)
      const media = yield* service.upload(bytes, "video/mp4", "big.mp4")
      const unfinished = join(network.directory, "media", "unfinished")
      const bytesThere = Effect.promise(async () => {
        const [name] = await readdir(unfinished)
        if (name === undefined) return 0
        // It may be finished by now.
        return stat(join(unfinished, name)).then(
          (file) => file.size,
          () => 0
        )
      })
      let times = 0
      const begun = Effect.gen(function* () {
        const username = `fin${++times}`
        const [account] = yield* connectInBrowser("instagram", username, { login: "facebook" })
        const { id } = yield* create({ social_accounts: [account!], caption: "Big", media: [media] })
        const [arrived] = yield* Effect.repeat(Effect.all([bytesThere, sandbox.publications(username)]), {
          until: ([there, { length }]) => there > 5_000_000 || length > 0
        })
        return { username, id, arrived }
      })
      // Who looked away for the second that it takes begins with another.
      const { username, id, arrived } = yield* Effect.repeat(begun, {
        until: (one) => one.arrived > 5_000_000,
        times: 4
      })
      yield* service.kill
      assert.isAbove(arrived, 5_000_000)
      assert.isBelow(arrived, size)
      yield* service.start
      assert.strictEqual((yield* settled(id, 120)).status, "published")
      const posts = yield* sandbox.publications(username)
      assert.deepStrictEqual(
        posts.map((post) => post.media.map(({ sha256 }) => sha256)),
        [[createHash("sha256").update(bytes).digest("hex")]]
      )
      const requests = yield* sandbox.requests(username)
      assert.lengthOf(
        requests.filter(({ operation }) => operation === "media"),
        1
      )
      assert.lengthOf(
        requests.filter(({ operation, status }) => operation === "upload" && status === 200),
        1
      )
    })
  )
})
