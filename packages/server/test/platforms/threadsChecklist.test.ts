import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { Received } from "./ScriptedServer.ts"
import { image, noneTaken, video } from "./TestRequest.ts"
import { callOf, credentials, formOf, post, threads } from "./ThreadsScript.ts"

interface Rule {
  /** Method and path. */
  readonly call: RegExp
  /** The parameters of the query or of the form: which there have to be, and which there may be. */
  readonly must?: ReadonlyArray<string>
  readonly may?: ReadonlyArray<string>
  /** The token goes in a parameter, as it is what the call is about. */
  readonly without_bearer?: true
  /** The page of developers.facebook.com/documentation/threads, and what it says. */
  readonly because: string
}

const ofContainers =
  "image_url video_url alt_text is_carousel_item children text reply_to_id reply_control topic_tag link_attachment quote_post_id " +
  "location_id poll_attachment text_attachment text_entities gif_attachment is_ghost_post is_spoiler_media allowlisted_country_codes"

/** The Threads API has no machine-readable description: these are the lines of its documents. */
const checklist: ReadonlyArray<Rule> = [
  {
    call: /^POST \/oauth\/access_token$/,
    must: ["client_id", "client_secret", "code", "grant_type", "redirect_uri"],
    without_bearer: true,
    because:
      "get-started/get-access-tokens-and-permissions: a form with the code, the app and the redirect URI"
  },
  {
    call: /^GET \/access_token$/,
    must: ["grant_type", "client_secret", "access_token"],
    without_bearer: true,
    because: "get-started/long-lived-tokens: th_exchange_token"
  },
  {
    call: /^GET \/refresh_access_token$/,
    must: ["grant_type", "access_token"],
    without_bearer: true,
    because: "get-started/long-lived-tokens: th_refresh_token, for a token that is 24 hours old"
  },
  {
    call: /^GET \/v1\.0\/debug_token$/,
    must: ["input_token"],
    because: "troubleshooting/debug-access-token: the token that is asked about"
  },
  {
    call: /^GET \/v1\.0\/me$/,
    must: ["fields"],
    because: "threads-profiles: id, username, name, threads_profile_picture_url"
  },
  {
    call: /^POST \/v1\.0\/\d+\/threads$/,
    must: ["media_type"],
    may: ofContainers.split(" "),
    because: "reference/publishing and the pages below create-posts; auto_publish_text would publish at once"
  },
  {
    call: /^GET \/v1\.0\/\d+$/,
    must: ["fields"],
    because: "troubleshooting: status and error_message of a container; posts: permalink of a post"
  },
  {
    call: /^GET \/v1\.0\/\d+\/threads_publishing_limit$/,
    must: ["fields"],
    because: "overview: quota_usage and config, or those of replies"
  },
  {
    call: /^POST \/v1\.0\/\d+\/threads_publish$/,
    must: ["creation_id"],
    because: "posts: the container alone"
  },
  {
    call: /^GET \/v1\.0\/\d+\/(threads|replies|ghost_posts)$/,
    must: ["fields", "limit"],
    because: "retrieve-and-discover-posts: the newest posts of the account"
  }
]

/** Holds a request against the list; gives the rule of it. */
const held = (received: Received): Rule => {
  const call = callOf(received)
  const found = checklist.filter((rule) => rule.call.test(call))
  assert.lengthOf(found, 1, call)
  const { because, may = [], must = [], without_bearer } = found[0]!
  const what = `${call}: ${because}`
  const keys = Object.keys(received.method === "GET" ? received.query : formOf(received))
  assert.includeMembers(keys, [...must], what)
  assert.includeMembers([...must, ...may], keys, what)
  assert.strictEqual(received.headers.authorization === undefined, without_bearer === true, what)
  if (received.method === "POST")
    assert.match(received.headers["content-type"] ?? "", /^application\/x-www-form-urlencoded/, what)
  return found[0]!
}

const film = video("v", Stream.empty, 10)
const parent = { id: "700", url: null, username: "alice" }
const kinds: ReadonlyArray<Partial<PublishRequest>> = [
  {
    options: {
      topic_tag: "bells",
      reply_control: "everyone",
      link: "https://a.com",
      quote_post_id: "7",
      location: "12345",
      text_attachment: "Once",
      spoilers: ["Hello"],
      countries: ["US"],
      gif_id: "a"
    }
  },
  { options: { is_ghost_post: true } },
  { options: { poll: { options: ["Great", "Small"] } } },
  { media: [image("a", { alt_text: "A bell" })], options: { is_spoiler_media: true } },
  { media: [image("a"), film] },
  { media: [film], thread: { index: 1, count: 2, root: parent, parent, rest: [] } }
]

layer(NodeHttpClient.layerUndici)("what Threads is asked", (it) => {
  it.effect("is what its documents say, in every call of every kind of post, and no line is left over", () =>
    Effect.gen(function* () {
      const { platform, prepare, received } = yield* threads((sent) =>
        sent.query["fields"] === "status,error_message" && callOf(sent) === "GET /v1.0/1"
          ? { status: 200, json: { status: "PUBLISHED" } }
          : undefined
      )
      yield* platform.oauth!.exchange({
        login: "threads",
        redirect_uri: "https://carillon.example/oauth/callback/threads",
        state: "s",
        code_verifier: "v".repeat(64),
        code: "c0de"
      })
      yield* platform.refresh(credentials("1969-12-30T00:00:00.000Z"))
      for (const values of kinds) {
        const { handle } = yield* prepare(values)
        const one = post(values)
        const done = yield* platform.commit(one, credentials(), handle)
        yield* platform.confirm(one, credentials(), handle, done as never)
        yield* platform.reconcile(one, credentials(), handle, noneTaken)
      }
      const asked = new Set(received.map(held))
      assert.deepStrictEqual(
        checklist.filter((rule) => !asked.has(rule)).map(({ call }) => call.source),
        []
      )
    })
  )
})
