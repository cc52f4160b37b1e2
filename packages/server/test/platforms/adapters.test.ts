import type { ErrorClass } from "@carillon/domain"
import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import type { PublishError } from "@carillon/server/platforms/Platform"
import { SharedSandbox } from "@carillon/testing/SharedService"
import type { Purpose } from "@carillon/testing/Walks"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Redacted, Result, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { type Row, rows } from "./AdapterRows.ts"
import { attempt, carriedOut, connected, connectedAs } from "./Attempt.ts"
import { signedIn, somebody } from "./Publisher.ts"
import { closedPort } from "./ScriptedServer.ts"
import { noneTaken, savedHandles, takenAre, video } from "./TestRequest.ts"
import { secretsIn, tapped } from "./Wiretap.ts"

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

type ScriptedFault = Omit<Fault, "on" | "times"> & {
  readonly retry_after?: number
  readonly times?: number
  readonly on?: never
}

/** The faults that any call can be told to have, and what each is where nothing can have been published yet. */
const faults: ReadonlyArray<readonly [ScriptedFault, ErrorClass]> = [
  [{ fault: "refuse", code: "some_rule" } as ScriptedFault, "invalid"],
  [{ fault: "forbidden" }, "forbidden"],
  [{ fault: "unauthorized" }, "reconnect"],
  [{ fault: "rate_limited", retry_after: 30 }, "rate_limited"],
  [{ fault: "rate_limited" }, "rate_limited"],
  [{ fault: "server_error_before" }, "transient"],
  [{ fault: "reset_before" }, "transient"],
  [{ fault: "effect_then_server_error" }, "transient"],
  [{ fault: "effect_then_lost_reply" }, "transient"],
  [{ fault: "long_answer" }, "transient"],
  [{ fault: "half_body" }, "transient"],
  [{ fault: "half_body", cut: true } as ScriptedFault, "transient"]
]

/** The same of the commit, which may have worked. */
const ofCommits: ReadonlyArray<readonly [ScriptedFault, ErrorClass | null]> = [
  ...faults.map(
    ([fault, expected]) => [fault, expected === "transient" ? ("ambiguous" as const) : expected] as const
  ),
  [{ fault: "late_effect", ms: 20, connection: "cut" } as ScriptedFault, "ambiguous"],
  [{ fault: "slow", ms: 20 } as ScriptedFault, null]
]

/** The class of the error, or null where nobody notices. */
const expected = (
  row: Row,
  on: string,
  purpose: Purpose,
  { fault }: ScriptedFault,
  usual: ErrorClass | null
) => {
  if (purpose === "after") return null
  if (["half_body", "long_answer"].includes(fault) && row.without_answer.includes(on)) return null
  return purpose === "asked" && usual !== "reconnect" ? null : usual
}

/** Options may name a board of the account. */
const boards = [{ id: "1", name: "Bells", sections: [{ id: "1" }] }]

const titled = rows.map((row) => [row.what, row] as const)

const said = (fault: ScriptedFault, late: boolean) =>
  `${JSON.stringify(fault)}${late ? ", two hours late" : ""}`

const isAskedAll = process.env["ADAPTERS"] === "all"

/** Of the kinds of posts of a login, the first alone is asked the same thing, unless ADAPTERS=all. */
const asked = <Ask>(
  asks: ReadonlyArray<Ask>,
  of: (ask: Ask) => readonly [Row, ...ReadonlyArray<unknown>]
) => {
  if (isAskedAll) return asks
  const known = new Set<string>()
  return asks.filter((ask) => {
    const [{ login, make, typed, key, ending }, ...what] = of(ask)
    const name = JSON.stringify([login, String(make), String(typed), key, ending, what])
    return known.size < known.add(name).size
  })
}

/** The calls besides commits take turns with the faults, unless ADAPTERS=all. */
const isTurnOf = (row: Row, on: string, fault: number) => {
  const others = Object.keys(row.calls).filter((one) => row.calls[one] !== "commit")
  return isAskedAll || !others.includes(on) || others.indexOf(on) === fault % others.length
}

