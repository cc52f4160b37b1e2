import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json, send } from "./PlatformClient.ts"

const ofPeople = ["openid", "profile", "w_member_social"]
const ofPages = ["w_organization_social", "r_organization_social", "rw_organization_admin"]
const redirect_uri = "http://127.0.0.1:9/callback"
const app = { client_id: "an-app", client_secret: "sandbox" }

const consentPath = (scopes: ReadonlyArray<string>) =>
  `/www.linkedin.com/oauth/v2/authorization?${new URLSearchParams({
    client_id: app.client_id,
    redirect_uri,
    response_type: "code",
    scope: scopes.join(" "),
    state: "s"
  })}`

const codeOf = (username: string, scopes: ReadonlyArray<string>) =>
  Effect.map(
    send(consentPath(scopes), {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams([
        ["username", username],
        ["decision", "allow"],
        ...scopes.map((scope): [string, string] => ["scope", scope])
      ])
    }),
    ({ headers }) => new URL(headers.get("location")!).searchParams.get("code")!
  )

const formOf = (path: string, form: Record<string, string>) =>
  send(`/www.linkedin.com/oauth/v2/${path}`, { method: "POST", body: new URLSearchParams(form) })

const tokenOf = (form: Record<string, string>) => formOf("accessToken", { ...app, ...form })

const redeem = (code: string, changes: Record<string, string> = {}) =>
  tokenOf({ grant_type: "authorization_code", code, redirect_uri, ...changes })

const versioned = { "linkedin-version": "202607", "x-restli-protocol-version": "2.0.0" }

const clientOf = Effect.fnUntraced(function* (username: string, scopes: ReadonlyArray<string> = ofPeople) {
  const { body } = yield* redeem(yield* codeOf(username, scopes))
  const authorization = `Bearer ${body.access_token}`
  const rest = (path: string, init: RequestInit = {}, headers: Record<string, string> = versioned) =>
    send(`/api.linkedin.com/rest${path}`, {
      ...init,
      headers: { authorization, ...(init.headers as Record<string, string>), ...headers }
    })
  const call = (path: string, value: unknown) => rest(path, json(value))
  const profile = yield* send("/api.linkedin.com/v2/userinfo", { headers: { authorization } })
  return { username, tokens: body, authorization, rest, call, profile }
})
type Client = Effect.Success<ReturnType<typeof clientOf>>

const memberOf = ({ profile }: Client) => `urn:li:person:${profile.body.sub}`

const organizationsOf = ({ rest }: Client, start = 0, count = 100) =>
  Effect.map(
    rest(`/organizationAcls?q=roleAssignee&state=APPROVED&start=${start}&count=${count}`),
    ({ body }) => body.elements as Array<{ organization: string; role: string }>
  )

const person = Effect.fnUntraced(function* (username: string) {
  const client = yield* clientOf(username)
  return { ...client, urn: memberOf(client) }
})

const page = Effect.fnUntraced(function* (username: string) {
  const client = yield* clientOf(username, ofPages)
  const [first] = yield* organizationsOf(client)
  return { ...client, urn: first!.organization }
})
type Author = Effect.Success<ReturnType<typeof person>>

const draft = ({ urn }: Author, values: object = {}) => ({
  author: urn,
  commentary: "Hello",
  visibility: "PUBLIC",
  distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: "PUBLISHED",
  isReshareDisabledByAuthor: false,
  ...values
})

const posted = (author: Author, values?: object) => author.call("/posts", draft(author, values))

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("a picture")])

const put = ({ authorization }: Author, url: string, bytes: Buffer) =>
  send(url, { method: "PUT", headers: { authorization }, body: new Uint8Array(bytes) })

const picture = Effect.fnUntraced(function* (author: Author, bytes = jpeg) {
  const { body } = yield* author.call("/images?action=initializeUpload", {
    initializeUploadRequest: { owner: author.urn }
  })
  return { urn: body.value.image as string, ...(yield* put(author, body.value.uploadUrl, bytes)) }
})

const codes = (answer: { readonly status: number; readonly body: any }) => [
  answer.status,
  answer.body?.code ?? answer.body?.errorDetails?.inputErrors[0].code ?? answer.body?.error
]

