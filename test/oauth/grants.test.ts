import type { WorkspaceId } from "@carillon/domain"
import {
  allAskedOf,
  callWith,
  connectApp,
  ownerName,
  PlainBrowser,
  promised,
  signedInBrowser
} from "@carillon/testing/OAuthBrowser"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash, randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { readEvents } from "@carillon/testing/EventReader"
import { inSeconds } from "@carillon/testing/Publishing"
import { until } from "@carillon/testing/Receiver"
import { InProcessService } from "../contract/InProcessService.ts"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

interface Answer {
  readonly status: number
  readonly body: any
}
type Call = (method: string, path: string, body?: object) => Promise<Answer>

/** What a browser sends from a page of the service on which a member is signed in. */
const sessionOf =
  (browser: PlainBrowser, workspace: WorkspaceId, more: Readonly<Record<string, string>> = {}): Call =>
  async (method, path, body) => {
    const { html, status } = await browser.visit(path, {
      method,
      headers: {
        origin: browser.base,
        "content-type": "application/json",
        "carillon-workspace": workspace,
        ...more
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status, body: JSON.parse(html) }
  }

/** The owner before a browser, a key, an account, and apps as the owner lets them in. */
const household = Effect.gen(function* () {
  const { makeKey, url, words, workspace } = yield* InProcessService
  return yield* promised(async () => {
    const browser = await signedInBrowser({ url, output: words })
    const withToken =
      (token: string): Call =>
      (method, path, body) =>
        callWith(url, token, path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const key = withToken(await makeKey(workspace, ["admin"]))
    const person = sessionOf(browser, workspace)
    const personWith = (more: Readonly<Record<string, string>>) => sessionOf(browser, workspace, more)
    const username = `household_${performance.now()}`.replace(".", "_")
    const { body } = await key("POST", "/v1/social-accounts", {
      platform: "sandbox",
      credentials: { username, password: "sandbox" }
    })
    const social_accounts = [body.id as number]
    /** An app without some scopes, perhaps held; the same one again where a client is named. */
    const app = async ({
      held = false,
      without = "",
      client_id = undefined as string | undefined,
      face = "v1"
    }) => {
      const connected = await connectApp(browser, {
        resource: `${url}/${face}`,
        ...(client_id === undefined ? {} : { client_id }),
        choose: (html) => [
          ...allAskedOf(html).filter(([, value]) => value !== without),
          ...(held ? [["approval", "yes"] as const] : [])
        ]
      })
      return { call: withToken(connected.tokens.access_token), client_id: connected.client_id }
    }
    const write = async (call: Call, post: object) => {
      const { body, status } = await call("POST", "/v1/posts", { social_accounts, caption: "Bread", ...post })
      assert.strictEqual(status, 201, JSON.stringify(body))
      return body
    }
    const upload = async (call: Call) => {
      const reserved = await call("POST", "/v1/media/create-upload-url", {
        mime_type: "image/jpeg",
        size_bytes: picture.length,
        name: "bells.jpg"
      })
      await fetch(reserved.body.upload_url, {
        method: "PUT",
        body: new Uint8Array(picture),
        headers: { "content-type": "image/jpeg" }
      })
      return reserved.body.media_id as string
    }
    return { url, workspace, browser, social_accounts, key, person, personWith, app, write, upload }
  })
})

/** Everything that lets a post go out, or changes or ends it. */
const deeds = {
  "releases it at its time": ["PATCH", "", { is_draft: false }],
  "schedules it for another time": ["PATCH", "", { is_draft: false, scheduled_at: inSeconds(90_000) }],
  "gives it a slot": ["PATCH", "", { use_queue: true }],
  "publishes it": ["POST", "/publish", undefined],
  "changes its text": ["PATCH", "", { caption: "Cake" }],
  "moves its plan": ["PATCH", "", { scheduled_at: inSeconds(90_000) }],
  "changes its options": ["PATCH", "", { platform_configurations: { sandbox: { caption: "x" } } }],
  "makes it a plain draft": ["PATCH", "", { is_draft: true }],
  "deletes it": ["DELETE", "", undefined]
} as const

const does = (call: Call, id: string, deed: keyof typeof deeds) => {
  const [method, path, body] = deeds[deed]
  return call(method, `/v1/posts/${id}${path}`, body)
}
const everyDeed = Object.keys(deeds) as ReadonlyArray<keyof typeof deeds>

/** A member of one workspace before a browser, and a post there that waits for them. */
const memberOf = Effect.fnUntraced(function* (workspace: WorkspaceId, name: string) {
  const service = yield* InProcessService
  const token = randomBytes(32).toString("base64url")
  const id = SecureRandom.uuidV7Unsafe()
  const key = yield* promised(() => service.makeKey(workspace, ["admin"]))
  const call = (path: string, body: object) =>
    promised(() => callWith(service.url, key, path, { method: "POST", body: JSON.stringify(body) }))
  const account = yield* call("/v1/social-accounts", {
    platform: "sandbox",
    credentials: { username: name, password: "sandbox" }
  })
  const post = yield* call("/v1/posts", {
    social_accounts: [account.body.id],
    caption: `For ${name} alone`,
    is_draft: true
  })
  const asked_by = { type: "app", name: "An app" }
  const approval = { status: "waiting", asked_by, wants: "now", asked_at: post.body.created_at }
  const stored = { ...approval, decided_at: null, reason: null, grant_id: "none", queue_timezone: null }
  yield* promised(() =>
    service.run((sql) =>
      Effect.all([
        sql`insert into members (id, name, role, password_hash, created_at)
          values (${id}, ${name}, 'member', 'none', now())`,
        sql`insert into memberships (member_id, workspace_id, role) values (${id}, ${workspace}, 'editor')`,
        sql`insert into sessions (token_hash, member_id, created_at, last_used_at, password_given_at, expires_at)
          values (${createHash("sha256").update(token).digest()}, ${id}, now(), now(), now(), now() + interval '1 day')`,
        sql`update posts set approval = ${JSON.stringify(stored)}::jsonb where id = ${post.body.id}`
      ])
    )
  )
  const browser = new PlainBrowser(service.url)
  browser.session = token
  const status = () =>
    Effect.map(
      promised(() => callWith(service.url, key, `/v1/posts/${post.body.id}`)),
      ({ body }) => body.approval.status as string
    )
  return { browser, path: `/approvals/${post.body.id as string}`, status }
})

const approve: ReadonlyArray<readonly [string, string]> = [
  ["decision", "approve"],
  ["when", "wanted"]
]

layer(InProcessService.layer(), { excludeTestServices: true, timeout: "180 seconds" })(
  "what credentials may do with posts of others",
  (it) => {
    it.effect(
      "what credentials may do with posts of others is nothing for keys and other apps while a person decides, and after they refused",
      () =>
        Effect.gen(function* () {
          const { app, browser, key, person, url, upload, write } = yield* household
          yield* promised(async () => {
            const held = await app({ held: true })
            const others = {
              "a key": key,
              "an app": (await app({})).call,
              "another held app": (await app({ held: true })).call
            }
            const media = [await upload(held.call)]
            for (const state of ["waiting", "refused"]) {
              const { id } = await write(held.call, { scheduled_at: inSeconds(7200), media })
              const page = `/approvals/${id}`
              if (state === "refused")
                await browser.post(`${page}/refuse`, (await browser.visit(page)).html, [])
              const before = (await key("GET", `/v1/posts/${id}`)).body
              assert.strictEqual(before.approval.status, state)
              for (const [who, call] of Object.entries(others)) {
                for (const deed of everyDeed) {
                  const { body, status } = await does(call, id, deed)
                  assert.deepStrictEqual(
                    [status, body.code],
                    [409, "approval_needed"],
                    `${state}: ${who} ${deed}`
                  )
                  assert.include(body.detail, url + page)
                }
                const { body, status } = await call("DELETE", `/v1/media/${media[0]}`)
                assert.deepStrictEqual(
                  [status, body.code],
                  [409, "approval_needed"],
                  `${state}: ${who} and its picture`
                )
              }
              assert.deepStrictEqual((await key("GET", `/v1/posts/${id}`)).body, before)
            }
            const inOtherWords = await key(
              "PATCH",
              `/post-bridge/v1/posts/${(await write(held.call, {})).id}`,
              {
                scheduled_at: null
              }
            )
            assert.strictEqual(inOtherWords.status, 409)
            for (const deed of everyDeed) {
              const { id } = await write(held.call, { scheduled_at: inSeconds(7200) })
              const { body, status } = await does(person, id, deed)
              assert.strictEqual(status, 200, `${deed} ${JSON.stringify(body)}`)
            }
          })
        })
    )

    it.effect(
      "what credentials may do with posts of others is nothing for an app that is held, whoever made them, but everything with its own",
      () =>
        Effect.gen(function* () {
          const { app, key, person, upload, write } = yield* household
          yield* promised(async () => {
            const held = await app({ held: true })
            const makers = {
              "a person": person,
              "a key": key,
              "an app": (await app({})).call,
              "another held app": (await app({ held: true })).call
            }
            for (const [maker, make] of Object.entries(makers)) {
              const { id } = await write(make, { is_draft: true, scheduled_at: inSeconds(7200) })
              const media = await upload(make)
              const before = (await key("GET", `/v1/posts/${id}`)).body
              for (const deed of everyDeed) {
                const { body, status } = await does(held.call, id, deed)
                assert.deepStrictEqual([status, body.code], [409, "approval_needed"], `${deed} of ${maker}`)
              }
              assert.deepStrictEqual((await key("GET", `/v1/posts/${id}`)).body, before)
              for (const [method, changes] of [["DELETE"], ["PATCH", { alt_text: "A bell" }]] as const) {
                const { body, status } = await held.call(method, `/v1/media/${media}`, changes)
                assert.deepStrictEqual([status, body.code], [409, "approval_needed"], `${method} of ${maker}`)
              }
            }
            const own = everyDeed.flatMap((deed) => [true, false].map((asks) => ({ deed, asks })))
            const posts = await Promise.all(
              own.map(({ asks }) => write(held.call, { is_draft: !asks, scheduled_at: inSeconds(7200) }))
            )
            const media = await upload(held.call)
            // Let in once more, it is still the same app.
            const again = await app({ held: true, client_id: held.client_id })
            for (const [index, { deed, asks }] of own.entries()) {
              const { body, status } = await does(again.call, posts[index].id, deed)
              assert.strictEqual(status, 200, `${deed}, asked: ${asks} ${JSON.stringify(body)}`)
              if (deed !== "deletes it") assert.strictEqual(body.status, "draft", deed)
            }
            const described = await again.call("PATCH", `/v1/media/${media}`, { alt_text: "A bell" })
            assert.strictEqual(described.body.alt_text, "A bell")
            assert.strictEqual((await again.call("DELETE", `/v1/media/${media}`)).status, 200)
          })
        })
    )

    it.effect(
      "what credentials may do with posts of others is told with the approval: who asked, and the person who decided",
      () =>
        Effect.gen(function* () {
          const { app, browser, key, person, write } = yield* household
          yield* promised(async () => {
            const { call } = await app({ held: true })
            const approvalOf = async (id: string) => (await key("GET", `/v1/posts/${id}`)).body.approval
            const asked = { app: "Test app", asked_by: { type: "app", name: "Test app" } }
            const [released, refused, kept] = [
              await write(call, { scheduled_at: inSeconds(7200) }),
              await write(call, { use_queue: true }),
              await write(call, {})
            ].map(({ id }) => id as string) as [string, string, string]
            for (const id of [released, refused, kept]) {
              assert.deepInclude(await approvalOf(id), { ...asked, status: "waiting", decided_by: null })
            }
            await does(person, released, "releases it at its time")
            const page = `/approvals/${refused}`
            await browser.post(`${page}/refuse`, (await browser.visit(page)).html, [["reason", "No."]])
            const by = { ...asked, decided_by: { name: ownerName } }
            assert.deepInclude(await approvalOf(released), { ...by, status: "approved" })
            assert.deepInclude(await approvalOf(refused), { ...by, status: "refused", reason: "No." })
            const { body } = await call("PATCH", `/v1/posts/${refused}`, { caption: "Again" })
            assert.deepInclude(body.approval, { ...asked, status: "waiting", decided_by: null })
          })
        })
    )

    it.effect(
      "a post that waits is approved or refused by a signed-in person alone, whatever a key or an app may do",
      () =>
        Effect.gen(function* () {
          const { app, key, person, url, write } = yield* household
          yield* promised(async () => {
            const held = await app({ held: true })
            const nobody = { "a key": key, "an app": (await app({})).call, "the app that asked": held.call }
            const later = { scheduled_at: inSeconds(7200) }
            const [approved, refused] = [await write(held.call, later), await write(held.call, later)]
            for (const [who, call] of Object.entries(nobody)) {
              for (const deed of ["approve", "refuse"]) {
                const { body, status } = await call("POST", `/v1/posts/${approved.id}/${deed}`, {})
                assert.deepStrictEqual([status, body.code], [403, "approval_by_person"], `${who} ${deed}`)
                assert.include(body.detail, `${url}/approvals`)
              }
            }
            assert.strictEqual((await key("GET", `/v1/posts/${approved.id}`)).body.approval.status, "waiting")

            const out = await person("POST", `/v1/posts/${approved.id}/approve`)
            assert.strictEqual(out.status, 200, JSON.stringify(out.body))
            assert.deepStrictEqual(
              [out.body.status, out.body.scheduled_at, out.body.approval.decided_by],
              ["scheduled", approved.scheduled_at, { name: ownerName }]
            )
            const reason = { reason: "  Not on a Sunday. " }
            const stays = await person("POST", `/v1/posts/${refused.id}/refuse`, reason)
            assert.deepStrictEqual([stays.status, stays.body.status], [200, "draft"])
            const listed = async (query: string) =>
              (await key("GET", `/v1/posts?${query}`)).body.data.map(({ id }: any) => id as string)
            const waiting = await write(held.call, later)
            await write(held.call, { is_draft: true })
            assert.deepStrictEqual((await listed("approval=waiting,refused,approved,waiting")).slice(0, 3), [
              waiting.id,
              refused.id,
              approved.id
            ])
            assert.strictEqual((await listed("approval=waiting&status=draft"))[0], waiting.id)
            assert.strictEqual((await listed("approval=refused&platform=sandbox"))[0], refused.id)
            assert.strictEqual((await listed("approval=approved&to=2060-01-01"))[0], approved.id)
            assert.deepStrictEqual(await listed("approval=approved&status=draft"), [])
            const read = (await held.call("GET", `/v1/posts/${refused.id}`)).body.approval
            assert.deepInclude(read, { status: "refused", reason: "Not on a Sunday." })
            const trail = (await key("GET", "/v1/audit?action=post.approved,post.refused&limit=2")).body.data
            assert.deepStrictEqual(
              trail.map(({ action, actor, subject }: any) => [action, actor.type, actor.name, subject.id]),
              [
                ["post.refused", "member", ownerName, refused.id],
                ["post.approved", "member", ownerName, approved.id]
              ]
            )
          })
        })
    )

    it.effect("whoever wrote a post asks for its approval, which a key or an app cannot give or end", () =>
      Effect.gen(function* () {
        const { app, key, person, social_accounts, write } = yield* household
        yield* promised(async () => {
          const held = await app({ held: true })
          const asks = (call: Call, id: string, body?: object) =>
            call("POST", `/v1/posts/${id}/request-approval`, body)
          const at = inSeconds(7200)
          const byKey = await write(key, { is_draft: true, scheduled_at: at })
          const asked = await asks(key, byKey.id)
          assert.strictEqual(asked.status, 200, JSON.stringify(asked.body))
          assert.deepStrictEqual([asked.body.status, asked.body.scheduled_at], ["draft", at])
          assert.deepInclude(asked.body.approval, { status: "waiting", wants: "scheduled", app: null })
          assert.strictEqual(asked.body.approval.asked_by.type, "key")
          assert.include(asked.body.warnings.join(), "waits for a person's approval")
          for (const deed of everyDeed) {
            const { body, status } = await does(key, byKey.id, deed)
            assert.deepStrictEqual([status, body.code], [409, "approval_needed"], deed)
          }
          const approved = await person("POST", `/v1/posts/${byKey.id}/approve`)
          assert.deepStrictEqual([approved.body.status, approved.body.scheduled_at], ["scheduled", at])
          assert.notInclude(approved.body.warnings.join(), "approval")

          // A second look at what is scheduled, at another time.
          const other = inSeconds(90_000)
          const again = await asks(person, byKey.id, { scheduled_at: other })
          assert.deepStrictEqual(
            [again.body.status, again.body.scheduled_at, again.body.approval.asked_by],
            ["draft", other, { type: "member", name: ownerName }]
          )
          const back = await person("POST", `/v1/posts/${byKey.id}/refuse`, { reason: "Shorter." })
          assert.deepInclude(back.body.approval, { status: "refused", reason: "Shorter." })

          const own = await write(held.call, { is_draft: true })
          const timeless = await asks(held.call, own.id)
          assert.deepInclude(timeless.body.approval, { app: "Test app", wants: "now" })
          const queued = await asks(held.call, own.id, { use_queue: true })
          assert.strictEqual(queued.body.approval.wants, "queue")
          const foreign = await asks(held.call, byKey.id)
          assert.deepStrictEqual([foreign.status, foreign.body.code], [409, "approval_needed"])

          // What cannot go out is not put before a person, and no two times are.
          const empty = await key("POST", "/v1/posts", { social_accounts, is_draft: true })
          for (const [id, body, code] of [
            [empty.body.id, undefined, "empty_post"],
            [own.id, { scheduled_at: at, use_queue: true }, "schedule_conflict"]
          ]) {
            const refused = await asks(person, id, body)
            assert.deepStrictEqual([refused.status, refused.body.code], [400, code])
          }
          assert.strictEqual((await key("GET", `/v1/posts/${own.id}`)).body.version, queued.body.version)
        })
      })
    )

    it.effect(
      "an approval publishes nothing at once by itself: the person says so, or gives another time",
      () =>
        Effect.gen(function* () {
          const { run } = yield* InProcessService
          const { app, key, person, write } = yield* household
          yield* promised(async () => {
            const { call } = await app({ held: true })
            await key("PUT", "/v1/queue", { timezone: "UTC", slots: [{ day: "mon", time: "09:00" }] })
            const approve = (id: string, choice?: object) => person("POST", `/v1/posts/${id}/approve`, choice)
            const past = async () => {
              const { id } = await write(call, { scheduled_at: inSeconds(7200) })
              await run(
                (sql) => sql`update posts set scheduled_at = now() - interval '1 hour' where id = ${id}`
              )
              return id as string
            }
            const atOnce = async () => (await write(call, {})).id as string
            for (const ask of [past, atOnce]) {
              const before = (await key("GET", `/v1/posts/${await ask()}`)).body
              for (const choice of [
                undefined,
                {},
                { publish_now: false, use_queue: false, scheduled_at: null }
              ]) {
                const { body, status } = await approve(before.id, choice)
                assert.deepStrictEqual([status, body.code], [409, "approval_needs_time"])
                assert.include(body.detail, "scheduled_at, use_queue or publish_now: true")
              }
              const { body, status } = await approve(before.id, { publish_now: true, use_queue: true })
              assert.deepStrictEqual([status, body.code], [400, "schedule_conflict"])
              const after = (await key("GET", `/v1/posts/${before.id}`)).body
              assert.deepStrictEqual([after.version, after.approval], [before.version, before.approval])

              const passed = await approve(before.id, { scheduled_at: inSeconds(-5) })
              assert.deepStrictEqual([passed.status, passed.body.code], [400, "scheduled_at_past"])
              const at = inSeconds(90_000)
              const moved = await approve(before.id, { scheduled_at: at })
              assert.deepStrictEqual([moved.body.status, moved.body.scheduled_at], ["scheduled", at])
              const queued = await approve(await ask(), { use_queue: true })
              assert.deepStrictEqual([queued.body.status, queued.body.use_queue], ["scheduled", true])
              const now = await approve(await ask(), { publish_now: true })
              assert.deepStrictEqual([now.body.status, now.body.scheduled_at], ["scheduled", null])
            }
            const slot = await approve((await write(call, { use_queue: true })).id)
            assert.deepStrictEqual([slot.body.status, slot.body.use_queue], ["scheduled", true])
          })
        })
    )

    it.effect("of two people who decide at once, the second is told who decided, when and what", () =>
      Effect.gen(function* () {
        const service = yield* InProcessService
        const { app, person, personWith, workspace, write } = yield* household
        const { browser } = yield* memberOf(workspace, "dora")
        const dora = sessionOf(browser, workspace)
        yield* promised(async () => {
          const { call } = await app({ held: true })
          for (const [first, second] of [
            ["approve", "refuse"],
            ["approve", "approve"],
            ["refuse", "refuse"]
          ]) {
            const { id } = await write(call, { scheduled_at: inSeconds(7200) })
            const answers = await Promise.all([
              person("POST", `/v1/posts/${id}/${first}`),
              dora("POST", `/v1/posts/${id}/${second}`)
            ])
            const [done, ...others] = answers.filter(({ status }) => status === 200)
            const late = answers.find(({ status }) => status === 409)
            assert.lengthOf(others, 0)
            const { decided_at, decided_by, status } = done!.body.approval
            assert.strictEqual(late!.body.code, "nothing_to_decide")
            assert.include(late!.body.detail, `${id} was ${status} by ${decided_by.name} at ${decided_at}`)
            // Also whoever looked before that.
            const looked = personWith({ "if-match": '"1"' })
            assert.strictEqual(
              (await looked("POST", `/v1/posts/${id}/approve`)).body.code,
              "nothing_to_decide"
            )
            const trail = await service.run(
              (sql) => sql`select action from audit_entries where subject ->> 'id' = ${id}`
            )
            assert.deepStrictEqual(trail, [{ action: `post.${status}` }])
          }
        })
      })
    )

    it.effect("a decision is about the version that the person has seen, if they name it", () =>
      Effect.gen(function* () {
        const { app, person, personWith, write } = yield* household
        yield* promised(async () => {
          const { call } = await app({ held: true })
          const seen = await write(call, { scheduled_at: inSeconds(7200) })
          const { body } = await call("PATCH", `/v1/posts/${seen.id}`, { caption: "Something else" })
          for (const deed of ["approve", "refuse"]) {
            const stale = await personWith({ "if-match": seen.version })(
              "POST",
              `/v1/posts/${seen.id}/${deed}`
            )
            assert.deepStrictEqual([stale.status, stale.body.code], [412, "stale_version"])
          }
          const fresh = personWith({ "if-match": body.version })
          assert.strictEqual((await fresh("POST", `/v1/posts/${seen.id}/approve`)).status, 200)
          // Nobody asks about a draft of one's own, nor once the app took its request back.
          const own = await write(person, { is_draft: true })
          const taken = await write(call, { scheduled_at: inSeconds(7200) })
          await call("PATCH", `/v1/posts/${taken.id}`, { is_draft: true })
          for (const { id } of [own, taken]) {
            const nothing = await person("POST", `/v1/posts/${id}/approve`)
            assert.deepStrictEqual([nothing.status, nothing.body.code], [409, "nothing_to_decide"])
            assert.include(nothing.body.detail, "Nobody asks")
          }
        })
      })
    )

    it.effect("a decision is about the words of the pictures, too, which stay as they were approved", () =>
      Effect.gen(function* () {
        const { app, key, person, personWith, upload, write } = yield* household
        const { makeKey, url, workspace } = yield* InProcessService
        const listener = { url, key: yield* promised(() => makeKey(workspace, ["admin"])) }
        const { read } = yield* readEvents(listener, { query: "?types=post.updated" })
        const seen = yield* promised(async () => {
          const { call } = await app({ held: true })
          const media = await upload(call)
          const describe = (by: Call, alt_text: string) => by("PATCH", `/v1/media/${media}`, { alt_text })
          const seen = await write(call, { scheduled_at: inSeconds(7200), media: [media] })
          const version = async () => (await key("GET", `/v1/posts/${seen.id}`)).body.version
          await call("PATCH", `/v1/media/${media}`, { name: "evening.jpg" })
          assert.strictEqual(await version(), seen.version)
          assert.strictEqual((await describe(call, "Three bells")).status, 200)
          const stale = await personWith({ "if-match": seen.version })("POST", `/v1/posts/${seen.id}/approve`)
          assert.deepStrictEqual([stale.status, stale.body.code], [412, "stale_version"])
          const fresh = personWith({ "if-match": await version() })
          assert.strictEqual((await fresh("POST", `/v1/posts/${seen.id}/approve`)).status, 200)
          const late = await describe(call, "Four bells")
          assert.deepStrictEqual([late.status, late.body.code], [409, "media_in_use"])
          assert.strictEqual((await describe(person, "Four bells")).status, 200)
          return seen
        })
        const told = () => read.flatMap(({ event: { data } }) => (data.id === seen.id ? [data] : []))
        yield* until(() => told().length === 2)
        assert.deepStrictEqual(
          told().map(({ approval }) => approval.status),
          ["waiting", "approved"]
        )
      })
    )

    it.effect("an app that repeats what was approved leaves the post on its way", () =>
      Effect.gen(function* () {
        const { app, key, person, write } = yield* household
        yield* promised(async () => {
          const { call } = await app({ held: true })
          const at = inSeconds(7200)
          const { caption, id } = await write(call, { scheduled_at: at })
          await person("POST", `/v1/posts/${id}/approve`)
          for (const same of [{}, { caption }, { caption, scheduled_at: at }, { is_draft: false }]) {
            const { body, status } = await call("PATCH", `/v1/posts/${id}`, same)
            assert.strictEqual(status, 200, JSON.stringify(body))
            const { body: post } = await key("GET", `/v1/posts/${id}`)
            assert.deepStrictEqual([post.status, post.approval.status], ["scheduled", "approved"])
          }
        })
      })
    )

    it.effect("what an app changes after it was approved waits for the person again", () =>
      Effect.gen(function* () {
        const { app, key, person, write } = yield* household
        yield* promised(async () => {
          const { call } = await app({ held: true })
          const another = await app({ held: true })
          for (const deed of everyDeed) {
            const { id } = await write(call, { scheduled_at: inSeconds(7200) })
            await person("POST", `/v1/posts/${id}/approve`)
            const foreign = await does(another.call, id, deed)
            assert.deepStrictEqual([foreign.status, foreign.body.code], [409, "approval_needed"], deed)
            const { body, status } = await does(call, id, deed)
            assert.strictEqual(status, 200, `${deed} ${JSON.stringify(body)}`)
            if (deed === "deletes it") continue
            const { body: post } = await key("GET", `/v1/posts/${id}`)
            if (deed === "releases it at its time") {
              assert.deepStrictEqual([post.status, post.approval.status], ["scheduled", "approved"])
              continue
            }
            const asked = deed === "makes it a plain draft" ? undefined : "waiting"
            assert.deepStrictEqual([post.status, post.approval?.status], ["draft", asked], deed)
            if (asked === undefined) continue
            const again = await person("POST", `/v1/posts/${id}/approve`, { scheduled_at: inSeconds(90_000) })
            assert.strictEqual(again.body.approval.status, "approved", deed)
          }
        })
      })
    )

    it.effect(
      "a time that a credential without the right to publish sets is ten minutes ahead at least, for an app alone",
      () =>
        Effect.gen(function* () {
          const { makeKey, url, workspace } = yield* InProcessService
          const { app, key, social_accounts, write } = yield* household
          yield* promised(async () => {
            const more = (
              await key("POST", "/v1/social-accounts", {
                platform: "sandbox",
                credentials: { username: `more_${social_accounts[0]}`, password: "sandbox" }
              })
            ).body.id
            const bound = (await app({ without: "posts:publish" })).call
            const limited = await makeKey(workspace, ["posts:write"])
            const free: Readonly<Record<string, Call>> = {
              "an app that may": (await app({})).call,
              "a key that may not": (method, path, body) =>
                callWith(url, limited, path, { method, body: JSON.stringify(body) })
            }
            const at = (minutes: number) => inSeconds(minutes * 60)
            const draft = (call: Call, minutes: number) =>
              write(call, { is_draft: true, scheduled_at: at(minutes) })
            const ways: Readonly<Record<string, (call: Call, minutes: number) => Promise<Answer>>> = {
              "a new post": (call, minutes) =>
                call("POST", "/v1/posts", { social_accounts, caption: "x", scheduled_at: at(minutes) }),
              "a check of one": (call, minutes) =>
                call("POST", "/v1/posts/validate", {
                  social_accounts,
                  caption: "x",
                  scheduled_at: at(minutes)
                }),
              "a move": async (call, minutes) => {
                const { id } = await write(call, { scheduled_at: at(60) })
                return call("PATCH", `/v1/posts/${id}`, { scheduled_at: at(minutes) })
              },
              "the plan of a draft": async (call, minutes) => {
                const { id } = await draft(call, minutes)
                return call("PATCH", `/v1/posts/${id}`, { is_draft: false })
              },
              "a draft's new time": async (call, minutes) => {
                const { id } = await draft(call, 60)
                return call("PATCH", `/v1/posts/${id}`, { is_draft: false, scheduled_at: at(minutes) })
              },
              "another account of what somebody else scheduled": async (call, minutes) => {
                const { id } = await write(key, { scheduled_at: at(minutes) })
                return call("PATCH", `/v1/posts/${id}`, { social_accounts: [...social_accounts, more] })
              }
            }
            for (const [what, does] of Object.entries(ways)) {
              const soon = await does(bound, 5)
              assert.deepStrictEqual([soon.status, soon.body.code], [400, "scheduled_at_too_soon"], what)
              const [earliest] = /the earliest time is (\S+Z)/.exec(soon.body.detail)!.slice(1)
              const ahead = Date.parse(earliest!) - Date.now()
              assert.isAtMost(ahead, 13 * 60_000, what)
              assert.include(soon.body.detail, "posts:publish")
              assert.include(soon.body.detail, `${url}/connected-apps`)
              for (const [call, minutes] of [
                [bound, 60],
                ...Object.values(free).map((call) => [call, 5] as const)
              ] as const) {
                assert.isBelow((await does(call, minutes)).status, 300, what)
              }
              const named = await bound("POST", "/v1/posts", {
                social_accounts,
                caption: what,
                scheduled_at: earliest
              })
              // Only a machine that stood still for a minute is too late.
              if (Date.parse(earliest!) - Date.now() > 600_000) assert.strictEqual(named.status, 201)
            }
            // What was scheduled before may still be changed, if that moves nothing.
            const near = await write(key, { scheduled_at: at(5) })
            const worded = await bound("PATCH", `/v1/posts/${near.id}`, { caption: "Other words" })
            assert.deepStrictEqual([worded.status, worded.body.scheduled_at], [200, near.scheduled_at])
            // A plan is no time at which something goes out.
            assert.strictEqual((await draft(bound, 5)).status, "draft")
            const now = await bound("POST", "/v1/posts", { social_accounts, caption: "x" })
            assert.deepStrictEqual([now.status, now.body.code], [403, "missing_scope"])

            // The nearest slots are passed over.
            const slots = [3, 6, 9, 30].map((minutes) => {
              const slot = new Date(Date.now() + minutes * 60_000)
              const day = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][slot.getUTCDay()]
              return { day, time: slot.toISOString().slice(11, 16) }
            })
            await key("PUT", "/v1/queue", { timezone: "UTC", slots })
            const listed = (await key("GET", "/v1/queue/slots?count=3")).body.data
            const asked = Date.now()
            const offered = await bound("GET", "/v1/queue/slots")
            assert.isAtLeast(Date.parse(offered.body.data[0].scheduled_at) - asked, 600_000)
            // A check of what is refused for another reason names the slot that the same request would get.
            const agent = await app({ without: "posts:publish", face: "mcp" })
            for (const caption of ["q".repeat(20_000), ""]) {
              const { body } = await agent.call("POST", "/mcp", {
                jsonrpc: "2.0",
                id: 1,
                method: "tools/call",
                params: { name: "preview_post", arguments: { social_accounts, caption, use_queue: true } }
              })
              const { scheduled_at, valid } = body.result.structuredContent
              assert.isFalse(valid)
              assert.isAtLeast(Date.parse(scheduled_at.time ?? scheduled_at) - asked, 600_000)
            }
            const queued = await bound("POST", "/v1/posts", {
              social_accounts,
              caption: "q",
              use_queue: true
            })
            assert.isAtLeast(Date.parse(queued.body.scheduled_at) - asked, 600_000)
            const [first] = listed
            const named = await bound("POST", "/v1/posts", {
              social_accounts,
              caption: "q",
              use_queue: { slot: first.scheduled_at }
            })
            assert.deepStrictEqual([named.status, named.body.code], [400, "scheduled_at_too_soon"])
            const taken = await free["a key that may not"]!("POST", "/v1/posts", {
              social_accounts,
              caption: "q",
              use_queue: true
            })
            assert.isBelow(Date.parse(taken.body.scheduled_at) - asked, 600_000)
          })
        })
    )

    it.effect(
      "a member of one workspace finds nothing of another, whose posts answer as such that do not exist",
      () =>
        Effect.gen(function* () {
          const service = yield* InProcessService
          const other = yield* promised(() => service.makeWorkspace("The other one"))
          const ann = yield* memberOf(service.workspace, "ann")
          const bob = yield* memberOf(other, "bob")
          yield* promised(async () => {
            const list = (await bob.browser.visit("/approvals")).html
            assert.include(list, "For bob alone")
            assert.notInclude(list, "For ann alone")
            const nobody = await bob.browser.visit("/approvals/0191f7a0-0000-7000-8000-000000000000")
            const foreign = await bob.browser.visit(ann.path)
            assert.deepStrictEqual([foreign.status, foreign.html], [404, nobody.html])
            // A form that is good in their own browser.
            const { html } = await bob.browser.visit(bob.path)
            for (const path of [ann.path, `${ann.path}/refuse`]) {
              const answered = await bob.browser.post(path, html, approve)
              assert.deepStrictEqual([answered.status, answered.html], [404, nobody.html])
            }
          })
          assert.strictEqual(yield* ann.status(), "waiting")
          yield* promised(async () => {
            const { html } = await bob.browser.visit(bob.path)
            assert.strictEqual((await bob.browser.post(bob.path, html, approve)).status, 303)
          })
          assert.strictEqual(yield* bob.status(), "approved")
        })
    )
  }
)
