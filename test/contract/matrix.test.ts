import { connectForm, credentialForms, hasScope, Scope } from "@carillon/domain"
import { ownerName, ownerPassword } from "@carillon/testing/OAuthBrowser"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, answerProblem } from "./Checker.ts"
import { codesOf, type Operation, operations, signsOut } from "./Document.ts"
import { type Id, idPlaces, type Kind, kindOf, pathKinds, unknownId, withIdAt } from "./Ids.ts"
import { may, Part } from "./Part.ts"
import { good, missing, target } from "./Requests.ts"
import { InProcessService } from "./InProcessService.ts"
import { SignedIn } from "./SignedIn.ts"
import type { Tenant } from "./Tenant.ts"
import { json, type WireRequest } from "./Wire.ts"
import { World } from "./World.ts"

interface Probe {
  readonly where: string
  readonly kind: Kind
  readonly request: (id: Id) => WireRequest
}

/** Every place of an operation where an id is written, each with a request that is right but for that id. */
const probes = async (operation: Operation, mine: Tenant): Promise<ReadonlyArray<Probe>> => {
  const base = await good(operation, mine)
  const own = new Map<Kind, Id>()
  const ownId = (kind: Kind) => own.get(kind)!
  const body = await mine.example(operation)
  const schema = operation.requestBody?.content["application/json"]?.schema
  const places = schema === undefined ? [] : idPlaces(schema)
  for (const kind of [...pathKinds(operation), ...places.map((place) => place.kind), "account", "media"]) {
    own.set(kind, await mine.id(kind))
  }
  const inQuery = operation.parameters.filter((one) => one.in === "query" && kindOf(one.name) !== null)
  return [
    ...pathKinds(operation).map((kind) => ({
      where: `path {${kind}}`,
      kind,
      request: (id: Id) => ({
        ...base,
        target: target(operation, (one) => (one === kind ? id : ownId(one)))
      })
    })),
    ...inQuery.map(({ name }) => ({
      where: `query ${name}`,
      kind: kindOf(name)!,
      request: (id: Id) => ({ ...base, target: `${base.target}?${name}=${id}` })
    })),
    ...places.map(({ kind, path }) => ({
      where: `body ${path.join(".")}`,
      kind,
      request: (id: Id) => json(operation.method, base.target, withIdAt(body, schema, path, id, ownId))
    }))
  ]
}

/** What an answer lists: a list, or the posts of a calendar. */
const listed = ({ data, days }: any): ReadonlyArray<unknown> =>
  data ?? days.flatMap(({ posts }: any) => posts)

/** An answer without what may differ between two that say the same: the id that was asked for, and the request's own. */
const gist = ({ status, text }: Answer, id: Id) => ({
  status,
  text: text.replaceAll(String(id), "<id>").replace(/"request_id":"[^"]*"/, "")
})

