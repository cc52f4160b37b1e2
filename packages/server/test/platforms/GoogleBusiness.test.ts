import type { ErrorClass } from "@carillon/domain"
import { Accepted, PublishError, type PublishRequest } from "@carillon/server/platforms/Platform"
import { withSharedClient } from "@carillon/server/platforms/google/SharedClient"
import { makeGoogleBusiness } from "@carillon/server/platforms/google_business/GoogleBusiness"
import { refuseApi } from "@carillon/server/platforms/google_business/GoogleBusinessErrors"
import { postBody } from "@carillon/server/platforms/google_business/PostBody"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"
import { dueAt, image, live, noneTaken, request, savedHandles, takenAre } from "./TestRequest.ts"

const [account, location] = ["accounts/11", "locations/22"]
const parent = `${account}/${location}`
const [id, search] = [`${location}/localPosts/33`, "https://local.google.example/posts/33"]
const scope = "https://www.googleapis.com/auth/business.manage"
const stored = { access_token: "t0ken", refresh_token: "r3fresh", scope, account, person: account }
const credentials = Redacted.make(stored)
const post = (values: Partial<PublishRequest> = {}) =>
  request({ remote_id: location, username: "Bell Shop", ...values })

const ok = (json: unknown): Reply => ({ status: 200, json })
const localPost = (state: string, more: object = {}) => ({
  name: `${account}/${id}`,
  state,
  summary: "Hello",
  ...more
})

const googleBusiness = Effect.fn("googleBusiness")(function* (script: (request: Received) => Reply) {
  const server = yield* scriptedServer(script)
  const at = (host: string) => `${server.url}/${host}`
  const app = { id: "business", secret: Redacted.make("a-very-s3cret-value"), at, stand_in: true }
  const platform = makeGoogleBusiness(yield* HttpClient.HttpClient, app, {
    settle_wait: Duration.seconds(10)
  })
  return { app, platform, server }
})

const rpc = (status: string, message: string, ...details: ReadonlyArray<object>) => ({
  error: { status, message, details }
})
const noQuota = rpc("RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Requests'.", {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "RATE_LIMIT_EXCEEDED",
  metadata: { quota_limit: "DefaultRequestsPerMinutePerProject", quota_limit_value: "0" }
})
const onField = (field: string, message: string) =>
  rpc("INVALID_ARGUMENT", "Request contains an invalid argument.", { errorDetails: [{ field, message }] })