/** Every call of every row with every fault, and the commit again with the fault twice, or when its key has ended. */
const everyCall = rows.flatMap((row) =>
  Object.entries(row.calls).flatMap(([on, purpose]) =>
    (purpose === "commit" ? ofCommits : faults)
      .filter(
        ([{ fault }], index) => isTurnOf(row, on, index) && row.unheard_of[on]?.includes(fault) !== true
      )
      .flatMap(([fault, usual]) => {
        const errorClass = expected(row, on, purpose, fault, usual)
        const once = { row, on, fault, purpose, errorClass, late: false }
        const keyed = purpose === "commit" && errorClass === "ambiguous" ? row.key : undefined
        return [
          once,
          ...(keyed === undefined ? [] : [{ ...once, fault: { ...fault, times: 2 } }]),
          ...(keyed === "ends" ? [{ ...once, late: true }] : [])
        ]
      })
      .map((one) => [row.what, on, said(one.fault, one.late), one] as const)
  )
)
const calls = asked(everyCall, ([, on, fault, { row }]) => [row, on, fault])

/** A first comment with every fault of the call that makes it. */
const commented = titled.filter(([, row]) => "first_comment" in row.options(undefined, boards, ""))
const comments = commented.flatMap(([what, row]) =>
  ofCommits
    .filter(([{ fault }]) => fault !== "late_effect")
    .map(([fault, usual]) => {
      const errorClass = expected(row, "comment", "commit", fault, usual)
      return [what, JSON.stringify(fault), { row, fault, errorClass }] as const
    })
)

const firstOf = (keyOf: (row: Row) => unknown) =>
  titled.filter(([, row]) => rows.find((one) => keyOf(one) === keyOf(row)) === row)

const consents = firstOf(({ login, typed }) => typed ?? login).filter(([, { typed }]) => typed === undefined)
/** Every way to connect an account. */
const logins = [
  ...consents,
  ...firstOf(({ typed }) => typed).filter(([, { typed }]) => typed !== undefined),
  // A person may also give a token to one of Mastodon's many servers.
  ...titled
    .filter(([, { network }]) => network === "mastodon")
    .map(([what, row]) => {
      const typed = (name: string) => ({ ...row.signIn!.fields, access_token: `${name}.sandbox` })
      return [`${what}, by a token`, { ...row, typed }] as const
    })
]
const renewed = logins.filter(([, { tokens }]) => tokens === "session")

const everyLookup = rows.flatMap((row) =>
  row.lookup === undefined
    ? []
    : faults.map(
        ([fault, errorClass]) =>
          [row.what, JSON.stringify(fault), { row, fault, lookup: row.lookup!, errorClass }] as const
      )
)
const lookups = asked(everyLookup, ([, fault, { row }]) => [row, fault])

/** Of posts that say the same, all prepared before any is out: what goes wrong with which. */
const unheard = "reset_before"
const lost = "effect_then_lost_reply"
const histories = [
  ["the second of two is never heard", [null, unheard]],
  ["the reply to the second of two is lost", [null, lost]],
  ["the first of two is never heard", [unheard, null]],
  ["the reply to the first of two is lost", [lost, null]],
  ["the third of three is never heard", [null, null, unheard]],
  ["neither of two is heard at first", [unheard, unheard]],
  ["the replies to two are lost", [lost, lost]],
  ["the reply to the first is lost, and the second is never heard", [lost, unheard]]
] as const
const whens = titled.flatMap(([what, row]) => [
  [what, row, false] as const,
  ...(row.key === "ends" ? [[`${what} two hours late`, row, true] as const] : [])
])