/** What they are called with by who is for one account alone: nothing is said of others, or the call is refused. */
const toolCalls = async (part: Part): Promise<Readonly<Record<string, ReadonlyArray<[object, string?]>>>> => {
  const [none, some, all] = [await part.post("none"), await part.post("part"), await part.post("all")]
  const id = (post: any) => ({ post_id: post.id })
  const draft = { caption: "x", is_draft: true }
  return {
    list_accounts: [[{}]],
    get_platform_options: [
      [{ account_id: part.foreign }, "not_found"],
      [{ account_id: part.own }],
      [{ platform: "bluesky" }]
    ],
    list_posts: [
      [{}],
      [{ query: "a", detail: "full" }],
      [{ account_id: part.foreign }],
      [{ status: "scheduled", detail: "full" }]
    ],
    get_post: [[id(none), "not_found"], [id(some)], [id(all)]],
    list_queue_slots: [[{}]],
    preview_post: [
      [{ social_accounts: [part.foreign], ...draft }, "account_not_allowed"],
      [{ social_accounts: [part.own], ...draft }]
    ],
    create_post: [
      [{ social_accounts: [part.own, part.foreign], ...draft }, "account_not_allowed"],
      [{ social_accounts: [part.own], ...draft }]
    ],
    update_post: [
      [{ ...id(none), caption: "x" }, "not_found"],
      [{ ...id(some), caption: "x" }, "account_not_allowed"],
      [{ ...id(all), social_accounts: [part.foreign] }, "account_not_allowed"],
      [{ ...id(all), caption: "x" }]
    ],
    schedule_post: [[id(none), "not_found"], [id(some), "account_not_allowed"], [id(all)]],
    retry_post: [
      [id(none), "not_found"],
      [id(all), "nothing_to_retry"]
    ],
    publish_post: [[id(none), "not_found"], [id(some), "account_not_allowed"], [id(await part.post("all"))]],
    delete_post: [[id(none), "not_found"], [id(some), "account_not_allowed"], [id(await part.post("all"))]],
    change_posts: [
      [{ create: [{ social_accounts: [part.own], caption: "x" }] }],
      [
        {
          delete: [none.id, some.id],
          update: [
            { ...id(some), caption: "x" },
            { ...id(all), caption: "x" }
          ]
        }
      ]
    ],
    list_media: [[{}]],
    create_media_upload: [[{}]],
    complete_media_upload: [
      [{ media_id: await part.media("part") }],
      [{ media_id: await part.media("none") }]
    ],
    import_media: [[{ url: "https://media.example/a.png" }]],
    delete_media: [[{ media_id: await part.media("none", { is_draft: true }) }, "media_in_use"]],
    show_calendar: [
      [{ from: "2090-01-01", to: "2090-01-02" }],
      [{ from: "2090-01-01", to: "2090-01-02", account_id: part.foreign }]
    ],
    get_app_data: [
      [{ calendar: { from: "2090-01-01", to: "2090-01-02" } }],
      [{ calendar: { from: "2090-01-01", to: "2090-01-02", account_id: part.foreign } }],
      [{ post: { social_accounts: [part.foreign], caption: "x" } }, "account_not_allowed"],
      [{ post: { social_accounts: [part.own], caption: "x" } }]
    ]
  }
}

/** What an operation does not refuse for who asks. */
const heard = (operation: Operation, mine: Tenant): Promise<WireRequest> =>
  // A passphrase would cost half a second each time.
  operation.id === "backupsCreate"
    ? Promise.resolve(json(operation.method, operation.path, { include_media: false }))
    : missing(operation, mine)

