import type { Platform } from "@carillon/server/platforms/Platform"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClientRequest, UrlParams } from "effect/http"
import { type Row, rows } from "./AdapterRows.ts"
import { carriedOut, connectedAs } from "./Attempt.ts"
import { somebody } from "./Publisher.ts"
import { recorded } from "./Wiretap.ts"

interface Rule {
  /** Method and address. */
  readonly call: RegExp
  readonly headers: Readonly<Record<string, RegExp>>
  /** The keys of the query or of the body, with `[]` for the items of lists: which there have to be, and which there may be. */
  readonly query?: ReadonlyArray<string>
  readonly must?: ReadonlyArray<string>
  readonly may?: ReadonlyArray<string>
  /** The page of learn.microsoft.com/linkedin, and what it says. */
  readonly because: string
}

const bearer = { authorization: /^Bearer \S+$/ }
const versioned = { ...bearer, "linkedin-version": /^20\d{4}$/, "x-restli-protocol-version": /^2\.0\.0$/ }
const form = { "content-type": /^application\/x-www-form-urlencoded$/ }
const json = { ...versioned, "content-type": /^application\/json$/ }
const urn = "urn%3Ali%3A"

/** LinkedIn has no official description: these are the lines of its documents. */
const checklist: ReadonlyArray<Rule> = [
  {
    call: /^POST www\.linkedin\.com\/oauth\/v2\/accessToken$/,
    headers: form,
    must: ["grant_type", "client_id", "client_secret"],
    may: ["code", "redirect_uri", "refresh_token"],
    because:
      "shared/authentication/authorization-code-flow: a form with the code, the app's id and secret and the redirect URL; programmatic-refresh-tokens: or with the refresh token"
  },
  {
    call: /^POST www\.linkedin\.com\/oauth\/v2\/revoke$/,
    headers: form,
    must: ["client_id", "client_secret", "token"],
    because: "shared/authentication: the app names itself and the token"
  },
  {
    call: /^GET api\.linkedin\.com\/v2\/userinfo$/,
    headers: bearer,
    because: "consumer/integrations/self-serve/sign-in-with-linkedin-v2: the token alone"
  },
  {
    call: /^GET api\.linkedin\.com\/rest\/organizationAcls$/,
    headers: { ...versioned, "x-restli-method": /^FINDER$/ },
    query: ["q", "state", "start", "count"],
    because: "marketing/community-management/organizations/organization-access-control: q=roleAssignee"
  },
  {
    call: /^GET api\.linkedin\.com\/rest\/organizations\/\d+$/,
    headers: versioned,
    because: "marketing/community-management/organizations/organization-lookup-api: by the number of its URN"
  },
  {
    call: /^POST api\.linkedin\.com\/rest\/(images|documents)$/,
    headers: json,
    query: ["action"],
    must: ["initializeUploadRequest.owner"],
    because: "marketing/community-management/shares/images-api and documents-api: the owner alone"
  },
  {
    call: /^POST api\.linkedin\.com\/rest\/videos$/,
    headers: json,
    query: ["action"],
    may: [
      ...["owner", "fileSizeBytes", "uploadCaptions", "uploadThumbnail"].map(
        (key) => `initializeUploadRequest.${key}`
      ),
      ...["video", "uploadToken", "uploadedPartIds[]"].map((key) => `finalizeUploadRequest.${key}`)
    ],
    because: "marketing/community-management/shares/videos-api: the size at the start, the ETags at the end"
  },
  {
    call: /^PUT www\.linkedin\.com\/dms-uploads\/\S+$/,
    headers: { "content-type": /^(image|application)\// },
    query: ["signature"],
    because:
      "marketing/community-management/shares/images-api and videos-api: the bytes, at the address that was given, as it was given"
  },
  {
    call: new RegExp(`^GET api\\.linkedin\\.com/rest/(images/${urn}image|videos/${urn}video)%3A[\\w-]+$`),
    headers: versioned,
    because: "shared/api-guide/concepts/protocol-version: a URN in a path is percent-encoded"
  },
  {
    call: /^POST api\.linkedin\.com\/rest\/posts$/,
    headers: json,
    must: [
      "author",
      "commentary",
      "visibility",
      "distribution.feedDistribution",
      "lifecycleState",
      "isReshareDisabledByAuthor"
    ],
    may: [
      "distribution.targetEntities[]",
      "distribution.thirdPartyDistributionChannels[]",
      ...["id", "title", "altText"].map((key) => `content.media.${key}`),
      ...["id", "altText"].map((key) => `content.multiImage.images[].${key}`),
      ...["source", "title", "description", "thumbnail"].map((key) => `content.article.${key}`),
      "content.poll.question",
      "content.poll.options[].text",
      "content.poll.settings.duration"
    ],
    because: "marketing/community-management/shares/posts-api: the schema of a post"
  },
  {
    call: /^GET api\.linkedin\.com\/rest\/posts$/,
    headers: { ...versioned, "x-restli-method": /^FINDER$/ },
    query: ["q", "author", "count", "start", "sortBy"],
    because: "marketing/community-management/shares/posts-api: find posts by authors"
  }
]

/** The keys of a value; an empty list or object is one too. */
const keysOf = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(value))
    return value.length === 0 ? [`${path}[]`] : value.flatMap((item) => keysOf(item, `${path}[]`))
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path === "" ? key : `${path}.${key}`))
    : [path]
}