/** What the account is told of an error. */
const assertSaid = ({ daily, tokens }: Row, errors: ReadonlyArray<PublishError>, fault: ScriptedFault) => {
  for (const error of errors) {
    assert.strictEqual(error.token_expired ?? false, fault.fault === "unauthorized" && tokens !== "last")
    const isDated = fault.retry_after !== undefined || (daily === true && fault.fault === "rate_limited")
    assert.strictEqual(error.retry_at !== undefined, isDated)
    assert.match(error.message, /^[A-Z].+[.!)"]$/)
  }
}

/** An account whose conversation with the network is heard. */
const tappedAs = (row: Row, heard: Array<string>) =>
  Effect.flatMap(
    somebody(row, { secret: `sandbox-${row.what}`, through: (client) => tapped(client, heard) }),
    (person) => connectedAs(person, row)
  )

/** An account that has published before, if its post is late: so its network shows that it can be read. */
const withPast = Effect.fnUntraced(function* (row: Row, on: string, late: boolean) {
  const account = yield* connected(row, on, late)
  if (!late) return { ...account, past: [] as ReadonlyArray<string> }
  const { platform, post } = account
  assert.strictEqual(platform.capabilities.reconcile(post, yield* DateTime.now), "lookup")
  const { end, id } = yield* carriedOut({
    ...account,
    post: { ...post, caption: "Before", target_id: `${post.target_id}-before` }
  })
  assert.strictEqual(end, "published")
  return { ...account, past: [id!] }
})

/** What a fault of a call that decides comes to. */
const endOf = (row: Row, errorClass: ErrorClass | null) => {
  // A token that somebody typed is not renewed.
  const over = errorClass === "reconnect" && row.typed !== undefined && row.tokens === "last"
  if (over || errorClass === "forbidden" || errorClass === "invalid") return "failed"
  return errorClass === "ambiguous" && row.silent === true ? "unconfirmed" : "published"
}

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value === "" ? [] : [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const idOf = ({ idOf: own = ({ id }) => id }: Row) => own

layer(Network, { excludeTestServices: true, concurrent: true })("an adapter", (it) => {
  it.effect.each(logins)("connects an account for %s, and again as the same account", ([, row]) =>
    Effect.gen(function* () {
      const person = yield* somebody(row)
      const { username } = person
      const [first, second] = [yield* signedIn(person), yield* signedIn(person)]
      assert.strictEqual(first.username.split(/[.@]/, 1)[0], username)
      assert.strictEqual(first.remote_id, second.remote_id)
    })
  )

  it.effect.each(consents)("says what was not granted for %s", ([, row]) =>
    Effect.gen(function* () {
      const { asked, exchange } = yield* somebody(row)
      const { needed = [] } = row
      const unticked = asked.filter((scope) => needed.some((end) => scope.endsWith(end)))
      assert.lengthOf(unticked, needed.length)
      const error = yield* Effect.flip(exchange(asked.filter((scope) => !unticked.includes(scope))))
      assert.strictEqual(error.code, "scopes_missing")
      assert.include(error.message, needed[0]!)
    })
  )

  // Their token endpoints speak as RFC 6749 does.
  it.effect.each(consents.filter(([, { tokens }]) => tokens === "session"))(
    "tells the operator that the network does not know the app for %s",
    ([, row]) =>
      Effect.gen(function* () {
        const { exchange } = yield* somebody(row, { secret: "wrong" })
        assert.strictEqual((yield* Effect.flip(exchange())).class, "config")
      })
  )

  it.effect.each(logins.filter(([, { typed }]) => typed !== undefined))(
    "says when what a person types for %s makes no sense",
    ([, row]) =>
      Effect.gen(function* () {
        const { platform } = yield* somebody(row)
        const errors = yield* Effect.forEach([{}, null, "x", { username: 1 }], (input) =>
          Effect.flip(platform.connect!(input))
        )
        assert.deepStrictEqual([...new Set(errors.map(({ code }) => code))], ["credentials_rejected"])
      })
  )

  it.effect.each(
    renewed.flatMap(([what, row]) =>
      faults
        .filter(([{ fault }]) => fault !== "unauthorized")
        .map(([fault, errorClass]) => [JSON.stringify(fault), what, { row, fault, errorClass }] as const)
    )
  )("knows %s of a refresh and of a sign-in for %s", ([, , { row, fault, errorClass }]) =>
    Effect.gen(function* () {
      const account = yield* connected(row)
      const signIn = signedIn(account)
      const { platform, credentials, script } = account
      yield* script({ on: "session", ...fault, times: 2 } as Fault)
      const errors = [yield* Effect.flip(platform.refresh(credentials)), yield* Effect.flip(signIn)]
      assert.deepStrictEqual(
        errors.map((error) => error.class),
        [errorClass, errorClass]
      )
      assertSaid(row, errors, fault)
      assert.isString((yield* signIn).remote_id)
    })
  )

  it.effect.each(logins.filter(([, { tokens }]) => tokens !== "end"))(
    "publishes %s with what a refresh gave",
    ([, row]) =>
      Effect.gen(function* () {
        const account = yield* connected(row)
        const { prepare, handle } = yield* attempt(account)
        yield* prepare
        const { credentials } = yield* account.platform.refresh(account.credentials)
        yield* account.platform.commit(account.post, credentials, handle())
        assert.lengthOf(yield* account.network.waitForPublications(account.username, 1), 1)
      })
  )

  it.effect.each(titled)(
    "publishes %s once with these calls, says what it is called, and shows nothing before",
    ([, row]) =>
      Effect.gen(function* () {
        const account = yield* connected(row)
        const { username, network, post } = account
        const earlier = (yield* network.requests(username)).length
        const { carryOut, kind, prepare } = yield* attempt(account)
        assert.strictEqual((yield* kind) === "replay", row.key !== undefined)
        yield* prepare
        assert.deepStrictEqual(yield* network.publications(username), [])
        const done = yield* carryOut()
        assert.deepStrictEqual([done.end, done.errors], ["published", []])
        assert.strictEqual(done.username, post.username)
        assert.strictEqual(URL.canParse(done.url ?? ""), row.hidden !== true)
        const [publication, ...others] = yield* network.publications(username)
        assert.lengthOf(others, 0)
        assert.lengthOf(publication!.media, row.types.length)
        if (row.hidden !== true) assert.strictEqual(done.id, idOf(row)(publication!))
        const made = (yield* network.requests(username)).slice(earlier).map(({ operation }) => operation)
        assert.sameMembers(
          [...new Set(made.filter((operation) => operation !== null))],
          Object.entries(row.calls).flatMap(([on, purpose]) => (purpose === "waited" ? [] : [on]))
        )
      })
  )

  it.effect.each(titled.filter(([, { calls }]) => "media" in calls && !("upload_start" in calls)))(
    "uploads no file of %s twice",
    ([, row]) =>
      Effect.gen(function* () {
        const { platform, post, credentials, requests } = yield* connected(row)
        const uploads = Effect.map(
          requests,
          (all) => all.filter(({ operation }) => operation === "media").length
        )
        const { save, all } = yield* savedHandles
        yield* platform.prepare(post, credentials, null, save)
        const once = yield* uploads
        yield* platform.prepare(post, credentials, (yield* all)[0]!, save)
        assert.strictEqual(yield* uploads, 2 * once - 1)
        yield* platform.prepare(post, credentials, (yield* all).at(-1)!, save)
        assert.strictEqual(yield* uploads, 2 * once - 1)
      })
  )

  const worked = titled.filter(([, { calls }]) => "media_status" in calls)
  it.effect.each(worked)("waits until the files of %s are ready", ([, row]) =>
    Effect.gen(function* () {
      const account = yield* connected(row, "media_status")
      yield* account.network.script(account.username, [
        { on: "media", fault: "processing", polls: 1, becomes: "ready" }
      ])
      const { end, errors, waits } = yield* carriedOut(account)
      assert.deepStrictEqual([end, errors], ["published", []])
      // The parent of a carousel is waited for too.
      if (row.calls["media_status"] === "waited") assert.strictEqual(waits, 2)
      else assert.isAtLeast(waits, 1)
    })
  )

  it.effect.each(worked)("says that a file of %s has failed", ([, row]) =>
    Effect.gen(function* () {
      const account = yield* connected(row, "media_status")
      yield* account.network.script(account.username, [
        { on: "media", fault: "processing", polls: 1, becomes: "failed" }
      ])
      const { end, errors } = yield* carriedOut(account)
      assert.deepStrictEqual([end, ...errors.map((error) => error.class)], ["failed", "media_rejected"])
      assert.deepStrictEqual(yield* account.network.publications(account.username), [])
    })
  )

  it.effect.each(titled)(
    "keeps no secret of %s in what it stores, nor the test network in its ledger, its journal or its feed",
    ([, row]) =>
      Effect.gen(function* () {
        const { url, directory } = yield* SandboxProcess
        const heard: Array<string> = []
        const account = yield* tappedAs(row, heard)
        const { platform } = account
        const { carryOut, saved } = yield* attempt(account)
        const done = yield* carryOut()
        assert.strictEqual(done.end, "published")
        const { credentials = account.credentials } = yield* Effect.orElseSucceed(
          platform.refresh(account.credentials),
          () => ({ credentials: undefined })
        )
        const revoked = yield* platform.revocation?.revoke(credentials) ?? Effect.succeed("not_offered")
        const ended: Array<PublishError> = []
        if (row.tokens === "session" && platform.revocation !== undefined) {
          assert.strictEqual(revoked, "revoked")
          ended.push(yield* Effect.flip(platform.refresh(credentials)))
          assert.strictEqual(ended[0]!.class, "reconnect")
        }
        const secrets = secretsIn(heard)
        assert.isAtLeast(secrets.size, row.typed === undefined ? 3 : 1)
        const { credentials: _, ...shown } = account.account
        const { secret_handle_fields: sealed = [] } = platform
        const ours = JSON.stringify([shown, yield* saved, done, ended], (name, value) =>
          sealed.includes(name) ? undefined : value
        )
        const theirs = yield* Effect.promise(() =>
          Promise.all([
            readFile(join(directory, "ledger.jsonl"), "utf8"),
            ...["/ledger", "/ledger/requests", "/feed.json", "/"].map(async (path) =>
              (await fetch(`${url}${path}`)).text()
            )
          ])
        )
        assert.include(theirs[0], account.username)
        for (const secret of secrets) {
          for (const text of [ours, ...theirs]) {
            assert.isFalse(text.includes(secret) || text.includes(encodeURIComponent(secret)), secret)
          }
        }
      })
  )

  it.effect.each(titled)("names no secret of %s in an error that repeats it", ([, row]) =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const account = yield* tappedAs(row, heard)
      heard.splice(0)
      yield* carriedOut(account)
      const stored = JSON.stringify(Redacted.value(account.credentials))
      const secrets = [...secretsIn(heard)].filter((secret) => stored.includes(secret))
      assert.isNotEmpty(secrets)
      const message = `Bad: ${secrets.join(" ")}`
      for (const [on, purpose] of Object.entries(row.calls)) {
        // A call that is sent no token cannot repeat one.
        const withToken = row.unheard_of[on]?.includes("forbidden") !== true
        if (!["before", "commit"].includes(purpose) || !withToken) continue
        yield* account.network.script(account.username, [{ on, fault: "refuse", message } as Fault])
        const { carryOut, handle } = yield* attempt(account)
        const { errors } = yield* carryOut()
        assert.isNotEmpty(errors)
        const told = JSON.stringify(errors)
        assert.include(told, "<redacted>")
        const addresses = (account.platform.secret_handle_fields ?? []).flatMap((field) =>
          textsIn(handle()?.[field])
        )
        for (const secret of [...secrets, ...addresses]) assert.notInclude(told, secret)
      }
    })
  )

  it.effect.each(calls)(
    "publishes %s once, or says why not: %s goes wrong with %s",
    ([, , , { row, on, fault, purpose, errorClass, late }]) =>
      Effect.gen(function* () {
        const account = yield* withPast(row, on, late)
        const { past, username, network } = account
        yield* network.script(username, [
          ...(purpose === "waited" ? [{ on: "media", fault: "processing", polls: 1 }] : []),
          { on, ...fault }
        ] as ReadonlyArray<Fault>)
        const whenThere = (count: number) =>
          count === 0
            ? network.publications(username)
            : Effect.orDie(network.waitForPublications(username, count))
        const all = past.length + 1
        const { errors, end, id } = yield* carriedOut(
          account,
          fault.fault === "late_effect" ? whenThere(all) : Effect.void
        )
        const classes = errors.map((error) => error.class)
        // The status alone may tell that the key is taken.
        if (fault.times === 2 && classes[1] === errorClass) classes.pop()
        assert.deepStrictEqual(classes, errorClass === null ? [] : [errorClass])
        assertSaid(row, errors, fault)
        assert.strictEqual(end, endOf(row, errorClass))
        const isThere =
          end === "published" ||
          purpose === "look" ||
          (end === "unconfirmed" && /effect|long|half/.test(fault.fault))
        const published = yield* whenThere(isThere ? all : past.length)
        assert.lengthOf(published, isThere ? all : past.length)
        if (end !== "published") return
        assert.lengthOf(published.at(-1)!.media, row.types.length)
        if (row.hidden !== true) assert.strictEqual(id, idOf(row)(published.at(-1)!))
      })
  )

  it.effect.each(comments)(
    "comments on %s once, and finds its comment where there is one: the comment goes wrong with %s",
    ([, , { row, fault, errorClass }]) =>
      Effect.gen(function* () {
        const account = yield* connected(row)
        const { end, id = "", url = null } = yield* carriedOut(account)
        assert.strictEqual(end, "published")
        const { credentials, network, platform, post, username } = account
        const { create, find } = platform.comments!
        const comment = {
          ...post,
          post: { id, url, username: post.username },
          text: String(post.options["first_comment"])
        }
        const there = Effect.map(network.publications(username), ([publication]) => [
          ...((publication!.details?.["comments"] ?? []) as ReadonlyArray<unknown>)
        ])
        yield* network.script(username, [{ on: "comment", ...fault } as Fault])
        const made = yield* Effect.result(create(comment, credentials))
        assert.strictEqual(Result.isFailure(made) ? made.failure.class : null, errorClass)
        if (Result.isFailure(made)) assertSaid(row, [made.failure], fault)
        const isThere = errorClass === null || /effect|long|half/.test(fault.fault)
        assert.lengthOf(yield* there, isThere ? 1 : 0)
        if (errorClass === "reconnect") return
        const found = yield* find(comment, credentials)
        assert.strictEqual(typeof found === "object", isThere && row.probe !== true)
        if (!isThere) yield* create(comment, credentials)
        assert.lengthOf(yield* there, 1)
      })
  )

  it.effect("has first comments where the rules have them", () =>
    Effect.gen(function* () {
      for (const [, row] of firstOf(({ network }) => network)) {
        const { platform } = yield* somebody(row)
        assert.strictEqual(
          platform.comments !== undefined,
          platform.rules.first_comment !== undefined,
          row.network
        )
      }
    })
  )

  it.effect.each(titled)(
    "does not know whether %s is published when the last call has no answer in its time",
    ([, row]) =>
      Effect.gen(function* () {
        const account = yield* connected(row, "post")
        const { network, platform, username } = account
        const { carryOut, commit, prepare } = yield* attempt(account)
        yield* prepare
        yield* network.script(username, [{ on: "post", fault: "late_effect", ms: 0, connection: "hang" }])
        const error = yield* Effect.gen(function* () {
          const call = yield* Effect.forkChild(Effect.flip(commit))
          yield* Effect.orDie(network.waitForPublications(username, 1))
          yield* TestClock.adjust(platform.capabilities.commit_timeout)
          return yield* Fiber.join(call)
        }).pipe(Effect.provide(TestClock.layer()))
        assert.deepInclude(error, { class: "ambiguous", code: "timeout" })
        assert.strictEqual((yield* carryOut()).end, row.silent === true ? "unconfirmed" : "published")
        assert.lengthOf(yield* network.publications(username), 1)
      })
  )

  it.effect.each(titled)("knows that %s was not sent when nobody listens", ([, row]) =>
    Effect.gen(function* () {
      let isAway = false
      const person = yield* somebody(row, {
        through: (client, url) =>
          HttpClient.mapRequest(client, (one) =>
            HttpClientRequest.setUrl(one, isAway ? one.url.replace(url, closedPort) : one.url)
          )
      })
      const account = yield* connectedAs(person, row, "post")
      const { carryOut, commit, prepare } = yield* attempt(account)
      yield* prepare
      isAway = true
      const { class: errorClass, code } = yield* Effect.flip(commit)
      assert.deepStrictEqual([errorClass, code], ["transient", "ECONNREFUSED"])
      assert.lengthOf(yield* account.publications, 0)
      isAway = false
      assert.strictEqual((yield* carryOut()).end, "published")
    })
  )

  it.effect.each(lookups)(
    "finds %s after a lost answer though the look goes wrong with %s",
    ([
      ,
      ,
      {
        row,
        fault,
        lookup: { on, before },
        errorClass
      }
    ]) =>
      Effect.gen(function* () {
        const account = yield* withPast(row, "post", row.key === "ends")
        const { past, username, network } = account
        yield* network.script(username, [
          { on: "post", fault: lost },
          ...(before === 0 ? [] : [{ on, fault: "slow", ms: 0, times: before }]),
          { on, ...fault }
        ] as ReadonlyArray<Fault>)
        const { errors, end } = yield* carriedOut(account)
        const [first, ...ofTheLook] = errors
        assert.strictEqual(first!.class, "ambiguous")
        assert.deepStrictEqual(
          ofTheLook.map((error) => error.class),
          [errorClass]
        )
        assertSaid(row, ofTheLook, fault)
        assert.strictEqual(end, endOf(row, errorClass))
        assert.lengthOf(yield* network.publications(username), past.length + 1)
      })
  )

  it.effect.each(
    asked(
      whens.flatMap(([what, row, late]) =>
        (row.unique === true ? [] : histories).map(
          ([history, script]) => [what, history, { row, late, script }] as const
        )
      ),
      ([, history, { row, late }]) => [row, history, late]
    )
  )("publishes as many of %s as are asked for within a minute: %s", ([, , { row, late, script }]) =>
    Effect.gen(function* () {
      const account = yield* withPast(row, "post", late)
      const { network, past, username } = account
      const known = [...past]
      const items = yield* Effect.forEach(script, (fault, index) =>
        Effect.gen(function* () {
          const item = yield* attempt(account, `${account.post.target_id}-${index}`)
          yield* item.prepare
          return { fault, ...item }
        })
      )
      for (const { carryOut, commit, fault } of items) {
        yield* network.script(username, fault === null ? [] : [{ on: "post", fault }])
        if (fault !== null) {
          assert.strictEqual((yield* Effect.flip(commit)).class, "ambiguous")
          continue
        }
        const { end, id } = yield* carryOut(Effect.void, takenAre(known))
        assert.strictEqual(end, "published")
        known.push(id!)
      }
      const isDoubtful =
        row.silent === true || (row.doubts === true && script.every((fault) => fault === lost))
      for (const { carryOut, fault } of items) {
        if (fault === null) continue
        const { end, id } = yield* carryOut(Effect.void, takenAre(known))
        assert.strictEqual(end, isDoubtful ? "unconfirmed" : "published")
        if (end !== "published") continue
        assert.notInclude(known, id)
        known.push(id!)
      }
      const count = script.filter((fault) => row.silent !== true || fault !== unheard).length
      const all = yield* count === 0
        ? network.publications(username)
        : network.waitForPublications(username, past.length + count)
      assert.lengthOf(all, past.length + count)
      if (!isDoubtful) assert.sameMembers(known, all.map(idOf(row)))
    })
  )

  // No person writes as a bot.
  it.effect.each(
    whens.filter(
      ([, { key, network, probe, silent }, late]) =>
        silent !== true && probe === undefined && network !== "discord" && (late || key === undefined)
    )
  )("does not take a post made by hand for its own, for %s", ([, row, late]) =>
    Effect.gen(function* () {
      const account = yield* connected(row, "post", late)
      const { network, username } = account
      const byHand = yield* attempt(account, `${account.post.target_id}-by-hand`)
      assert.strictEqual((yield* byHand.carryOut()).end, "published")
      const own = yield* attempt(account)
      yield* own.prepare
      yield* network.script(username, [{ on: "post", fault: unheard }])
      yield* Effect.flip(own.commit)
      assert.strictEqual((yield* own.look(noneTaken))._tag, "not_published")
    })
  )
})

