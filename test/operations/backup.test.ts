import { SandboxProcess } from "@carillon/sandbox/testing"
import { chunksOf, manifestName, partsOf, verifyArchive, writeArchive } from "@carillon/server/backup/Archive"
import { backupKeyPurpose } from "@carillon/server/backup/BackupManifest"
import { derive } from "@carillon/server/crypto/Secrets"
import { connect, create, eventually, inSeconds, settled } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { program, Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import * as TestPostgres from "@carillon/testing/TestPostgres"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { gunzipSync, gzipSync } from "node:zlib"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))
const repository = join(import.meta.dirname, "../..")
const passphrase = "four bells in the north tower"

type Kind = "embedded" | "postgres"
const kinds: ReadonlyArray<Kind> = ["embedded", "postgres"]

/** The environment of a new, empty instance. */
class Places extends Context.Service<
  Places,
  { readonly directory: string; make(kind: Kind): Effect.Effect<Record<string, string>> }
>()("@carillon/test/Places") {
  static readonly layer = Layer.effect(
    Places,
    Effect.gen(function* () {
      const directory = yield* TestDirectory.make
      const postgres = yield* TestPostgres.make
      let made = 0
      const make = Effect.fnUntraced(function* (kind: Kind) {
        const name = `instance_${(made += 1)}`
        const DATA_DIR = join(directory, name)
        if (kind === "embedded") return { DATA_DIR }
        yield* Effect.gen(function* () {
          yield* (yield* PgClient.PgClient).unsafe(`create database ${name}`)
        }).pipe(Effect.provide(PgClient.layer({ url: postgres.url }), { local: true }), Effect.orDie)
        const url = new URL(Redacted.value(postgres.url))
        url.pathname = name
        return { DATA_DIR, DATABASE_URL: url.href }
      })
      return Places.of({ directory, make })
    })
  )
}

const started = Effect.fnUntraced(function* (
  { DATA_DIR, ...database }: Record<string, string>,
  env: Record<string, string> = {}
) {
  const sandbox = yield* SandboxProcess
  return yield* startService({ env: { SANDBOX_URL: sandbox.url, ...env }, dataDir: DATA_DIR!, database })
})

/** A folder with three backups, one that a crash has left, and a file of somebody else. */
const usedFolder = (path: string) => {
  mkdirSync(path)
  for (const day of [1, 2, 3]) writeFileSync(join(path, `carillon-2020010${day}T000000Z.tar`), "old")
  writeFileSync(join(path, "carillon-20200104T000000Z.tar.unfinished"), "half")
  writeFileSync(join(path, "notes.txt"), "theirs")
  return path
}

const isNew = (name: string) => /^carillon-2[0-9]{7}T.*\.tar$/.test(name) && !name.includes("-2020")

const backup = (service: ServiceProcess, asked: object = {}) =>
  Effect.promise(async () => {
    const response = await fetch(`${service.url}/v1/backups`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: JSON.stringify(asked)
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.strictEqual(response.status, 200, String(bytes))
    return bytes
  })

const startRestore = (env: Record<string, string>, ...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [program("restore"), ...args], {
    cwd: repository,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, output }))
  return { child, ended }
}

/** The archive with other bytes of a table, with digests that fit, signed under this secret. */
const changed = async (file: string, secret: string, table: string, change: (bytes: Buffer) => Buffer) => {
  const others = async function* () {
    for await (const { name, content } of partsOf(createReadStream(file))) {
      if (name === manifestName) continue
      const bytes = await buffer(Readable.from(content))
      const made = name === `tables/${table}.jsonl.gz` ? change(bytes) : bytes
      yield { name, size_bytes: made.length, content: () => chunksOf([made]) }
    }
  }
  const { mac: _mac, parts: _parts, ...about } = await verifyArchive(createReadStream(file))
  return buffer(writeArchive(others(), () => about, derive(secret, backupKeyPurpose)))
}

const withRows = (change: (row: object) => object) => (bytes: Buffer) => {
  const rows = gunzipSync(bytes).toString().trim().split("\n")
  return gzipSync(rows.map((row) => JSON.stringify(change(JSON.parse(row)))).join("\n"))
}