const bodyKeys = ({ body, headers }: HttpClientRequest.HttpClientRequest): Array<string> => {
  if (body._tag !== "Uint8Array") return []
  const text = Buffer.from(body.body).toString()
  const type = headers["content-type"] ?? ""
  if (type.startsWith("application/json")) return [...new Set(keysOf(JSON.parse(text)))]
  return type.startsWith("application/x-www-form-urlencoded") ? [...new URLSearchParams(text).keys()] : []
}

const queryKeys = ({ url, urlParams }: HttpClientRequest.HttpClientRequest) => [
  ...new URL(url).searchParams.keys(),
  ...new URLSearchParams(UrlParams.toString(urlParams)).keys()
]

/** Holds a request against the list; gives the rule of it. */
const held = (request: HttpClientRequest.HttpClientRequest, testNetwork: string): Rule => {
  const address = request.url.replace(`${testNetwork}/`, "").split("?", 1)[0]!
  const call = `${request.method} ${address}`
  const found = checklist.filter((rule) => rule.call.test(call))
  assert.lengthOf(found, 1, call)
  const rule = found[0]!
  const { because, headers, may = [], must = [], query = [] } = rule
  const what = `${call}: ${because}`
  for (const [name, form] of Object.entries(headers))
    assert.match(request.headers[name] ?? "", form, `${name}, ${what}`)
  assert.sameMembers(queryKeys(request), [...query], what)
  const keys = bodyKeys(request)
  assert.includeMembers(keys, [...must], what)
  assert.includeMembers([...must, ...may], keys, what)
  return rule
}

const ours = rows.filter(({ network }) => network === "linkedin")

/** All that a person and their account ask LinkedIn: the sign-in, the post, a lost reply, a renewal and the end. */
const everything = Effect.fnUntraced(function* (row: Row) {
  const sent: Array<HttpClientRequest.HttpClientRequest> = []
  const person = yield* somebody(row, { through: (client) => recorded(client, sent) })
  const account = yield* connectedAs(person, row, "media")
  yield* account.script({ on: "post", fault: "effect_then_lost_reply" })
  assert.strictEqual((yield* carriedOut(account)).end, "published")
  const platform: Platform = account.platform
  const { credentials } = yield* Effect.orElseSucceed(platform.refresh(account.credentials), () => account)
  assert.strictEqual(yield* platform.revocation!.revoke(credentials), "revoked")
  return sent.map((request) => held(request, person.url))
})

layer(Layer.merge(SharedSandbox, NodeHttpClient.layerUndici), { excludeTestServices: true })(
  "what LinkedIn is asked",
  (it) => {
    it.effect(
      "is what its documents say, in every call of every kind of post, and no line is left over",
      () =>
        Effect.gen(function* () {
          const asked = new Set((yield* Effect.forEach(ours, everything)).flat())
          assert.deepStrictEqual(
            checklist.filter((rule) => !asked.has(rule)).map(({ call }) => call.source),
            []
          )
        })
    )
  }
)