describe("what Google refuses of a local post", () => {
  it.each([
    [401, rpc("UNAUTHENTICATED", "Invalid credentials."), "reconnect", "UNAUTHENTICATED"],
    [
      403,
      rpc("PERMISSION_DENIED", "Too few scopes.", { reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }),
      "reconnect",
      "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    ],
    [403, rpc("PERMISSION_DENIED", "The caller does not have permission"), "forbidden", "PERMISSION_DENIED"],
    [403, noQuota, "config", "access_not_granted"],
    [
      403,
      rpc("PERMISSION_DENIED", "It has not been used before.", { reason: "SERVICE_DISABLED" }),
      "config",
      "SERVICE_DISABLED"
    ],
    [404, rpc("NOT_FOUND", "Requested entity was not found."), "forbidden", "NOT_FOUND"],
    [409, rpc("ABORTED", "Conflict."), "transient", "ABORTED"],
    [400, rpc("FAILED_PRECONDITION", "Precondition failed."), "forbidden", "FAILED_PRECONDITION"],
    [400, onField("summary", "is too long"), "invalid", "INVALID_ARGUMENT"],
    [400, onField("media[0].source_url", "Could not fetch the URL"), "media_unreachable", "INVALID_ARGUMENT"],
    [400, onField("media.media_format", "is too small"), "media_rejected", "INVALID_ARGUMENT"],
    [
      400,
      rpc("INVALID_ARGUMENT", "Bad.", { fieldViolations: [{ field: "event", description: "is needed" }] }),
      "invalid",
      "INVALID_ARGUMENT"
    ],
    [413, null, "media_rejected", "http_413"],
    [400, "not what is documented", "invalid", "http_400"]
  ] as ReadonlyArray<readonly [number, unknown, ErrorClass, string]>)(
    "with %s %j is of its class",
    (status, body, expected, code) => {
      const refused = refuseApi({ status, body })
      assert.deepStrictEqual([refused.class, refused.code], [expected, code])
      assert.strictEqual(refused.token_expired ?? false, status === 401)
      assert.match(refused.message, /^[A-Z].+[.!)"]$/)
    }
  )

  it("names the field", () => {
    assert.include(
      refuseApi({ status: 400, body: onField("summary", "is too long") }).message,
      "summary: is too long"
    )
  })
})

describe("the body of a local post", () => {
  const event = { event_title: "Open day", event_start: "2026-12-24T10:30", event_end: "2026-12-25T18:00" }

  it("is what a text alone needs, and a picture is an address", () => {
    assert.deepStrictEqual(postBody(post(), undefined), { summary: "Hello", topicType: "STANDARD" })
    assert.deepStrictEqual(postBody(post({ caption: "" }), "https://a.example/1.jpg"), {
      topicType: "STANDARD",
      media: [{ mediaFormat: "PHOTO", sourceUrl: "https://a.example/1.jpg" }]
    })
  })

  it.each([
    ["CALL", undefined, { actionType: "CALL" }],
    ["BOOK", "https://a.example/", { actionType: "BOOK", url: "https://a.example/" }]
  ])("has the button %s and the language", (cta_action_type, cta_url, callToAction) => {
    const options = { cta_action_type, ...(cta_url === undefined ? {} : { cta_url }), language_code: "de" }
    assert.deepInclude(postBody(post({ options }), undefined), { callToAction, languageCode: "de" })
  })

  it("has the hours of an event as they were written, and none for whole days", () => {
    assert.deepInclude(postBody(post({ options: { topic_type: "EVENT", ...event } }), undefined), {
      topicType: "EVENT",
      event: {
        title: "Open day",
        schedule: {
          startDate: { year: 2026, month: 12, day: 24 },
          startTime: { hours: 10, minutes: 30, seconds: 0, nanos: 0 },
          endDate: { year: 2026, month: 12, day: 25 },
          endTime: { hours: 18, minutes: 0, seconds: 0, nanos: 0 }
        }
      }
    })
    const days = { ...event, event_start: "2026-12-24", event_end: "2026-12-24" }
    const day = { year: 2026, month: 12, day: 24 }
    assert.deepInclude(postBody(post({ options: { topic_type: "EVENT", ...days } }), undefined), {
      event: { title: "Open day", schedule: { startDate: day, endDate: day } }
    })
  })

  it("has what an offer says", () => {
    const options = {
      topic_type: "OFFER",
      ...event,
      offer_coupon_code: "BELL",
      offer_redeem_url: "https://a.example/redeem",
      offer_terms: "Once."
    }
    assert.deepInclude(postBody(post({ options }), undefined), {
      topicType: "OFFER",
      offer: { couponCode: "BELL", redeemOnlineUrl: "https://a.example/redeem", termsConditions: "Once." }
    })
  })
})

const consent = {
  login: "google_business",
  redirect_uri: "https://carillon.example/oauth/callback/google_business",
  state: "state",
  code_verifier: "v".repeat(64),
  code: "c0de"
}
const tokens = { access_token: "t0ken", refresh_token: "r3fresh", expires_in: 3599, scope }
const shop = (id: string, values: object = {}) => ({
  name: `locations/${id}`,
  title: "Bell Shop",
  metadata: { canOperateLocalPost: true },
  ...values
})
const address = { addressLines: ["1 High Street"], locality: "London" }

/** A person with an account of their own and a group, whose lists have two pages. */
const googleOf =
  (posts: (request: Received) => Reply) =>
  (request: Received): Reply => {
    const { path, query } = request
    if (path.endsWith("/token")) return ok(tokens)
    if (path.endsWith("/revoke")) return ok({})
    if (path.endsWith("/v1/accounts"))
      return ok(
        query["pageToken"] === undefined
          ? { accounts: [{ name: account, type: "PERSONAL" }], nextPageToken: "2" }
          : { accounts: [{ name: "accounts/12", type: "LOCATION_GROUP" }] }
      )
    if (path.endsWith(`/v1/${account}/locations`)) return ok({ locations: [shop("22")] })
    if (path.endsWith("/v1/accounts/12/locations"))
      return ok(
        query["pageToken"] === undefined
          ? { locations: [shop("22"), shop("23", { storefrontAddress: address })], nextPageToken: "2" }
          : { locations: [shop("24", { metadata: { canOperateLocalPost: false } }), shop("25")] }
      )
    return posts(request)
  }

const noPosts = () => ok({})

layer(NodeHttpClient.layerUndici, { excludeTestServices: true })("Google Business at the wire", (it) => {
  it.effect("offers each location once that can have posts, of every account", () =>
    Effect.gen(function* () {
      const { platform } = yield* googleBusiness(googleOf(noPosts))
      const found = yield* platform.oauth!.exchange(consent)
      assert.deepStrictEqual(
        found.map(({ credentials: held, display_name, remote_id, username }) => [
          remote_id,
          username,
          display_name,
          Redacted.value(held)["account"],
          Redacted.value(held)["person"]
        ]),
        [
          ["locations/22", "Bell Shop", "Bell Shop", account, account],
          ["locations/23", "Bell Shop", "Bell Shop, 1 High Street, London", "accounts/12", account],
          ["locations/25", "Bell Shop", "Bell Shop", "accounts/12", account]
        ]
      )
    })
  )

  it.effect.each([
    ["no_accounts", "forbidden", (path: string) => (path.endsWith("/token") ? ok(tokens) : ok({}))],
    ["scopes_missing", "reconnect", () => ok({ ...tokens, scope: "openid" })],
    [
      "access_not_granted",
      "config",
      (path: string): Reply => (path.endsWith("/token") ? ok(tokens) : { status: 429, json: noQuota })
    ]
  ] as const)("says %s of a sign-in that opens nothing", ([code, errorClass, script]) =>
    Effect.gen(function* () {
      const { platform } = yield* googleBusiness(({ path }) => script(path))
      const failure = yield* Effect.flip(platform.oauth!.exchange(consent))
      assert.deepStrictEqual([failure.class, failure.code], [errorClass, code])
    })
  )

  it.effect("keeps the way to the location when its access is renewed", () =>
    Effect.gen(function* () {
      const { platform } = yield* googleBusiness(() => ok({ access_token: "new", expires_in: 3599, scope }))
      const renewed = yield* platform.refresh(credentials)
      assert.deepStrictEqual(Redacted.value(renewed.credentials), { ...stored, access_token: "new" })
    })
  )

  it.effect("has a post that is live at once, with its address", () =>
    Effect.gen(function* () {
      const { platform, server } = yield* googleBusiness(({ method }) =>
        ok(localPost("LIVE", method === "GET" ? { searchUrl: search } : {}))
      )
      const data = live(yield* platform.commit(post(), credentials, { seen: [] }))
      assert.deepStrictEqual(data, { id, url: null, username: "Bell Shop", review: "approved" })
      assert.deepStrictEqual(yield* platform.confirm(post(), credentials, {}, data), { ...data, url: search })
      assert.deepStrictEqual(
        server.received.map(({ method, path }) => `${method} ${path}`),
        [
          `POST /mybusiness.googleapis.com/v4/${parent}/localPosts`,
          `GET /mybusiness.googleapis.com/v4/${account}/${id}`
        ]
      )
    })
  )

  it.effect("is told at once of a post that is rejected at once", () =>
    Effect.gen(function* () {
      const { platform } = yield* googleBusiness(() => ok(localPost("REJECTED")))
      const failure = yield* Effect.flip(platform.commit(post(), credentials, { seen: [] }))
      assert.deepStrictEqual([failure.class, failure.code], ["invalid", "REJECTED"])
    })
  )

  const accepted = Effect.fnUntraced(function* (look: (looks: number) => Reply) {
    let looks = 0
    const { platform } = yield* googleBusiness(({ method }) =>
      method === "POST" ? ok(localPost("PROCESSING")) : look(++looks)
    )
    const done = yield* platform.commit(post(), credentials, { seen: [] })
    assert.instanceOf(done, Accepted)
    let { handle } = done
    while (true) {
      const found = yield* platform.reconcile(post(), credentials, handle, noneTaken)
      if (found._tag !== "working") return { found, looks }
      handle = found.handle
    }
  })

  it.effect.each([
    ["live", "LIVE", "published approved"],
    ["rejected", "REJECTED", "refused REJECTED"]
  ] as const)("asks about a post in review until it is %s", ([, state, expected]) =>
    Effect.gen(function* () {
      const { found, looks } = yield* accepted((count) =>
        ok(localPost(count < 3 ? "PROCESSING" : state, { searchUrl: search }))
      )
      assert.strictEqual(looks, 3)
      if (found._tag === "published") {
        assert.strictEqual(found.exact, true)
        assert.deepInclude(found.data, { id, url: search })
        assert.notProperty(found.data, "warnings")
      }
      const came =
        found._tag === "published"
          ? found.data.review
          : found._tag === "refused" && found.failure instanceof PublishError
            ? found.failure.code
            : ""
      assert.strictEqual(`${found._tag} ${came}`, expected)
    })
  )

  it.effect.each([
    ["that stays in review", ok(localPost("PROCESSING"))],
    ["that Google does not show", { status: 404, json: rpc("NOT_FOUND", "Not found.") }]
  ] as const)("counts a post as published after two minutes %s", ([, reply]) =>
    Effect.gen(function* () {
      const { found, looks } = yield* accepted(() => reply)
      assert.strictEqual(looks, 12)
      assert(found._tag === "published")
      assert.deepInclude(found.data, { id, review: "pending" })
      assert.match(found.data.warnings![0]!, /review/)
    })
  )

  it.effect.each([
    ["LIVE", { _tag: "approved" }],
    ["REJECTED", { _tag: "rejected", reason: null }],
    ["PROCESSING", { _tag: "pending" }],
    ["SOMETHING_NEW", { _tag: "pending" }]
  ] as const)("says of a published post that is %s how its review stands", ([state, expected]) =>
    Effect.gen(function* () {
      const { platform } = yield* googleBusiness(() => ok(localPost(state)))
      const data = { id, url: null, username: "Bell Shop", review: "pending" as const }
      assert.deepStrictEqual(yield* platform.review!({ remote_id: location, data }, credentials), expected)
    })
  )

  it.effect("ends the review of a post that Google does not find", () =>
    Effect.gen(function* () {
      const { platform } = yield* googleBusiness(() => ({
        status: 404,
        json: rpc("NOT_FOUND", "Not found.")
      }))
      const data = { id, url: null, username: "Bell Shop", review: "pending" as const }
      assert.isNull(yield* platform.review!({ remote_id: location, data }, credentials))
    })
  )

  const at = (seconds: number) => DateTime.formatIso(DateTime.add(dueAt, { seconds }))
  const listed = (id: number, seconds: number, more: object = {}) => ({
    ...localPost("LIVE"),
    name: `${parent}/localPosts/${id}`,
    topicType: "STANDARD",
    createTime: at(seconds),
    ...more
  })
  const newer = { nextPageToken: "next" }
  const lost = {
    "finds the new one of the same words": [
      { localPosts: [listed(3, 5), listed(2, 4, { summary: "Another" })] },
      "published 3"
    ],
    "finds one whose links Google has marked up": [
      { localPosts: [listed(3, 5, { summary: "hello" }), listed(4, 5, { summary: " Hello!" })] },
      "published 4"
    ],
    "knows one that was there before": [{ localPosts: [listed(1, 5)] }, "not_published"],
    "leaves out one of another result": [{ localPosts: [listed(9, 5)] }, "not_published"],
    "leaves out one from before it was due": [{ localPosts: [listed(3, -120)] }, "not_published"],
    "leaves out an event of the same words": [
      { localPosts: [listed(3, 5, { topicType: "EVENT", event: { title: "Hello" } })] },
      "not_published"
    ],
    "does not choose between two": [{ localPosts: [listed(3, 5), listed(4, 6)] }, "unknown"],
    "is refused by a rejection": [{ localPosts: [listed(3, 5, { state: "REJECTED" })] }, "refused"],
    "reads no further back than its time": [
      { localPosts: [listed(3, -120), listed(2, -180)], ...newer },
      "not_published"
    ],
    "believes in no end of a list in another order": [
      { localPosts: [listed(2, -180), listed(3, -120)], ...newer },
      "unknown"
    ]
  } as const
  it.effect.each(Object.entries(lost))("of a lost reply %s", ([, [page, expected]]) =>
    Effect.gen(function* () {
      const { platform } = yield* googleBusiness(() => ok(page))
      const seen = [`${location}/localPosts/1`]
      const taken = takenAre([`${location}/localPosts/9`])
      // Another person has connected the location since.
      const others = Redacted.make({ ...stored, account: "accounts/12" })
      const found = yield* platform.reconcile(post(), others, { seen }, taken)
      const id = found._tag === "published" ? ` ${found.data.id.split("/").at(-1)}` : ""
      assert.strictEqual(`${found._tag}${id}`, expected)
    })
  )

  it.effect("of a lost reply believes in none where the earlier posts could not be seen", () =>
    Effect.gen(function* () {
      const { platform } = yield* googleBusiness(({ method }) =>
        method === "GET" ? { status: 503 } : "reset"
      )
      const { save } = yield* savedHandles
      // Nor is the address of a picture kept, which ends before the post may be due.
      const { handle } = yield* platform.prepare(post({ media: [image("a")] }), credentials, null, save)
      assert.deepStrictEqual(handle, { seen: null })
      const failure = yield* Effect.flip(platform.commit(post(), credentials, handle))
      assert.strictEqual(failure.class, "ambiguous")
      const later = yield* googleBusiness(() => ok({ localPosts: [listed(3, 5)] }))
      const found = yield* later.platform.reconcile(post(), credentials, handle, noneTaken)
      assert.strictEqual(found._tag, "unknown")
    })
  )

  it.effect("ends a person's access with their last location, and never that of another network", () =>
    Effect.gen(function* () {
      const { app, platform } = yield* googleBusiness(() => ok({}))
      const of = (person?: string) => ({
        platform: "google_business" as const,
        remote_id: location,
        credentials: Redacted.make({ ...stored, ...(person === undefined ? {} : { person }) })
      })
      const { shared } = platform.revocation!
      assert.isTrue(shared(of(), { ...of(), remote_id: "locations/23" }))
      assert.isFalse(shared(of(), of("accounts/99")))
      const real = { ...app, stand_in: false }
      const channel = { ...of("accounts/99"), platform: "youtube" as const }
      const asked = (mine: typeof app, other?: typeof app) => {
        const { beside = [], shared } = withSharedClient(platform, mine, "youtube", other).revocation!
        return [...beside, shared(of(account), channel), shared(of(account), of("accounts/99"))]
      }
      const alone = [false, false]
      assert.deepStrictEqual(
        [asked(real), asked(real, { ...real, id: "youtube" }), asked(real, real), asked(app, app)],
        [alone, alone, ["youtube", true, false], alone]
      )
    })
  )

  interface Rule {
    readonly call: RegExp
    readonly query?: ReadonlyArray<string>
    readonly must?: ReadonlyArray<string>
    readonly may?: ReadonlyArray<string>
  }
  const moment = (which: string) => [
    ...["year", "month", "day"].map((part) => `event.schedule.${which}Date.${part}`),
    ...["hours", "minutes", "seconds", "nanos"].map((part) => `event.schedule.${which}Time.${part}`)
  ]
  /** By the document that says so. */
  const checklist: Readonly<Record<string, Rule>> = {
    "https://developers.google.com/identity/protocols/oauth2/web-server": {
      call: /^POST oauth2\.googleapis\.com\/token$/,
      must: ["grant_type", "client_id", "client_secret"],
      may: ["code", "redirect_uri", "code_verifier", "refresh_token"]
    },
    "https://developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke": {
      call: /^POST oauth2\.googleapis\.com\/revoke$/,
      must: ["token"]
    },
    "https://developers.google.com/my-business/reference/accountmanagement/rest/v1/accounts/list": {
      call: /^GET mybusinessaccountmanagement\.googleapis\.com\/v1\/accounts$/,
      query: ["pageSize", "pageToken"]
    },
    "https://developers.google.com/my-business/reference/businessinformation/rest/v1/accounts.locations/list":
      {
        call: /^GET mybusinessbusinessinformation\.googleapis\.com\/v1\/accounts\/\d+\/locations$/,
        query: ["readMask", "pageSize", "pageToken"]
      },
    "https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/create": {
      call: /^POST mybusiness\.googleapis\.com\/v4\/accounts\/\d+\/locations\/\d+\/localPosts$/,
      must: ["topicType"],
      may: [
        "languageCode",
        "summary",
        "callToAction.actionType",
        "callToAction.url",
        "event.title",
        ...moment("start"),
        ...moment("end"),
        "offer.couponCode",
        "offer.redeemOnlineUrl",
        "offer.termsConditions",
        "media[].mediaFormat",
        "media[].sourceUrl"
      ]
    },
    "https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/list": {
      call: /^GET mybusiness\.googleapis\.com\/v4\/accounts\/\d+\/locations\/\d+\/localPosts$/,
      query: ["pageSize", "pageToken"]
    },
    "https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/get": {
      call: /^GET mybusiness\.googleapis\.com\/v4\/accounts\/\d+\/locations\/\d+\/localPosts\/\d+$/
    }
  }

  const keysOf = (value: unknown, path = ""): ReadonlyArray<string> =>
    Array.isArray(value)
      ? value.flatMap((item) => keysOf(item, `${path}[]`))
      : typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path === "" ? key : `${path}.${key}`))
        : [path]

  /** The document of a request, which has to be as it says. */
  const held = ({ body, headers, method, path, query }: Received): string => {
    const call = `${method} ${path.slice(1)}`
    const found = Object.entries(checklist).filter(([, rule]) => rule.call.test(call))
    assert.lengthOf(found, 1, call)
    const [document, { may = [], must = [], query: allowed = [] }] = found[0]!
    assert.includeMembers([...allowed], Object.keys(query), document)
    const text = body.toString()
    const isJson = headers["content-type"] === "application/json"
    const keys = isJson ? keysOf(JSON.parse(text)) : [...new URLSearchParams(text).keys()]
    assert.includeMembers([...keys], [...must], document)
    assert.includeMembers([...must, ...may], [...keys], document)
    if (!path.startsWith("/oauth2")) assert.strictEqual(headers.authorization, "Bearer t0ken", document)
    return document
  }

  it.effect(
    "asks what the documents say, in every call of every kind of post, and no line is left over",
    () =>
      Effect.gen(function* () {
        const event = {
          event_title: "Open day",
          event_start: "2026-12-24T10:30",
          event_end: "2026-12-25T18:00"
        }
        const kinds = [
          { cta_action_type: "BOOK", cta_url: "https://a.example/", language_code: "en" },
          { topic_type: "EVENT", ...event },
          { topic_type: "OFFER", ...event, offer_coupon_code: "BELL", offer_terms: "Once." }
        ]
        const { platform, server } = yield* googleBusiness(
          googleOf(({ method, path }) =>
            ok(method === "POST" || path.endsWith("/33") ? localPost("LIVE") : { localPosts: [], ...newer })
          )
        )
        const [first] = yield* platform.oauth!.exchange(consent)
        const { save } = yield* savedHandles
        for (const options of kinds) {
          const one = post({ options, media: [image("a")] })
          const { handle } = yield* platform.prepare(one, first!.credentials, null, save)
          const data = live(yield* platform.commit(one, first!.credentials, handle))
          yield* platform.confirm(one, first!.credentials, handle, data)
          yield* platform.review!({ remote_id: location, data }, first!.credentials)
          yield* platform.reconcile(one, first!.credentials, handle, noneTaken)
        }
        const renewed = yield* platform.refresh(first!.credentials)
        assert.strictEqual(yield* platform.revocation!.revoke(renewed.credentials), "revoked")
        assert.sameMembers([...new Set(server.received.map(held))], Object.keys(checklist))
      })
  )
})
