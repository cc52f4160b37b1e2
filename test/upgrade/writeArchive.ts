/**
 * Makes the backup of an instance with one of everything, as the version of this tree stores it:
 *
 *   node test/upgrade/writeArchive.ts test/upgrade/0.2.0.tar
 *
 * Once for each release: upgrade.test.ts restores every archive with the code of today.
 */
import { SandboxProcess } from "@carillon/sandbox/testing"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { callWith, connectApp, promised, signedInBrowser, tickedOf } from "@carillon/testing/OAuthBrowser"
import { create, eventually, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"
import { uprightVideo } from "@carillon/testing/UprightVideo"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import sharp from "sharp"
import { secret } from "./secret.ts"

/** Far enough for every upgrade that this archive will see. */
const inTheFarFuture = "2099-01-01T09:00:00Z"
const well = { on: "post", fault: "slow", ms: 0 } as const
const refused = { on: "post", fault: "refuse", code: "banned_word" } as const

const picture = (colour: string) =>
  promised(() =>
    sharp({ create: { width: 640, height: 640, channels: 3, background: colour } })
      .jpeg()
      .toBuffer()
  )

const done = Effect.fnUntraced(function* (method: string, path: string, body?: object, more = {}) {
  const service = yield* Service
  const answer = yield* service.call(method, path, body, more)
  return answer.status < 300
    ? answer.body
    : yield* Effect.die(new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`))
})

/** An account of each network, of each state, and a connection that nobody has ended. */
const accounts = Effect.gen(function* () {
  const networks = {
    telegram: yield* connectAccount("telegram", "upgrade"),
    discord: yield* connectAccount("discord", "upgrade"),
    mastodon: yield* connectAccount("mastodon", "upgrade"),
    bluesky: yield* connectAccount("bluesky", "upgrade"),
    tiktok: yield* connectAccount("tiktok", "upgrade"),
    instagram: yield* connectAccount("instagram", "upgrade"),
    youtube: yield* connectAccount("youtube", "upgrade"),
    pinterest: yield* connectAccount("pinterest", "upgrade")
  }
  yield* connectInBrowser("mastodon", "upgrade.app", { fields: { server: "mastodon.sandbox" } })
  const gone = yield* connectAccount("sandbox", "upgrade-gone")
  yield* done("DELETE", `/v1/social-accounts/${gone}`)
  // The tokens of the account above are those of another app now, so it has to be connected again.
  const app = { client_id: "upgrade", client_secret: "made-up" }
  yield* done("PUT", "/v1/platform-apps/pinterest", app)
  yield* done("POST", "/v1/social-accounts/connect", { platform: "tiktok" })
  return {
    ...networks,
    sandbox: yield* connectAccount("sandbox", "upgrade"),
    refusing: yield* connectAccount("sandbox", "upgrade-refusing"),
    breaking: yield* connectAccount("sandbox", "upgrade-breaking"),
    silent: yield* connectAccount("sandbox", "upgrade-silent")
  }
})

/** A file of each kind and state. */
const media = Effect.gen(function* () {
  const service = yield* Service
  const bells = yield* service.upload(yield* picture("#7a4b12"), "image/jpeg", "bells.jpg")
  yield* done("PATCH", `/v1/media/${bells}`, { alt_text: "Three bells" })
  const film = yield* service.upload(uprightVideo(), "video/mp4", "film.mp4")
  const dropped = yield* service.upload(yield* picture("#124b7a"), "image/jpeg", "dropped.jpg")
  yield* done("DELETE", `/v1/media/${dropped}`)
  const reservation = { mime_type: "image/png", size_bytes: 1000, name: "never sent.png" }
  yield* done("POST", "/v1/media/create-upload-url", reservation)
  const nowhere = { url: "http://127.0.0.1:9/nothing.jpg", name: "nowhere.jpg" }
  yield* done("POST", "/v1/media/import", nowhere)
  return { bells, film }
})

type Accounts = Effect.Success<typeof accounts>
type Files = Effect.Success<typeof media>

/** A post in each state. */
const posts = Effect.fnUntraced(function* (account: Accounts, { bells, film }: Files) {
  const sandbox = yield* SandboxProcess
  const one = [account.sandbox]
  const thread = ["The second", { caption: "The third", media: [bells] }]

  const published = yield* create({ social_accounts: one, caption: "Published", media: [bells], thread })
  const everywhere = yield* create({
    social_accounts: [account.telegram, account.discord, account.mastodon, account.bluesky],
    caption: "Everywhere",
    account_configurations: [{ account_id: account.mastodon, caption: "Everywhere, and on Mastodon" }]
  })
  const filmed = yield* create({
    social_accounts: [account.tiktok, account.youtube],
    caption: "Filmed",
    media: [film],
    platform_configurations: {
      tiktok: { privacy_level: "SELF_ONLY" },
      youtube: { title: "Filmed", privacy_status: "unlisted" }
    }
  })
  yield* Effect.forEach([published, everywhere, filmed], ({ id }) => settled(id), { discard: true })

  yield* sandbox.script("upgrade-breaking", [well, refused])
  yield* settled((yield* create({ social_accounts: [account.breaking], caption: "Broken off", thread })).id)

  const failing = Effect.gen(function* () {
    yield* sandbox.script("upgrade-refusing", [refused])
    const { id } = yield* create({ social_accounts: [account.refusing], caption: "Failed" })
    return (yield* settled(id)).results[0].id as string
  })
  yield* done("POST", `/v1/post-results/${yield* failing}/dismiss`, { dismissed: true })
  const repair = { social_accounts: [account.refusing], caption: "Repaired", repairs: yield* failing }
  yield* settled((yield* create(repair)).id)

  const asked = { social_accounts: [account.mastodon], caption: "Due one day", scheduled_at: inTheFarFuture }
  yield* done("POST", "/v1/posts", asked, { "idempotency-key": "upgrade" })
  yield* done("PUT", "/v1/queue", {
    timezone: "Europe/Berlin",
    slots: [{ day: "mon", time: "09:00" }],
    jitter_minutes: 5
  })
  yield* create({ social_accounts: one, caption: "Queued", use_queue: true })
  yield* create({ social_accounts: one, caption: "Draft", is_draft: true, thread, thread_fallback: "join" })
  yield* create({
    social_accounts: one,
    caption: "Draft of a day",
    is_draft: true,
    scheduled_at: inTheFarFuture
  })
})

/** The owner, an app that asks before it posts, and its posts: waiting, approved, refused. */
const people = Effect.fnUntraced(function* (account: number) {
  const service = yield* Service
  const browser = yield* promised(() => signedInBrowser(service))
  const { tokens } = yield* promised(() =>
    connectApp(browser, {
      resource: `${service.url}/v1`,
      choose: (html) => [...tickedOf(html), ["approval", "yes"]]
    })
  )
  const asks = Effect.fnUntraced(function* (caption: string) {
    const post = { social_accounts: [account], caption, scheduled_at: inTheFarFuture }
    const init = { method: "POST", body: JSON.stringify(post) }
    const { body } = yield* promised(() => callWith(service.url, tokens.access_token, "/v1/posts", init))
    return `/approvals/${(body as { readonly id: string }).id}`
  })
  const answers = (path: string, form: string, fields: ReadonlyArray<readonly [string, string]>) =>
    promised(async () => browser.post(form, (await browser.visit(path)).html, fields))
  yield* asks("Waiting for approval")
  const approved = yield* asks("Approved")
  yield* answers(approved, approved, [
    ["decision", "approve"],
    ["when", "wanted"]
  ])
  const no = yield* asks("Refused")
  yield* answers(no, `${no}/refuse`, [["reason", "Not today"]])

  const stranger = { method: "POST", body: new URLSearchParams({ name: "Olive", password: "wrong" }) }
  yield* promised(() => fetch(`${service.url}/sign-in`, { ...stranger, redirect: "manual" }))
  yield* done("POST", "/v1/api-keys", {
    name: "newsletter",
    scopes: ["posts:publish"],
    social_accounts: [account]
  })
})

const archive = Effect.gen(function* () {
  const service = yield* Service
  const sandbox = yield* SandboxProcess
  const [hook, broken] = [yield* receiver(), yield* receiver(() => 500)]
  for (const { url } of [hook, broken])
    yield* done("POST", "/v1/webhooks", { url, events: ["post.published", "post.failed"] })
  const account = yield* accounts
  const files = yield* media
  yield* posts(account, files)
  yield* people(account.sandbox)
  const { api_key } = yield* done("POST", "/v1/workspaces", { name: "Another" })
  const other = { authorization: `Bearer ${api_key.key}` }
  yield* done("PATCH", "/v1/profile", { timezone: "Asia/Tokyo" }, other)
  yield* until(() => hook.received.length > 0 && broken.received.length > 0)
  // The network does not answer: the commit is under way when the backup is made.
  yield* sandbox.script("upgrade-silent", [{ on: "post", fault: "slow", ms: 600_000 }])
  const silent = yield* create({ social_accounts: [account.silent], caption: "Under way" })
  yield* eventually(silent.id, ({ results }) => results[0].status === "publishing")

  return yield* promised(async () => {
    const response = await fetch(`${service.url}/v1/backups`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: JSON.stringify({ include_media: true })
    })
    if (!response.ok) throw new Error(await response.text())
    return Buffer.from(await response.arrayBuffer())
  })
}).pipe(Effect.scoped, Effect.provide(ServiceWithSandbox({ env: { CARILLON_SECRET: secret } })))

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error("Usage: node test/upgrade/writeArchive.ts FILE")
const bytes = await Effect.runPromise(archive)
writeFileSync(file, bytes)
process.stdout.write(`${file}: ${bytes.length} bytes\n`)