const restore = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => startRestore(env, ...args).ended)

const filesUnder = (directory: string) =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : []

const key = { "idempotency-key": "before-the-backup" }

/** What was made before the backup of an instance that is no more, and what its receiver had got. */
const lost = Effect.fnUntraced(function* (from: Kind) {
  const sandbox = yield* SandboxProcess
  const { directory, make } = yield* Places
  const place = yield* make(from)
  const secret = "0123456789abcdef0123456789abcdef"
  const saved = usedFolder(join(directory, `${from}-saved`))
  const service = yield* started(
    { ...place, ...(from === "postgres" ? { CARILLON_SECRET: secret } : {}) },
    { BACKUP_EVERY: "1 hour", BACKUP_TO: saved, BACKUP_KEEP: "2" }
  )
  const hook = yield* receiver(() => 500)
  yield* service.call("POST", "/v1/webhooks", { url: hook.url, events: ["post.published"] })
  const file = join(directory, `${from}.tar`)
  const made = yield* Effect.gen(function* () {
    const account = yield* connect(`backup-${from}`)
    const unsure = yield* connect(`backup-${from}-none`)
    const media = yield* service.upload(picture, "image/jpeg", "bells.jpg")
    const well = { on: "post", fault: "slow", ms: 0 } as const
    yield* sandbox.script(`backup-${from}`, [well, { on: "post", fault: "refuse", code: "banned_word" }])
    const thread = ["Second", "Third"]
    const post = { social_accounts: [account], caption: "Before", media: [media], thread }
    // A thread that broke off.
    const before = yield* settled((yield* create(post)).id)
    yield* until(() => hook.received.length > 0)
    // The platform does not answer: the commit is under way during the backup.
    yield* sandbox.script(`backup-${from}-none`, [well, { on: "post", fault: "slow", ms: 600_000 }])
    const committing = yield* create({ social_accounts: [unsure], caption: "Under way", thread })
    yield* eventually(committing.id, ({ results }) => results[0].items[1].status === "publishing")
    const draft = yield* create({ social_accounts: [account], caption: "Draft", is_draft: true })
    const asked = { social_accounts: [account], caption: "Later", scheduled_at: inSeconds(3600) }
    const { body: later } = yield* service.call("POST", "/v1/posts", asked, key)
    // Saved before its time, which comes before the end of the instance. Where the machine stood still, it is tried again.
    const early: Array<any> = []
    const saveInTime = Effect.gen(function* () {
      const post = yield* create({ social_accounts: [account], caption: "Soon", scheduled_at: inSeconds(25) })
      writeFileSync(file, yield* backup(service, { include_media: true, passphrase }))
      const { body } = yield* service.call("GET", `/v1/posts/${post.id}`)
      const inTime = body.status === "scheduled"
      yield* settled(post.id)
      if (!inTime) early.push(post)
      return inTime ? post : undefined
    })
    const soon = yield* Effect.repeat(saveInTime, { until: (post) => post !== undefined })
    yield* settled((yield* create({ social_accounts: [account], caption: "After" })).id)
    return { account, media, before, committing, draft, later, asked, early, soon }
  }).pipe(Effect.provideService(Service, service))
  const { body: schedule } = yield* Effect.repeat(service.call("GET", "/v1/backups"), {
    until: ({ body }) => body.last !== null && body.last.ended_at !== null,
    schedule: Schedule.spaced("100 millis")
  })
  const metrics = yield* Effect.promise(async () => (await fetch(`${service.url}/metrics`)).text())
  yield* service.kill
  const root = from === "postgres" ? secret : readFileSync(join(service.dataDir, "secret"), "utf8").trim()
  assert.lengthOf(yield* sandbox.publications(`backup-${from}`), 3 + made.early.length)
  return {
    ...made,
    file,
    root,
    hook,
    saved,
    schedule,
    metrics,
    sent: hook.received[0]!.headers["webhook-id"]
  }
})

/** An instance of each kind that is lost after its backup. */
class Lost extends Context.Service<Lost, Record<Kind, Effect.Success<ReturnType<typeof lost>>>>()(
  "@carillon/test/Lost"
) {
  static readonly layer = Layer.effect(
    Lost,
    Effect.all({ embedded: lost("embedded"), postgres: lost("postgres") }, { concurrency: "unbounded" })
  )
}