const said = (little: string) =>
  Effect.gen(function* () {
    const author = yield* person(`teller${++tellers}`)
    const answer = yield* posted(author, { commentary: little })
    assert.strictEqual(answer.status, 201, answer.text)
    const [publication] = yield* (yield* SandboxProcess).on("linkedin").publications(author.username)
    return publication!
  })
let tellers = 0

layer(SandboxProcess.layer, { excludeTestServices: true })("the stand-in for LinkedIn", (it) => {
  it.effect("lets an app ask for the permissions of one product only", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send(consentPath(ofPeople))).status, 200)
      const both = yield* send(consentPath([...ofPeople, ...ofPages]))
      assert.strictEqual(both.status, 400)
      assert.include(both.text, "w_organization_social")
    })
  )

  it.effect("gives a token for sixty days, and one to renew it to apps of a partner program alone", () =>
    Effect.gen(function* () {
      const { tokens } = yield* clientOf("tokens")
      assert.deepInclude(tokens, { expires_in: 5_184_000, scope: "openid,profile,w_member_social" })
      assert.notProperty(tokens, "refresh_token")
      const partner = (yield* clientOf("tokens-partner")).tokens
      const { refresh_token } = partner
      const renewed = yield* tokenOf({ grant_type: "refresh_token", refresh_token })
      assert.deepInclude(renewed.body, { refresh_token, expires_in: 5_184_000 })
      assert.isAtMost(renewed.body.refresh_token_expires_in, 31_536_000)
      assert.notStrictEqual(renewed.body.access_token, partner.access_token)
      assert.strictEqual((yield* formOf("revoke", { ...app, token: refresh_token })).status, 200)
      assert.deepStrictEqual(codes(yield* tokenOf({ grant_type: "refresh_token", refresh_token })), [
        400,
        "invalid_grant"
      ])
    })
  )

  it.effect("refuses a wrong secret and a code of another redirect address", () =>
    Effect.gen(function* () {
      const wrong = yield* redeem(yield* codeOf("wrong", ofPeople), { client_secret: "x" })
      assert.deepStrictEqual(codes(wrong), [401, "invalid_client"])
      const elsewhere = yield* redeem(yield* codeOf("wrong", ofPeople), {
        redirect_uri: "http://127.0.0.1:9/"
      })
      assert.deepStrictEqual(codes(elsewhere), [400, "invalid_request"])
    })
  )

  it.effect.each([
    ["without a version", 400, "VERSION_MISSING", { "x-restli-protocol-version": "2.0.0" }],
    [
      "of a version that has ended",
      426,
      "NONEXISTENT_VERSION",
      { ...versioned, "linkedin-version": "202511" }
    ],
    ["of a day", 426, "NONEXISTENT_VERSION", { ...versioned, "linkedin-version": "20260701" }],
    ["of no protocol", 400, "ILLEGAL_ARGUMENT", { "linkedin-version": "202607" }]
  ] as const)("refuses a call %s with %d %s", ([, status, code, headers]) =>
    Effect.gen(function* () {
      const { rest } = yield* clientOf("headers", ofPages)
      const answer = yield* rest("/organizationAcls?q=roleAssignee", {}, headers)
      assert.deepStrictEqual(codes(answer), [status, code])
    })
  )

  it.effect("shows the organizations of a person on pages, with the one that allows nothing", () =>
    Effect.gen(function* () {
      const all = (username: string) =>
        Effect.gen(function* () {
          const client = yield* clientOf(username, ofPages)
          const pages = yield* Effect.forEach([0, 25, 50, 75], (start) => organizationsOf(client, start, 25))
          return { client, pages }
        })
      const one = yield* all("boss")
      assert.deepStrictEqual(
        one.pages.map((elements) => elements.length),
        [1, 0, 0, 0]
      )
      const { client, pages } = yield* all("boss-sixty")
      assert.deepStrictEqual(
        pages.map((elements) => elements.length),
        [25, 25, 11, 0]
      )
      const roles = pages.flat()
      assert.lengthOf(
        roles.filter(({ role }) => role !== "ANALYST"),
        60
      )
      assert.strictEqual(new Set(roles.map(({ organization }) => organization)).size, 61)
      const last = roles.at(-1)!.organization.split(":").at(-1)
      const { body } = yield* client.rest(`/organizations/${last}`)
      assert.deepInclude(body, { id: Number(last), vanityName: "boss-page60", localizedName: "Boss Page60" })
      const analyst = roles.find(({ role }) => role === "ANALYST")!.organization
      const refusal = yield* posted({ ...client, urn: analyst })
      assert.deepStrictEqual(codes(refusal), [403, "ACCESS_DENIED"])
      assert.deepStrictEqual(yield* organizationsOf(yield* clientOf("boss-nopages", ofPages)), [])
    })
  )

  it.effect.each([
    [
      "escaped",
      String.raw`1 \(one\) \* \_ \~ \<b\> \[x\] \{y\} \@z \| \\ \#tag`,
      String.raw`1 (one) * _ ~ <b> [x] {y} @z | \ #tag`
    ],
    ["a parenthesis", "Hello (world)", "Hello "],
    ["an underscore", "snake_case", "snake"],
    ["a lone backslash", String.raw`a\b`, "a"],
    ["an e-mail address", "me@example.com", "me"],
    ["a hashtag", "Hi #bells now", "Hi #bells now"],
    ["a hashtag as a template", String.raw`Hi {hashtag|\#|bells\_2} now`, "Hi #bells_2 now"],
    ["a mention", "Hi @[Acme \\(US\\)](urn:li:organization:12), hi", "Hi Acme (US), hi"],
    ["another template", "Hi {name|x} now", "Hi "]
  ] as const)("shows of a text with %s what LinkedIn shows", ([, little, shown]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* said(little)).text, shown)
    })
  )

  it.effect("tells of mentions and hashtags", () =>
    Effect.gen(function* () {
      const { details } = yield* said("@[Acme](urn:li:organization:12) #one {hashtag|#|two}")
      assert.deepInclude(details, {
        mentions: [{ name: "Acme", urn: "urn:li:organization:12" }],
        hashtags: ["one", "two"]
      })
    })
  )

  it.effect("refuses what the author has posted before, with its URN, and only that", () =>
    Effect.gen(function* () {
      const author = yield* person("twice")
      const urn = (yield* posted(author)).headers.get("x-restli-id")!
      assert.match(urn, /^urn:li:share:\d{19}$/)
      const again = yield* posted(author)
      assert.deepStrictEqual(codes(again), [422, "DUPLICATE_POST"])
      assert.include(again.body.message, urn)
      assert.strictEqual((yield* posted(author, { commentary: "Hello again" })).status, 201)
      assert.strictEqual((yield* posted(yield* person("somebody-else"))).status, 201)
    })
  )

  it.effect.each([
    ["another's name", { author: "urn:li:person:abc" }, 403, "ACCESS_DENIED"],
    ["an organization without its permission", { author: "urn:li:organization:1" }, 403, "ACCESS_DENIED"],
    ["a field that it does not know", { subtitle: "x" }, 403, "ACCESS_DENIED"],
    ["content that is null", { content: null }, 422, "INVALID_VALUE_FOR_FIELD"],
    ["3,001 characters", { commentary: "🔔".repeat(3001) }, 422, "FIELD_LENGTH_TOO_LONG"],
    ["nothing", { commentary: "" }, 422, "MISSING_FIELD"],
    ["two kinds of content", { content: { article: {}, poll: {} } }, 422, "INVALID_VALUE_FOR_FIELD"],
    ["a file that is not there", { content: { media: { id: "urn:li:image:x" } } }, 404, "NOT_FOUND"],
    [
      "a repost of what is gone",
      { reshareContext: { parent: "urn:li:share:7599999999999999999" } },
      404,
      "NOT_FOUND"
    ]
  ] as const)("refuses a post with %s", ([, values, status, code]) =>
    Effect.gen(function* () {
      const author = yield* person("refused")
      const answer = yield* posted(author, values)
      assert.deepStrictEqual(codes(answer), [status, code], answer.text)
    })
  )

  it.effect("names the field that is wrong", () =>
    Effect.gen(function* () {
      const author = yield* person("fields")
      const options = [{ text: "Yes" }, { text: "x".repeat(31) }]
      const poll = { question: "Well?", options, settings: { duration: "ONE_DAY" } }
      const answer = yield* posted(author, { content: { poll } })
      const [{ input }] = answer.body.errorDetails.inputErrors
      assert.strictEqual(input.inputPath.fieldPath, "content/poll/options/1/text")
      const unknown = yield* posted(author, { content: { media: { id: "urn:li:image:x", caption: "x" } } })
      assert.include(unknown.body.message, "[/content/media/caption]")
    })
  )

  it.effect("publishes pictures, and says of an organization's alone what they have become", () =>
    Effect.gen(function* () {
      for (const author of [yield* person("pictures"), yield* page("pictures")]) {
        const [first, second] = [yield* picture(author), yield* picture(author)]
        assert.strictEqual(first.status, 201)
        const status = yield* author.rest(`/images/${encodeURIComponent(first.urn)}`)
        if (author.urn.includes("person")) assert.deepStrictEqual(codes(status), [403, "ACCESS_DENIED"])
        else assert.strictEqual(status.body.status, "AVAILABLE")
        const images = [{ id: first.urn, altText: "Red" }, { id: second.urn }]
        assert.strictEqual((yield* posted(author, { content: { multiImage: { images } } })).status, 201)
      }
      const published = yield* (yield* SandboxProcess).on("linkedin").publications("pictures")
      for (const { media } of published) {
        assert.deepStrictEqual(
          media.map(({ alt_text, content_type }) => [content_type, alt_text]),
          [
            ["image/jpeg", "Red"],
            ["image/jpeg", null]
          ]
        )
      }
      assert.lengthOf(published, 2)
    })
  )

  it.effect("takes no address of an upload that is over, and none whose secret is another", () =>
    Effect.gen(function* () {
      const author = yield* person("late")
      const start = Effect.map(
        author.call("/images?action=initializeUpload", { initializeUploadRequest: { owner: author.urn } }),
        ({ body }) => body.value.uploadUrl as string
      )
      yield* (yield* SandboxProcess)
        .on("linkedin")
        .script("late", [{ on: "upload_start", fault: "short_lived", seconds: 0 }])
      assert.deepStrictEqual(codes(yield* put(author, yield* start, jpeg)), [400, "EXPIRED_UPLOAD_URL"])
      const forged = (yield* start).replace(/signature=.*/, "signature=x")
      assert.deepStrictEqual(codes(yield* put(author, forged, jpeg)), [403, "ACCESS_DENIED"])
    })
  )

  it.effect.each([
    ["waits for its bytes", null, "MEDIA_ASSET_WAITING_UPLOAD"],
    ["is being processed", jpeg, "MEDIA_ASSET_PROCESSING"],
    ["is none", Buffer.from("<svg>"), "MEDIA_ASSET_PROCESSING_FAILED"]
  ] as const)("shows no picture that %s", ([, bytes, code]) =>
    Effect.gen(function* () {
      const author = yield* person("unready")
      yield* (yield* SandboxProcess)
        .on("linkedin")
        .script("unready", bytes === jpeg ? [{ on: "media", fault: "processing", polls: 1 }] : [])
      const { body } = yield* author.call("/images?action=initializeUpload", {
        initializeUploadRequest: { owner: author.urn }
      })
      if (bytes !== null) yield* put(author, body.value.uploadUrl, bytes)
      const content = { media: { id: body.value.image } }
      assert.deepStrictEqual(codes(yield* posted(author, { content })), [400, code])
      if (bytes === jpeg) assert.strictEqual((yield* posted(author, { content })).status, 201)
    })
  )

  it.effect("puts a video together of ranges in any order, by their ETags in the right one", () =>
    Effect.gen(function* () {
      const author = yield* person("film")
      const bytes = Buffer.alloc(9_000_000, "bells")
      const { body } = yield* author.call("/videos?action=initializeUpload", {
        initializeUploadRequest: {
          owner: author.urn,
          fileSizeBytes: bytes.length,
          uploadCaptions: false,
          uploadThumbnail: true
        }
      })
      const { thumbnailUploadUrl, uploadInstructions, uploadToken, video } = body.value
      assert.lengthOf(uploadInstructions, 3)
      const send = ({ firstByte, lastByte, uploadUrl }: any, more = 1) =>
        put(author, uploadUrl, bytes.subarray(firstByte, lastByte + more))
      assert.strictEqual((yield* send(uploadInstructions[0], 0)).status, 400)
      const status = Effect.map(
        author.rest(`/videos/${encodeURIComponent(video)}`),
        ({ body }) => body.status
      )
      const etags: Array<string> = []
      for (const index of [2, 0, 1]) {
        etags[index] = (yield* send(uploadInstructions[index])).headers.get("etag")!
      }
      yield* put(author, thumbnailUploadUrl, jpeg)
      const end = (uploadedPartIds: ReadonlyArray<string>) =>
        author.call("/videos?action=finalizeUpload", {
          finalizeUploadRequest: { video, uploadToken, uploadedPartIds }
        })
      assert.strictEqual(yield* status, "WAITING_UPLOAD")
      assert.strictEqual((yield* end(etags.toReversed())).status, 400)
      assert.strictEqual((yield* end(etags)).status, 200)
      assert.strictEqual((yield* end(etags)).status, 200)
      assert.strictEqual(yield* status, "AVAILABLE")
      const post = yield* posted(author, { content: { media: { id: video, title: "Bells" } } })
      assert.match(post.headers.get("x-restli-id")!, /^urn:li:ugcPost:/)
      const { on, url } = yield* SandboxProcess
      const [publication] = yield* on("linkedin").publications("film")
      const served = yield* Effect.promise(async () =>
        Buffer.from(await (await fetch(`${url}/media/${publication!.media[0]!.id}`)).arrayBuffer())
      )
      assert.isTrue(served.equals(bytes))
      assert.deepInclude(publication!.details!["cover"], { content_type: "image/jpeg" })
      const feed = yield* Effect.promise(() =>
        fetch(`${url}/www.linkedin.com/feed/update/${post.headers.get("x-restli-id")}/`)
      )
      assert.isTrue(feed.url.endsWith(`/posts/${publication!.id}`))
    })
  )

  it.effect("lets an organization read its posts and comments, and a person neither", () =>
    Effect.gen(function* () {
      const [member, organization] = [yield* person("reader"), yield* page("reader")]
      const find = (author: Author) =>
        author.rest(`/posts?q=author&author=${encodeURIComponent(author.urn)}&count=5&sortBy=CREATED`)
      for (const author of [member, organization]) {
        const urn = (yield* posted(author, { commentary: String.raw`\#first` })).headers.get("x-restli-id")!
        const comments = `/socialActions/${encodeURIComponent(urn)}/comments`
        const said = { actor: author.urn, object: urn, message: { text: "First!" } }
        assert.strictEqual((yield* author.call(comments, said)).status, 201)
        const [posts, found] = [yield* find(author), yield* author.rest(comments)]
        if (author === member) {
          assert.deepStrictEqual(
            [codes(posts), codes(found)],
            [
              [403, "ACCESS_DENIED"],
              [403, "ACCESS_DENIED"]
            ]
          )
          continue
        }
        assert.deepInclude(posts.body.elements[0], { id: urn, commentary: String.raw`\#first` })
        assert.deepInclude(found.body.elements[0], said)
      }
    })
  )

  it.effect.each([
    ["unauthorized", 401, "EXPIRED_ACCESS_TOKEN"],
    ["forbidden", 403, "ACCESS_DENIED"],
    ["rate_limited", 429, "TOO_MANY_REQUESTS"],
    ["server_error_before", 500, "INTERNAL_SERVER_ERROR"],
    ["refuse", 422, "refused"]
  ] as const)("answers %s by script in LinkedIn's form", ([fault, status, code]) =>
    Effect.gen(function* () {
      const author = yield* person("scripted")
      yield* (yield* SandboxProcess).on("linkedin").script("scripted", [{ on: "post", fault }])
      const answer = yield* posted(author, { commentary: fault })
      assert.deepStrictEqual(codes(answer), [status, code])
      assert.isNull(answer.headers.get("retry-after"))
    })
  )
})
