import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { HttpClient } from "effect/http"
import { accountOnX } from "./AccountOnX.ts"

const film: PublishRequest["media"][number] = {
  id: "film",
  kind: "video",
  name: "film.mp4",
  mime_type: "video/mp4",
  size_bytes: 10,
  width: 640,
  height: 480,
  duration_ms: 150_000,
  sha256: "0".repeat(64),
  alt_text: null,
  image: Effect.die("a video is no image"),
  content: Stream.empty,
  part: () => Stream.succeed(new Uint8Array(10)),
  public_url: Effect.succeed("https://example.com/film")
}

const refuse = (status: number, message: string, code = "about:blank"): Fault => ({
  on: "post",
  fault: "refuse",
  status,
  code,
  message
})

interface Refused {
  /** Of the username. */
  readonly ending?: string
  readonly script?: Fault
  readonly values?: Partial<PublishRequest>
  readonly is: readonly [errorClass: string, code: string]
}

const refusals: Readonly<Record<string, Refused>> = {
  "credits that are used up": { ending: "-nocredits", is: ["quota_exhausted", "credits"] },
  "a cap of the app": { ending: "-capped", is: ["quota_exhausted", "usage-capped"] },
  "a cap that comes as a rate limit": {
    script: refuse(429, "Monthly product cap", "usage-capped"),
    is: ["quota_exhausted", "usage-capped"]
  },
  "an app that is not enrolled": { ending: "-unenrolled", is: ["config", "client-forbidden"] },
  "a way to sign in that the call does not take": {
    script: refuse(403, "Unsupported Authentication", "unsupported-authentication"),
    is: ["config", "unsupported-authentication"]
  },
  "a suspended account": { ending: "-suspended", is: ["forbidden", "user-suspended"] },
  "a second cashtag": { values: { caption: "$AAA and $BBB" }, is: ["invalid", "http_403"] },
  "a text that is longer than everybody's": {
    values: { caption: "鐘".repeat(141) },
    is: ["invalid", "not_permitted"]
  },
  "a video that is longer than everybody's": {
    script: refuse(403, "You are not permitted to perform this action."),
    values: { media: [film] },
    is: ["invalid", "not_permitted"]
  },
  "no permission without a reason": {
    script: refuse(403, "You are not permitted to perform this action."),
    is: ["forbidden", "not_permitted"]
  },
  "a video that X finds too long": {
    script: refuse(403, "You are not allowed to post a video longer than 2 minutes."),
    values: { media: [film] },
    is: ["media_rejected", "http_403"]
  },
  "a post to answer that is gone": {
    values: {
      thread: { index: 1, count: 2, root: null, parent: { id: "1", url: null, username: "x" }, rest: [] }
    },
    is: ["invalid", "parent_gone"]
  },
  "a file that X cannot process": {
    script: { on: "media", fault: "processing", polls: 1, becomes: "failed", reason: "Odd frames" },
    values: { media: [film] },
    is: ["media_rejected", "InvalidMedia"]
  },
  "an upload that has expired": {
    script: { on: "upload_start", fault: "short_lived", seconds: 0 },
    values: { media: [film] },
    is: ["transient", "upload_lost"]
  }
}

const Network = Layer.merge(SandboxProcess.layer, NodeHttpClient.layerUndici)

layer(Network, { excludeTestServices: true, timeout: "60 seconds" })("a refusal of X", (it) => {
  it.effect.each(Object.entries(refusals))(
    "is understood: %s",
    ([what, { ending = "", is, script, values = {} }]) =>
      Effect.gen(function* () {
        const { on } = yield* SandboxProcess
        const name = `${what.replaceAll(/\W+/g, "-")}${ending}`
        const { publish } = yield* accountOnX(name, yield* HttpClient.HttpClient)
        yield* on("twitter").script(name, script === undefined ? [] : [script])
        const error = yield* Effect.flip(publish(values))
        assert.deepStrictEqual([error.class, error.code], is)
        assert.match(error.message, /^[A-Z].+[.!"]$/)
        assert.lengthOf(yield* on("twitter").publications(name), 0)
      })
  )

  it.effect("is understood: the same words again, which are not taken for the earlier post", () =>
    Effect.gen(function* () {
      const account = yield* accountOnX("repeats", yield* HttpClient.HttpClient)
      const post = { caption: "Bells & bells at example.com" }
      yield* account.publish(post)
      const again = yield* Effect.flip(account.publish(post))
      assert.deepStrictEqual([again.class, again.code], ["invalid", "duplicate_content"])
    })
  )
})