layer(Lost.layer.pipe(Layer.provideMerge(SandboxProcess.layer.pipe(Layer.merge(Places.layer)))), {
  excludeTestServices: true,
  timeout: "10 minutes"
})("a backup", (it) => {
  for (const from of kinds) {
    for (const to of kinds) {
      it.effect(
        `a backup of ${from} that is restored in ${to} has lost nothing, and publishes nothing twice`,
        () =>
          Effect.gen(function* () {
            const sandbox = yield* SandboxProcess
            const { directory, make } = yield* Places
            const made = (yield* Lost)[from]
            const published = yield* sandbox.publications(`backup-${from}`)
            made.hook.received.length = 0

            const target = yield* make(to)
            const passphraseFile = join(directory, "passphrase")
            writeFileSync(passphraseFile, `${passphrase}\n`)
            const done = yield* restore(target, made.file, "--passphrase-file", passphraseFile)
            assert.strictEqual(done.code, 0, done.output)
            assert.match(done.output, /1 media file/)
            const secret = readFileSync(join(target.DATA_DIR!, "secret"), "utf8")
            const again = yield* started({
              ...target,
              ...(to === "postgres" ? { CARILLON_SECRET: secret } : {})
            })
            yield* Effect.gen(function* () {
              const ids = (posts: any) => posts.data.map(({ id }: any) => id)
              const { body: all } = yield* again.call("GET", "/v1/posts")
              assert.sameMembers(
                ids(all),
                [made.before, made.committing, made.draft, made.later, ...made.early, made.soon].map(
                  ({ id }) => id
                )
              )
              const { body: doubtful } = yield* again.call("GET", "/v1/posts?result=unconfirmed")
              assert.sameMembers(ids(doubtful), [made.committing.id, made.soon.id])
              const { body: broken } = yield* again.call("GET", `/v1/posts/${made.before.id}`)
              assert.deepStrictEqual(broken.results, made.before.results)
              const { body: begun } = yield* again.call("GET", `/v1/posts/${made.committing.id}`)
              assert.strictEqual(begun.status, "published")
              assert.deepStrictEqual(
                begun.results[0].items.map((item: any) => [item.status, item.error?.code]),
                [
                  ["published", undefined],
                  ["unconfirmed", "restored"],
                  ["waiting", undefined]
                ]
              )
              const { body: soon } = yield* again.call("GET", `/v1/posts/${made.soon.id}`)
              assert.strictEqual(soon.status, "failed")
              const [{ id, error }] = soon.results
              assert.deepInclude(error, { code: "restored", action: "check_account" })
              const confirm = again.call("POST", `/v1/post-results/${id}/confirm`, { published: true })
              assert.strictEqual((yield* confirm).body.status, "published")

              // The delivery that had not got through goes on under its id.
              yield* until(() =>
                made.hook.received.some(({ headers }) => headers["webhook-id"] === made.sent)
              )
              const repeated = yield* again.call("POST", "/v1/posts", made.asked, key)
              assert.strictEqual(repeated.headers.get("idempotency-replayed"), "true")
              assert.strictEqual(repeated.body.id, made.later.id)

              // Tokens, media and numbers are what they were.
              const { body: item } = yield* again.call("GET", `/v1/media/${made.media}`)
              const bytes = yield* Effect.promise(async () => (await fetch(item.url)).arrayBuffer())
              assert.isTrue(Buffer.from(bytes).equals(picture))
              assert.isAbove(yield* connect(`backup-${from}-${to}`), made.account)
              const next = yield* create({
                social_accounts: [made.account],
                media: [made.media],
                caption: `In ${to}`
              })
              assert.strictEqual((yield* settled(next.id)).status, "published")
            }).pipe(Effect.provideService(Service, again))
            yield* again.terminate
            assert.lengthOf(yield* sandbox.publications(`backup-${from}`), published.length + 1)
            assert.isAtMost((yield* sandbox.publications(`backup-${from}-none`)).length, 2)
          }).pipe(Effect.scoped),
        600_000
      )
    }
  }

  it.effect("a backup is made by itself, whole or not at all, and takes the place of the oldest", () =>
    Effect.gen(function* () {
      for (const { saved, schedule, metrics } of Object.values(yield* Lost)) {
        const names = readdirSync(saved).toSorted()
        const made = names.find(isNew)!
        assert.deepStrictEqual(names, ["carillon-20200103T000000Z.tar", made, "notes.txt"])
        yield* Effect.promise(() => verifyArchive(createReadStream(join(saved, made))))
        assert.deepInclude(schedule, { every_seconds: 3600, succeeded_at: schedule.last.ended_at })
        assert.isNull(schedule.last.error)
        assert.match(metrics, /^carillon_backup_last_failed 0$/m)
        assert.match(metrics, /^carillon_backup_last_success_timestamp_seconds 1/m)
      }
    })
  )

  it.effect(
    "a backup is refused with one sentence where it cannot be restored, and restored after a kill",
    () =>
      Effect.gen(function* () {
        const { directory, make } = yield* Places
        const { embedded } = yield* Lost
        const whole = readFileSync(embedded.file)
        const file = (name: string, bytes: Uint8Array) => {
          const path = join(directory, name)
          writeFileSync(path, bytes)
          return path
        }
        const right = file("right", Buffer.from(passphrase))
        const wrong = file("wrong", Buffer.from("another passphrase"))
        const newer = Buffer.from(whole)
        newer.write('"migration_id": 999', newer.lastIndexOf('"migration_id": 100'))

        const empty = yield* make("embedded")
        const refused = Effect.fnUntraced(function* (
          args: ReadonlyArray<string>,
          sentence: RegExp,
          place = empty
        ) {
          const { code, output } = yield* restore(place, ...args)
          assert.strictEqual(code, 1, output)
          assert.match(output, sentence)
          assert.match(output.trim(), /^Nothing was restored\. [^\n]+$/)
          return output
        })
        yield* refused([embedded.file], /encrypted with a passphrase.*--passphrase-file/)
        yield* refused([embedded.file, "--passphrase-file", wrong], /is not the passphrase of this backup/)
        yield* refused([file("cut.tar", whole.subarray(0, whole.length / 2))], /It is truncated/)
        yield* refused([file("newer.tar", newer)], /by a newer release of Carillon/)

        const secret = '"crl_never "shown"'
        const rows = withRows((row) => ({ ...row, created_at: secret }))
        const spoilt = yield* Effect.promise(() =>
          changed(embedded.file, embedded.root, "social_accounts", rows)
        )
        const said = yield* refused(
          [file("spoilt.tar", spoilt), "--passphrase-file", right],
          /the table social_accounts cannot be filled: the database says: invalid input syntax for type timestamp .*\(22007\).*Restore it with/
        )
        assert.notInclude(said, "crl_never")
        const owner = withRows((row) => ({ ...row, name: "Mallory" }))
        const forged = yield* Effect.promise(() =>
          changed(embedded.file, "a secret of a stranger with 32 characters", "workspaces", owner)
        )
        yield* refused(
          [file("forged.tar", forged), "--passphrase-file", right],
          /was changed after it was made, or somebody else made it/
        )

        const killed = Effect.gen(function* () {
          const place = yield* make("embedded")
          const { child, ended } = startRestore(place, embedded.file, "--passphrase-file", right)
          const media = join(place.DATA_DIR!, "media")
          yield* until(() => filesUnder(media).some(({ parentPath }) => !parentPath.endsWith("staging")))
          child.kill("SIGKILL")
          return { place, signal: (yield* Effect.promise(() => ended)).signal }
        })
        // One that was faster than the kill proves nothing.
        const { place: target } = yield* Effect.repeat(killed, {
          until: ({ signal }) => signal === "SIGKILL"
        })
        const done = yield* restore(target, embedded.file, "--passphrase-file", right)
        assert.strictEqual(done.code, 0, done.output)
        yield* refused(
          [embedded.file],
          /contains an instance; a backup can only be restored into an empty database/,
          target
        )
      }),
    600_000
  )
})
