import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import sharp from "sharp"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import {
  callWith,
  connectApp,
  ownerName,
  PlainBrowser,
  promised,
  signedInBrowser,
  tickedOf
} from "@carillon/testing/OAuthBrowser"
import { readEvents } from "@carillon/testing/EventReader"
import { connect, eventually, inSeconds, settled } from "@carillon/testing/Publishing"
import { until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedInstance } from "@carillon/testing/SharedService"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

type Field = readonly [string, string]

/** The owner's browser of all tests. */
let signedIn: Promise<PlainBrowser> | undefined

/** An app whose posts the owner holds, an account, and the owner before a browser. */
const heldApp = Effect.fnUntraced(function* (username: string) {
  const service = yield* Service
  const account = yield* connect(username)
  const browser = yield* promised(() => (signedIn ??= signedInBrowser(service)))
  const { tokens } = yield* promised(() =>
    connectApp(browser, {
      resource: `${service.url}/v1`,
      choose: (html) => [...tickedOf(html), ["approval", "yes"]]
    })
  )
  const call = (method: string, path: string, body?: object) =>
    promised(() =>
      callWith(service.url, tokens.access_token, path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
  const write = Effect.fnUntraced(function* (post: object) {
    const { status, body } = yield* call("POST", "/v1/posts", {
      social_accounts: [account],
      caption: "Fresh bread",
      ...post
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
    return body as any
  })
  const { body: profile } = yield* service.call("GET", "/v1/profile")
  /** The owner's own request, as the console sends it. */
  const byPerson = (method: string, path: string, body?: object) =>
    promised(async () => {
      const headers = { origin: service.url, "carillon-workspace": profile.workspace.id }
      const answered = await browser.visit(path, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: answered.status, body: JSON.parse(answered.html) }
    })
  const visit = (path: string) => promised(() => browser.visit(path))
  /** Sends the form of the post's page, as it was when it was opened. */
  const answer = (path: string, html: string, fields: ReadonlyArray<Field>) =>
    promised(() => browser.post(path, html, fields))
  return { service, account, browser, byPerson, call, write, visit, answer }
})

const approve: ReadonlyArray<Field> = [
  ["decision", "approve"],
  ["when", "wanted"]
]

layer(SharedInstance, { excludeTestServices: true, timeout: "180 seconds" })(
  "what waits for approval",
  (it) => {
    it.effect(
      "what waits for approval is listed apart while it is an app's own draft, until it asks to go out",
      () =>
        Effect.gen(function* () {
          const { call, write, visit } = yield* heldApp("own-draft")
          const post = yield* write({ is_draft: true, caption: `Only <i>noted</i> ${"x".repeat(200)}` })
          assert.isUndefined(post.approval)
          const parts = Effect.map(visit("/approvals"), ({ html }) => html.split("<h2>Drafts of apps</h2>"))
          const [waiting, drafts] = yield* parts
          assert.notInclude(waiting, "noted")
          assert.include(drafts, `Only &lt;i&gt;noted&lt;/i&gt; ${"x".repeat(81)}… <small>Test app</small>`)
          yield* call("PATCH", `/v1/posts/${post.id}`, { is_draft: false, scheduled_at: inSeconds(3600) })
          const [asking, others = ""] = yield* parts
          assert.include(asking, "noted")
          assert.notInclude(others, "noted")
          yield* call("DELETE", `/v1/posts/${post.id}`)
        })
    )

    it.effect(
      "what waits for approval is shown to the person with all that goes out, and goes out as asked when they approve",
      () =>
        Effect.gen(function* () {
          const { service, account, call, write, visit, answer } = yield* heldApp("approved")
          const png = yield* promised(() =>
            sharp({ create: { width: 64, height: 64, channels: 3, background: "#7a4b12" } })
              .png()
              .toBuffer()
          )
          const reserved = yield* call("POST", "/v1/media/create-upload-url", {
            mime_type: "image/png",
            size_bytes: png.length,
            name: "loaf.png"
          })
          yield* promised(() =>
            fetch(reserved.body.upload_url, {
              method: "PUT",
              body: new Uint8Array(png),
              headers: { "content-type": "image/png" }
            })
          )
          yield* call("POST", `/v1/media/${reserved.body.media_id}/complete`)
          const post = yield* write({
            scheduled_at: inSeconds(3600),
            media: [reserved.body.media_id],
            caption: "Bread & <b>butter</b>",
            thread: [{ caption: "And <i>jam</i>", media: [reserved.body.media_id] }]
          })
          assert.deepInclude(post.approval, { status: "waiting", app: "Test app", wants: "scheduled" })
          assert.include(post.warnings.join(), `${service.url}/approvals`)

          const list = yield* visit("/approvals")
          assert.include(list.html, "Bread &amp; &lt;b&gt;butter&lt;/b&gt;")
          assert.include(list.html, "@approved")
          assert.include(list.html, "Test app")
          assert.match(list.html, /Post 2 of the thread:<\/p><ul.* alt="loaf.png".*\s.*And &lt;i&gt;jam&lt;/)
          const image = /<img src="(\/media\/[^"]+)" alt="loaf.png"/.exec(list.html)![1]!
          const shown = yield* visit(image.replaceAll("&amp;", "&"))
          assert.deepStrictEqual([shown.status, shown.headers.get("content-type")], [200, "image/png"])
          assert.match(list.headers.get("content-security-policy")!, /default-src 'none'.*img-src 'self'/)

          const path = `/approvals/${post.id}`
          const page = yield* visit(path)
          const answered = yield* answer(path, page.html, approve)
          assert.deepStrictEqual([answered.status, answered.location], [303, path])
          const { body } = yield* service.call("GET", `/v1/posts/${post.id}`)
          assert.deepStrictEqual([body.status, body.scheduled_at], ["scheduled", post.scheduled_at])
          assert.strictEqual(body.approval.status, "approved")
          assert.notInclude(body.warnings.join(), "approval")
          assert.include((yield* visit(path)).html, "You approved it")
          assert.notInclude((yield* visit("/approvals")).html, post.id)
          // The same form again, and the one to refuse it.
          for (const [where, fields] of [
            [path, approve],
            [`${path}/refuse`, [["reason", "late"]]]
          ] as const) {
            const again = yield* answer(where, page.html, fields)
            assert.strictEqual(again.status, 409)
            assert.include(again.html, "already been decided. Nothing was changed")
          }
          const after = yield* service.call("GET", `/v1/posts/${post.id}`)
          assert.deepStrictEqual(after.body, body)
          // What the app changes from now on is asked for again.
          const changed = yield* call("PATCH", `/v1/posts/${post.id}`, { caption: "x" })
          assert.deepStrictEqual([changed.body.status, changed.body.approval.status], ["draft", "waiting"])
          yield* call("DELETE", `/v1/posts/${post.id}`)
          assert.deepStrictEqual(body.social_accounts, [account])
        })
    )

    it.effect(
      "goes out at once when that is what the app asked, once however often the button is pressed",
      () =>
        Effect.gen(function* () {
          const { write, visit, browser } = yield* heldApp("at_once")
          const post = yield* write({})
          assert.strictEqual(post.approval.wants, "now")
          const list = yield* visit("/approvals")
          assert.include(list.html, "Approve and publish now")
          const { html } = yield* visit(`/approvals/${post.id}`)
          const answers = yield* promised(() =>
            Promise.all(Array.from({ length: 4 }, () => browser.post(`/approvals/${post.id}`, html, approve)))
          )
          assert.lengthOf(
            answers.filter(({ status }) => status === 303),
            1
          )
          const { results } = yield* settled(post.id)
          assert.deepStrictEqual(
            results.map(({ status, attempts }: any) => [status, attempts]),
            [["published", 1]]
          )
          assert.match((yield* visit(`/approvals/${post.id}`)).html, /It is published/)
        })
    )

    it.effect(
      "what waits for approval can be refused with a reason that the app reads, which may then ask again",
      () =>
        Effect.gen(function* () {
          const { call, write, visit, answer } = yield* heldApp("refused")
          const post = yield* write({ scheduled_at: inSeconds(3600) })
          const path = `/approvals/${post.id}`
          const refused = yield* answer(`${path}/refuse`, (yield* visit(path)).html, [
            ["reason", " No exclamation marks, please. "]
          ])
          assert.strictEqual(refused.status, 303)
          const { body } = yield* call("GET", `/v1/posts/${post.id}`)
          assert.strictEqual(body.status, "draft")
          assert.deepInclude(body.approval, { status: "refused", reason: "No exclamation marks, please." })
          assert.include((yield* visit(path)).html, "You refused it")
          assert.notInclude((yield* visit("/approvals")).html, post.id)
          const changed = yield* call("PATCH", `/v1/posts/${post.id}`, { caption: "Calmer bread" })
          assert.deepInclude(changed.body.approval, { status: "waiting", wants: "scheduled", reason: null })
          assert.include((yield* visit("/approvals")).html, "Calmer bread")
          // The app takes it back: a draft like any other, whose time is a plan.
          const withdrawn = yield* call("PATCH", `/v1/posts/${post.id}`, { is_draft: true })
          assert.isUndefined(withdrawn.body.approval)
          const planned = yield* call("PATCH", `/v1/posts/${post.id}`, { scheduled_at: inSeconds(7200) })
          assert.deepStrictEqual([planned.body.status, planned.body.approval], ["draft", undefined])
          assert.notInclude(withdrawn.body.warnings.join(), "approval")
          assert.strictEqual((yield* visit(path)).status, 404)
        })
    )

    it.effect("tells listeners when it begins to wait, and of each decision", () =>
      Effect.gen(function* () {
        const { byPerson, call, service, write } = yield* heldApp("told")
        const { read } = yield* readEvents(service)
        const later = { is_draft: false, scheduled_at: inSeconds(3600) }
        const { id } = yield* write({ is_draft: true })
        yield* call("PATCH", `/v1/posts/${id}`, later)
        yield* call("PATCH", `/v1/posts/${id}`, { caption: "Fresh rolls" })
        yield* byPerson("POST", `/v1/posts/${id}/refuse`, { reason: "Not today" })
        yield* call("PATCH", `/v1/posts/${id}`, { ...later, caption: "Fresh bread" })
        yield* byPerson("POST", `/v1/posts/${id}/approve`)
        yield* byPerson("DELETE", `/v1/posts/${id}`)
        const told = () => read.filter(({ event }) => event.data?.id === id)
        yield* until(() => told().some(({ type }) => type === "post.deleted"))
        assert.deepStrictEqual(
          told().map(({ event, type }) => [type, event.data.approval?.status]),
          [
            ["post.created", undefined],
            ["post.updated", "waiting"],
            ["post.approval_requested", "waiting"],
            ["post.updated", "waiting"],
            ["post.updated", "refused"],
            ["post.updated", "waiting"],
            ["post.approval_requested", "waiting"],
            ["post.updated", "approved"],
            ["post.scheduled", "approved"],
            ["post.deleted", undefined]
          ]
        )
        const asked = yield* write(later)
        const types = () => read.flatMap(({ event, type }) => (event.data?.id === asked.id ? [type] : []))
        yield* until(() => types().length === 2)
        assert.deepStrictEqual(types(), ["post.created", "post.approval_requested"])
        yield* byPerson("DELETE", `/v1/posts/${asked.id}`)
      })
    )

    it.effect("leaves who decided in the trail, however they did", () =>
      Effect.gen(function* () {
        const { byPerson, call, service, write, visit, answer } = yield* heldApp("trail")
        const later = { scheduled_at: inSeconds(3600) }
        const asked: Array<string> = []
        for (const caption of ["by page", "by no", "by request", "at once", "kept"]) {
          asked.push((yield* write({ caption, ...later })).id)
        }
        const [approved, refused, byRequest, atOnce, kept] = asked as [string, string, string, string, string]
        const page = (id: string) => Effect.map(visit(`/approvals/${id}`), ({ html }) => html)
        yield* answer(`/approvals/${approved}`, yield* page(approved), approve)
        yield* answer(`/approvals/${refused}/refuse`, yield* page(refused), [["reason", "no"]])
        yield* byPerson("PATCH", `/v1/posts/${byRequest}`, { is_draft: false })
        yield* byPerson("POST", `/v1/posts/${atOnce}/publish`)
        // None of these decides: the person saves it, changes what they approved, and the app asks anew.
        const saved = [["decision", "save"]] as const
        yield* answer(`/approvals/${kept}`, yield* page(kept), saved)
        yield* service.call("PATCH", `/v1/posts/${byRequest}`, { caption: "by request, again" })
        yield* call("PATCH", `/v1/posts/${refused}`, { caption: "please", ...later })
        const { body } = yield* service.call("GET", "/v1/audit?action=post.approved,post.refused")
        const rows = (body.data as ReadonlyArray<any>).flatMap(({ action, actor, subject }) =>
          asked.includes(subject.id) ? [[action, actor.type, actor.name, subject.type, subject.id]] : []
        )
        assert.deepStrictEqual(rows, [
          ["post.approved", "member", ownerName, "post", atOnce],
          ["post.approved", "member", ownerName, "post", byRequest],
          ["post.refused", "member", ownerName, "post", refused],
          ["post.approved", "member", ownerName, "post", approved]
        ])
        yield* settled(atOnce)
        for (const id of [approved, refused, byRequest, kept]) yield* byPerson("DELETE", `/v1/posts/${id}`)
      })
    )

    it.effect("what waits for approval can be changed by the person, who says when it goes out", () =>
      Effect.gen(function* () {
        const { service, account, write, visit, answer } = yield* heldApp("changed")
        const post = yield* write({
          scheduled_at: inSeconds(3600),
          account_configurations: [{ account_id: account, caption: "Only here" }]
        })
        const path = `/approvals/${post.id}`
        const caption = "account_configurations[0].caption"
        const page = yield* visit(path)
        assert.include(page.html, `<textarea name="${caption}" rows="5">\nOnly here</textarea>`)
        const saved = yield* answer(path, page.html, [
          ["decision", "save"],
          ["when", "at"],
          ["at", "2090-05-01T10:00"],
          [caption, "Line one\r\nline two"]
        ])
        assert.strictEqual(saved.status, 303)
        const { body } = yield* service.call("GET", `/v1/posts/${post.id}`)
        assert.deepStrictEqual(
          [body.status, body.approval.status, body.account_configurations[0].caption, body.caption],
          ["draft", "waiting", "Line one\nline two", "Fresh bread"]
        )
        assert.strictEqual(body.scheduled_at, "2090-05-01T10:00:00.000Z")
        const now = yield* visit(path)
        const none = yield* answer(path, now.html, [
          ["decision", "approve"],
          ["when", "at"],
          ["at", ""]
        ])
        assert.strictEqual(none.status, 400)
        assert.include(none.html, "Enter the day and the time")
        const past = yield* answer(path, now.html, [
          ["decision", "approve"],
          ["when", "at"],
          ["at", "2020-01-01T10:00"],
          [caption, "Kept in the form"]
        ])
        assert.include(past.html, "That time has passed")
        assert.include(past.html, "Kept in the form")
        const out = yield* answer(path, now.html, [
          ["decision", "approve"],
          ["when", "now"]
        ])
        assert.strictEqual(out.status, 303)
        yield* settled(post.id)
      })
    )

    it.effect(
      "what waits for approval does not go out by itself when its time passes, and the person chooses another",
      () =>
        Effect.gen(function* () {
          const { service, write, visit, answer } = yield* heldApp("late")
          const post = yield* write({ scheduled_at: inSeconds(2) })
          const path = `/approvals/${post.id}`
          const early = yield* visit(path)
          yield* eventually(post.id, ({ scheduled_at: at }) => Date.parse(at) < Date.now())
          const tooLate = yield* answer(path, early.html, approve)
          assert.strictEqual(tooLate.status, 400)
          assert.include(tooLate.html, "That time has passed. Choose another, or it will not go out.")
          assert.notInclude(tooLate.html, 'value="wanted"')
          // Nothing on the list lets it go out by mistake.
          const list = yield* visit("/approvals")
          assert.notInclude(list.html, 'name="decision"')
          const unset = yield* answer(path, tooLate.html, [["decision", "approve"]])
          assert.include(unset.html, "Choose when it goes out.")
          assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.status, "draft")
          yield* service.call("PUT", "/v1/queue", { slots: [] })
          const queued = yield* answer(path, tooLate.html, [
            ["decision", "approve"],
            ["when", "queue"]
          ])
          assert.include(queued.html, "The queue of this workspace has no slots")
          yield* service.call("PUT", "/v1/queue", { slots: [{ day: "mon", time: "09:00" }] })
          const inQueue = yield* answer(path, tooLate.html, [
            ["decision", "approve"],
            ["when", "queue"]
          ])
          assert.strictEqual(inQueue.status, 303)
          const { body } = yield* service.call("GET", `/v1/posts/${post.id}`)
          assert.deepStrictEqual([body.status, body.use_queue], ["scheduled", true])
        })
    )

    it.effect("what waits for approval is not approved when the app changes it after the person looked", () =>
      Effect.gen(function* () {
        const { service, call, write, visit, answer } = yield* heldApp("swapped")
        const post = yield* write({ scheduled_at: inSeconds(3600) })
        const path = `/approvals/${post.id}`
        const { html } = yield* visit(path)
        yield* call("PATCH", `/v1/posts/${post.id}`, { caption: "Something else" })
        const answered = yield* answer(path, html, approve)
        assert.strictEqual(answered.status, 400)
        assert.include(answered.html, "has changed since you opened it")
        assert.include(answered.html, "Something else")
        assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.status, "draft")
        const refused = yield* answer(`${path}/refuse`, html, [["reason", "no"]])
        assert.strictEqual(refused.status, 400)
      })
    )

    it.effect(
      "what its app changes asks again while it is prepared, and is refused once it is being sent",
      () =>
        Effect.gen(function* () {
          const { byPerson, call, service, write } = yield* heldApp("meanwhile")
          const sandbox = yield* SandboxProcess
          yield* sandbox.script("meanwhile", [{ on: "media", fault: "processing", polls: 1000 }])
          const media = [yield* service.upload(picture, "image/jpeg", "bells.jpg")]
          const { id } = yield* write({ scheduled_at: inSeconds(10), media })
          const path = `/v1/posts/${id}`
          yield* byPerson("POST", `${path}/approve`)
          yield* eventually(id, ({ results }) => results[0].waiting_for === "media")
          const changed = yield* call("PATCH", path, { caption: "Rye bread" })
          assert.deepStrictEqual(
            [changed.status, changed.body.status, changed.body.approval.status],
            [200, "draft", "waiting"]
          )

          yield* sandbox.script("meanwhile", [{ on: "post", fault: "slow", ms: 6000 }])
          yield* byPerson("POST", `${path}/approve`, { publish_now: true })
          yield* sandbox.waitForPublications("meanwhile", 1)
          const late = yield* call("PATCH", path, { caption: "White bread" })
          assert.deepStrictEqual([late.status, late.body.code], [409, "post_not_editable"])
          const { approval, status } = yield* settled(id)
          assert.deepStrictEqual([status, approval.status], ["published", "approved"])
          assert.deepStrictEqual(
            (yield* sandbox.publications("meanwhile")).map(({ text }) => text),
            ["Rye bread"]
          )
        })
    )

    it.effect(
      "what waits for approval is approved with its media: not before they are there, nor by who has not seen them",
      () =>
        Effect.gen(function* () {
          const { byPerson, service, write, visit, answer } = yield* heldApp("arriving")
          const arrived = Promise.withResolvers<void>()
          const files = yield* listening(
            createServer((_, response) => {
              void arrived.promise.then(() => response.end(picture))
            })
          )
          const media_urls = [`http://127.0.0.1:${files.port}/a.jpg`]
          const post = yield* write({ scheduled_at: inSeconds(3600), media_urls })
          const path = `/approvals/${post.id}`
          const list = yield* visit("/approvals")
          assert.include(list.html, "Some of its files have not arrived yet")
          assert.notInclude(list.html, `action="${path}"`)
          const early = yield* visit(path)
          const tooEarly = yield* answer(path, early.html, approve)
          assert.strictEqual(tooEarly.status, 400)
          assert.include(tooEarly.html, "Wait until you can look at them, then decide.")
          for (const [method, where, body] of [
            ["PATCH", `/v1/posts/${post.id}`, { is_draft: false }],
            ["POST", `/v1/posts/${post.id}/publish`, undefined]
          ] as const) {
            const refused = yield* byPerson(method, where, body)
            assert.deepStrictEqual([refused.status, refused.body.code], [400, "media_not_ready"], method)
          }
          arrived.resolve()
          yield* service.call("GET", `/v1/media/${post.media[0]}`).pipe(
            Effect.repeat({
              schedule: Schedule.spaced("100 millis"),
              times: 1200,
              until: ({ body }) => body.status === "ready"
            })
          )
          const unseen = yield* answer(path, early.html, approve)
          assert.strictEqual(unseen.status, 400)
          assert.include(unseen.html, "has changed since you opened it")
          assert.include(unseen.html, `alt="a.jpg"`)
          assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.status, "draft")
          assert.strictEqual((yield* answer(path, unseen.html, approve)).status, 303)
          assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.status, "scheduled")
        })
    )

    it.effect("shows what stands against it, and lets nothing go out over that", () =>
      Effect.gen(function* () {
        const { service, account, write, visit, answer } = yield* heldApp("stopped")
        const post = yield* write({ scheduled_at: inSeconds(3600) })
        yield* service.call("DELETE", `/v1/social-accounts/${account}`)
        const path = `/approvals/${post.id}`
        const page = yield* visit(path)
        assert.include(page.html, "It cannot go out as it is")
        assert.strictEqual((yield* answer(path, page.html, approve)).status, 400)
        assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.status, "draft")
      })
    )

    it.effect("is nobody else's: strangers, the app's own token, forms from elsewhere, ids of others", () =>
      Effect.gen(function* () {
        const { service, account, call, write, visit, answer } = yield* heldApp("guarded")
        const post = yield* write({ scheduled_at: inSeconds(3600) })
        const path = `/approvals/${post.id}`
        const { html } = yield* visit(path)
        const stranger = new PlainBrowser(service.url)
        for (const where of ["/approvals", path]) {
          const sent = yield* promised(() => stranger.visit(where))
          assert.strictEqual(sent.status, 303)
          assert.strictEqual(decodeURIComponent(sent.location!), `/sign-in?next=${where}`)
        }
        assert.strictEqual((yield* promised(() => stranger.post(path, html, approve))).status, 403)
        // A token is no session, and a form without the proof is not ours.
        assert.strictEqual((yield* answer(path, html, [...approve, ["form", "forged"]])).status, 403)
        const tokenOnly = yield* call("POST", path, {}).pipe(Effect.catchDefect(() => Effect.succeed(null)))
        assert.notStrictEqual(tokenOnly?.status, 200)
        // A draft that no app asked for, and an id that is nobody's, answer alike.
        const own = yield* service.call("POST", "/v1/posts", {
          social_accounts: [account],
          caption: "The person's own",
          is_draft: true
        })
        const nobody = yield* visit("/approvals/0191f7a0-0000-7000-8000-000000000000")
        const mine = yield* visit(`/approvals/${own.body.id}`)
        assert.deepStrictEqual([nobody.status, mine.status], [404, 404])
        assert.strictEqual(nobody.html, mine.html)
        assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.status, "draft")
      })
    )
  }
)