const mebibyte = 1024 * 1024

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** The bytes of buffers that something still holds. */
const held = () => {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

/** Each of its own: a buffer that is used again would be held once. */
const chunkOf = (number: number) => new Uint8Array(mebibyte).fill(number)

layer(Network, { excludeTestServices: true })("a large file", (it) => {
  // Telegram takes 50 MB, Discord 10, and Instagram and Threads fetch what they publish.
  const sizes: Readonly<Record<string, number>> = { telegram: 45, discord: 0, instagram: 0, threads: 0 }
  const large = firstOf(({ login, media }) => (media.includes("film") ? login : "")).flatMap(
    ([what, row]) => {
      const size = (sizes[row.login] ?? 64) * mebibyte
      return size === 0 || !row.media.includes("film") ? [] : [[what, row, size] as const]
    }
  )
  it.effect.each(large)("goes out whole without being held, as %s", ([, row, size]) =>
    Effect.gen(function* () {
      const account = yield* connected(row)
      const count = size / mebibyte
      const before = held()
      let most = 0
      const content = Stream.range(1, count, 1).pipe(
        Stream.map((number) => {
          // The last sample sees all that was collected.
          if (number % 16 === 0 || number === count) most = Math.max(most, held())
          return chunkOf(number)
        })
      )
      const post = { ...account.post, media: [video("large", content, size)] }
      assert.strictEqual((yield* carriedOut({ ...account, post })).end, "published")
      assert.isBelow(most - before, size / 2)
      const hash = createHash("sha256")
      for (let number = 1; number <= count; number++) hash.update(chunkOf(number))
      const [publication] = yield* account.network.publications(account.username)
      assert.strictEqual(publication!.media[0]!.sha256, hash.digest("hex"))
    })
  )
})