layer(World.layer, { excludeTestServices: true, timeout: "180 seconds" })("who may do what", (it) => {
  let made: Promise<SignedIn> | undefined
  const owner = (service: InProcessService["Service"]) => (made ??= SignedIn.make(service))

  /** A key with each scope alone. */
  const keys: Partial<Record<Scope, Promise<string>>> = {}

  for (const operation of operations) {
    if (operation.scope === null) continue
    const { id, scope } = operation

    it.effect(
      `${id} answers another workspace's id, wherever it is written, like one that does not exist`,
      () =>
        Effect.gen(function* () {
          const { mine, theirs } = yield* World
          const service = yield* InProcessService
          yield* Effect.promise(async () => {
            const members = operation.membersOnly !== null ? await owner(service) : null
            const ask = (request: WireRequest) => members?.ask(request) ?? mine.send(request)
            for (const { where, kind, request } of await probes(operation, mine)) {
              const [foreign, unknown] = [await theirs.id(kind), unknownId(kind)]
              const theirAnswer = await ask(request(foreign))
              assert.deepStrictEqual(
                gist(theirAnswer, foreign),
                gist(await ask(request(unknown)), unknown),
                `${id} ${where}`
              )
              assert.isNull(answerProblem(operation, theirAnswer), `${id} ${where}`)
              // A filter by what does not exist finds nothing; everything else is refused.
              if (where.startsWith("query")) assert.deepStrictEqual(listed(JSON.parse(theirAnswer.text)), [])
              else assert.oneOf(theirAnswer.status, [400, 404, 409], `${id} ${where}: ${theirAnswer.text}`)
              if (where.startsWith("path")) assert.strictEqual(theirAnswer.status, 404)
            }
          })
        })
    )

    it.effect(`${id} needs the scope ${scope}, or one that implies it`, () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        const { makeKey, workspace } = yield* InProcessService
        yield* Effect.promise(async () => {
          const request = await heard(operation, mine)
          for (const granted of Scope.literals) {
            const key = await (keys[granted] ??= makeKey(workspace, [granted]))
            const answer = await mine.send({
              ...request,
              headers: { ...request.headers, authorization: `Bearer ${key}` }
            })
            assert.isNull(answerProblem(operation, answer), `${id} with ${granted}`)
            if (operation.membersOnly !== null)
              assert.strictEqual(JSON.parse(answer.text).code, operation.membersOnly, `${id} with ${granted}`)
            else if (hasScope([granted], scope))
              assert.notInclude([401, 403], answer.status, `${id} with ${granted}: ${answer.text}`)
            else {
              assert.strictEqual(answer.status, 403, `${id} with ${granted}`)
              assert.strictEqual(JSON.parse(answer.text).code, "missing_scope")
            }
          }
        })
      })
    )

    it.effect(`${id} answers nobody without a key`, () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        yield* Effect.promise(async () => {
          const request = await heard(operation, mine)
          for (const authorization of ["", "Bearer", "Bearer nonsense", `Basic ${btoa("a:b")}`, mine.key]) {
            const answer = await mine.send({ ...request, headers: { ...request.headers, authorization } })
            assert.strictEqual(answer.status, 401, authorization)
            assert.strictEqual(JSON.parse(answer.text).code, "unauthorized")
            assert.match(
              answer.headers.get("www-authenticate") ?? "",
              /^Bearer .*resource_metadata="http[^"]*\/oauth-protected-resource\/v1"/
            )
            assert.isNull(answerProblem(operation, answer))
          }
        })
      })
    )
  }

  /** What a browser that is signed in must not be heard with, and how each is refused. */
  const foreign: Readonly<Record<string, readonly [status: number, code: string, headers: object]>> = {
    "from the same site": [403, "foreign_request", { "sec-fetch-site": "same-site" }],
    "from another site": [403, "foreign_request", { "sec-fetch-site": "cross-site" }],
    "from no site": [403, "foreign_request", { "sec-fetch-site": "none" }],
    "from another origin": [403, "foreign_request", { origin: "https://evil.example" }],
    "from another origin of a plain address": [
      403,
      "foreign_request",
      { origin: "http://127.0.0.1:1", "sec-fetch-site": undefined }
    ],
    "from an origin that hides itself": [403, "foreign_request", { origin: "null" }],
    "without a workspace": [401, "unauthorized", { "carillon-workspace": undefined }],
    "into a workspace that is none": [404, "workspace_not_found", { "carillon-workspace": "none" }],
    "into a workspace that is not there": [
      404,
      "workspace_not_found",
      { "carillon-workspace": unknownId("workspace") }
    ],
    "without a cookie": [401, "signed_out", { cookie: undefined }],
    "with a bearer that is none": [401, "unauthorized", { authorization: "Bearer nonsense" }],
    "with another scheme": [401, "unauthorized", { authorization: `Basic ${btoa("a:b")}` }],
    "with an empty bearer": [401, "unauthorized", { authorization: "" }]
  }
  const ends = ["from another site", "without a cookie", "of a member of another workspace"]
  const unknownOrigin = { origin: undefined, "sec-fetch-site": undefined }

  const signedIn = Effect.flatMap(InProcessService, (service) => Effect.promise(() => owner(service)))

  for (const operation of operations) {
    if (operation.scope === null) continue

    it.effect(`${operation.id} hears a signed-in member at our own pages and nowhere else`, () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        const service = yield* InProcessService
        yield* Effect.promise(async () => {
          const { method } = operation
          const request = await heard(operation, mine)
          for (const own of ["own", "plain"] as const) {
            const members = await owner(service)
            const answer = await members.send(request, members[own](method))
            if (signsOut(operation)) made = undefined
            assert.notInclude([401, 403], answer.status, answer.text)
            assert.isNull(answerProblem(operation, answer))
          }
          const members = await owner(service)
          const rows = {
            ...foreign,
            "after signing out": [401, "signed_out", { cookie: members.ended }],
            "of a member of another workspace": [404, "workspace_not_found", { cookie: members.stranger }],
            ...(method === "GET" ? {} : { "of unknown origin": [403, "foreign_request", unknownOrigin] })
          }
          // One rule hears all of them: each of its ends for every operation, each of its rows for every method.
          const isFirst = operations.find((one) => one.scope !== null && one.method === method) === operation
          for (const [what, [status, code, headers]] of Object.entries(rows)) {
            if (!isFirst && !ends.includes(what)) continue
            const answer = await members.send(request, { ...members.own(method), ...(headers as object) })
            const said = `${operation.id} ${what}: ${answer.text}`
            assert.strictEqual(answer.status, status, said)
            assert.strictEqual(JSON.parse(answer.text).code, code, said)
            assert.isNull(answerProblem(operation, answer), said)
            assert.isNull(answer.headers.get("access-control-allow-credentials"), said)
          }
        })
      })
    )
  }

  it.effect("lets a member work as themselves, apart from every key", () =>
    Effect.gen(function* () {
      const { mine } = yield* World
      const members = yield* signedIn
      yield* Effect.promise(async () => {
        const profile = (await members.call("GET", "/v1/profile")).body
        assert.deepInclude(profile, { scopes: ["admin"] })
        assert.deepInclude(profile.credential, { type: "session", name: null, member: ownerName })
        const draft = { caption: "A member's", social_accounts: [await mine.id("account")], is_draft: true }
        const once = { "idempotency-key": "the same for both" }
        const theirs = await members.call("POST", "/v1/posts", draft, once)
        assert.strictEqual(theirs.status, 201)
        assert.deepStrictEqual(theirs.body.created_by, { type: "member", name: ownerName })
        const answer = await mine.send({
          ...json("POST", "/v1/posts", draft),
          headers: { "content-type": "application/json", ...once }
        })
        assert.isNull(answer.headers.get("idempotency-replayed"))
        const { id: byKey } = JSON.parse(answer.text)
        const listed = (await mine.call("GET", "/v1/posts?status=draft")).data
        const creators = [byKey, theirs.body.id].map(
          (one) => listed.find((post: { id: string }) => post.id === one).created_by
        )
        assert.deepStrictEqual(creators, [
          { type: "key", name: "admin" },
          { type: "member", name: ownerName }
        ])
        const again = await members.call("POST", "/v1/posts", draft, once)
        assert.deepStrictEqual(again.body, theirs.body)
        const { id } = theirs.body
        const change = { caption: "Another" }
        assert.isNull(theirs.body.updated_by)
        const changed = await mine.call("PATCH", `/v1/posts/${id}`, change)
        assert.deepStrictEqual(changed.updated_by, { type: "key", name: "admin", at: changed.updated_at })
        const { body: asRead } = await members.call("PATCH", `/v1/posts/${id}`, { caption: "Mine again" })
        assert.deepStrictEqual(asRead.updated_by, {
          type: "member",
          name: ownerName,
          at: asRead.updated_at
        })
        assert.strictEqual((await members.call("DELETE", `/v1/posts/${id}`)).status, 200)
        const made = (await members.call("POST", "/v1/api-keys", { name: "by hand", scopes: ["posts:read"] }))
          .body
        const [entry] = (await mine.call("GET", "/v1/audit?action=api_key.created&limit=1")).data
        assert.deepInclude(entry.actor, { type: "member", name: ownerName })
        assert.deepInclude(entry.subject, { type: "api_key", id: made.id })
        // A bearer is not helped by a cookie.
        const both = { authorization: `Bearer ${made.key}` }
        assert.strictEqual((await members.call("GET", "/v1/profile", undefined, both)).status, 200)
        assert.strictEqual(
          (await members.call("GET", "/v1/api-keys", undefined, both)).body.code,
          "missing_scope"
        )
      })
    })
  )

  it.effect("says of the instance what its operator has set up", () =>
    Effect.gen(function* () {
      const { mine } = yield* World
      const { url } = yield* InProcessService
      yield* Effect.promise(async () => {
        const instance = await mine.call("GET", "/v1/instance")
        assert.deepInclude(instance, { public_url: url, video_transcoding: false })
        assert.includeDeepMembers(instance.connectable, [
          {
            platform: "bluesky",
            by: "credentials",
            configured: true,
            network: "real",
            logins: [],
            form: connectForm(credentialForms.bluesky)
          },
          {
            platform: "youtube",
            by: "consent",
            configured: true,
            network: "test",
            logins: ["google"],
            form: null
          }
        ])
        assert.include(instance.closed_to, "bluesky")
      })
    })
  )

  it.effect("opens neither the agents' endpoint nor an upload with a cookie", () =>
    Effect.gen(function* () {
      const { mine } = yield* World
      const members = yield* signedIn
      yield* Effect.promise(async () => {
        const speak = { jsonrpc: "2.0", id: 1, method: "tools/list" }
        assert.strictEqual((await members.call("POST", "/mcp", speak)).status, 401)
        const upload = mine.upload(await mine.reserve())
        const unsigned = { ...upload, target: upload.target.replace(/signature=[^&]+/, "signature=none") }
        assert.strictEqual((await members.send(unsigned, members.own("PUT"))).status, 403)
      })
    })
  )

  it.effect("asks for a password of the last 15 minutes before it shows a secret", () =>
    Effect.gen(function* () {
      const { mine } = yield* World
      const { run } = yield* InProcessService
      const members = yield* signedIn
      yield* Effect.promise(async () => {
        const guarded = operations.filter((one) => codesOf(one, 403).includes("confirm_password"))
        const ids = guarded.map(({ id }) => id)
        assert.includeMembers(ids, [
          "apiKeysCreate",
          "webhooksCreate",
          "webhooksRotateSecret",
          "workspacesCreate"
        ])
        await run((sql) => sql`update sessions set password_given_at = now() - interval '16 minutes'`)
        for (const operation of guarded) {
          if (operation.id === "sessionConfirm") continue
          const request = await good(operation, mine)
          const answer = await members.send(request, members.own(operation.method))
          assert.strictEqual(answer.status, 403, operation.id)
          assert.strictEqual(JSON.parse(answer.text).code, "confirm_password")
          assert.isNull(answerProblem(operation, answer))
        }
        const confirm = (password: string) => members.call("PUT", "/v1/session/confirmation", { password })
        assert.strictEqual((await confirm("wrong horse battery")).body.code, "confirm_password")
        const key = { name: "by hand", scopes: ["posts:read"] }
        assert.strictEqual((await members.call("POST", "/v1/api-keys", key)).status, 403)
        const { body } = await confirm(ownerPassword)
        assert.match(body.confirmed_until, /^2\d{3}-.*Z$/)
        assert.strictEqual((await members.call("POST", "/v1/api-keys", key)).status, 201)
      })
    })
  )

  it.effect("finds the places of ids that there are", () =>
    Effect.gen(function* () {
      const { mine } = yield* World
      yield* Effect.promise(async () => {
        const found = new Set<string>()
        for (const operation of operations) {
          if (operation.scope === null) continue
          for (const { where } of await probes(operation, mine)) found.add(`${operation.id} ${where}`)
        }
        assert.includeMembers(
          [...found],
          [
            "postsGet path {post}",
            "postsList query social_account_id",
            "resultsList query post_id",
            "postsCreate body social_accounts.0",
            "postsCreate body media.0",
            "postsCreate body account_configurations.0.account_id",
            "postsCreate body account_configurations.0.media.0",
            "postsCreate body platform_configurations.bluesky.media.0",
            "postsRetry body social_accounts.0",
            "apiKeysCreate body social_accounts.0"
          ]
        )
      })
    })
  )

  const partOf = Effect.gen(function* () {
    const { mine } = yield* World
    const service = yield* InProcessService
    return { service, part: yield* Effect.promise(() => Part.make(mine, service)) }
  })

  it.effect(
    "tells a credential for some accounts nothing of the others, and lets it change what it sees whole",
    () =>
      Effect.gen(function* () {
        const { part, service } = yield* partOf
        yield* Effect.promise(async () => {
          for (const credential of await part.credentials(service, "v1")) {
            for (const operation of operations) {
              if (operation.scope === null) continue
              const cases = may(credential, operation) ? await part.cases(operation) : null
              for (const { what, request, status } of cases ?? [
                { what: "", request: await missing(operation, part.tenant), status: 403 }
              ]) {
                const answer = await credential.as.send(request)
                const where = `${operation.id} ${what} as ${credential.name}`
                assert.strictEqual(answer.status, status, `${where}: ${answer.text}`)
                assert.deepStrictEqual(part.leaks(request, answer.text), [], `${where}: ${answer.text}`)
                assert.isNull(answerProblem(operation, answer), where)
              }
            }
          }
        })
      })
  )

  it.effect("tells it nothing of the others by any tool or resource", () =>
    Effect.gen(function* () {
      const { part, service } = yield* partOf
      yield* Effect.promise(async () => {
        for (const { name, as } of await part.credentials(service, "mcp")) {
          const speak = async (method: string, params: object) => {
            const request = json("POST", "/mcp", { jsonrpc: "2.0", id: 1, method, params })
            const { text } = await as.send(request)
            assert.deepStrictEqual(
              part.leaks(request, text),
              [],
              `${method} ${JSON.stringify(params)} as ${name}: ${text}`
            )
            return JSON.parse(text)
          }
          const calls = await toolCalls(part)
          const { result } = await speak("tools/list", {})
          assert.sameMembers(
            result.tools.map((tool: any) => tool.name),
            Object.keys(calls)
          )
          for (const [tool, examples] of Object.entries(calls)) {
            for (const [args, refusal] of examples) {
              const answer = await speak("tools/call", { name: tool, arguments: args })
              const said = JSON.stringify(answer)
              assert.strictEqual(
                answer.result?.isError ?? false,
                refusal !== undefined,
                `${tool} as ${name}: ${said}`
              )
              if (refusal !== undefined) assert.include(said, `[${refusal}]`, `${tool} as ${name}`)
            }
          }
          const [none, some] = [await part.post("none"), await part.post("part")]
          assert.isDefined((await speak("resources/read", { uri: `carillon://posts/${none.id}` })).error)
          for (const uri of ["carillon://accounts", `carillon://posts/${some.id}`]) {
            assert.isDefined((await speak("resources/read", { uri })).result, uri)
          }
        }
      })
    })
  )

  it.effect(
    "shows it a post to several accounts as if it went to its own alone, in lists and totals too",
    () =>
      Effect.gen(function* () {
        const { part, service } = yield* partOf
        yield* Effect.promise(async () => {
          const [key] = await part.credentials(service, "v1")
          const as = (target: string) => key!.as.call("GET", target)
          const made = {
            live: await part.settled("part", { own: "published", foreign: "failed" }, "published"),
            open: await part.settled("part", { own: "waiting", foreign: "published" }, "scheduled"),
            early: await part.settled("part", { own: "published", foreign: "waiting" }, "scheduled"),
            failed: await part.settled("part", { own: "failed", foreign: "published" }, "published"),
            unsure: await part.settled("part", { own: "unconfirmed", foreign: "waiting" }, "scheduled"),
            lost: await part.settled("part", { own: "failed", foreign: "failed" }, "failed"),
            draft: await part.post("part", { is_draft: true })
          }
          const hidden = await part.post("none", { media: [await part.tenant.fresh("media")] })
          assert.strictEqual((await as(`/v1/media?post_id=${hidden.id}`)).meta.total, 0)
          const expected = {
            published: [made.early, made.live],
            scheduled: [made.open],
            failed: [made.lost, made.unsure, made.failed],
            draft: [made.draft]
          }
          for (const [status, posts] of Object.entries(expected)) {
            const ids = posts.map(({ id }) => id)
            for (const query of [
              `status=${status}`,
              `status=${status}&q=shared`,
              `status=${status}&social_account_id=${part.own},${part.foreign}`
            ]) {
              const { data, meta } = await as(`/v1/posts?${query}`)
              assert.deepStrictEqual(
                data.map((post: any) => post.id),
                ids,
                query
              )
              assert.deepInclude(meta, { total: ids.length, next: null }, query)
              for (const { excerpt, ...post } of data) {
                const { results, draft_problems: _, ...one } = await as(`/v1/posts/${post.id}`)
                assert.deepStrictEqual(one, post)
                assert.strictEqual(excerpt, one.caption)
                assert.strictEqual(one.status, status)
                assert.deepStrictEqual(one.social_accounts, [part.own])
                assert.strictEqual(one.progress.total, 1)
                assert.strictEqual(one.published_at !== null, status === "published")
                assert.deepStrictEqual(one.platform_configurations, { sandbox: {} })
                assert.deepStrictEqual(one.account_configurations, [
                  { account_id: part.own, caption: "Own words" }
                ])
                assert.deepStrictEqual(
                  results.map((result: any) => result.social_account_id),
                  [part.own]
                )
              }
            }
          }
          const all = await as("/v1/posts?limit=3")
          assert.strictEqual(all.meta.total, 7)
          assert.strictEqual((await as("/v1/post-results?limit=1&status=all")).meta.total, 7)
          assert.strictEqual((await as(`/v1/posts?social_account_id=${part.foreign}`)).meta.total, 0)
          assert.strictEqual((await as("/v1/post-results?platform=bluesky")).meta.total, 0)
          assert.strictEqual((await as(`/v1/post-results?post_id=${made.live.id}`)).meta.total, 1)
          // Only its own target goes out again.
          const again = await key!.as.call("POST", `/v1/posts/${made.lost.id}/retry`)
          assert.strictEqual(again.status, "scheduled")
          const whole = await part.tenant.call("GET", `/v1/posts/${made.lost.id}`)
          assert.strictEqual(
            whole.results.find((one: any) => one.social_account_id === part.foreign).status,
            "failed"
          )
        })
      })
  )
})
