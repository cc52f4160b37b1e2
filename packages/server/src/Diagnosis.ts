import {
  accessFinding,
  BackupSchedule,
  backupsFinding,
  type Finding,
  isAtOneOf,
  loopbackNames,
  Spending as SpendingSchema,
  spendingFinding
} from "@carillon/domain"
import { Clock, DateTime, Effect, Option, type Result, Schema } from "effect"
import { lookup } from "node:dns/promises"
import { statfs } from "node:fs/promises"
import { AppConfig, type AppConfigShape } from "./AppConfig.ts"
import { scheduleOf } from "./backup/BackupSchedule.ts"
import { lastBackup } from "./backup/ScheduleRepository.ts"
import { tryOutDirectory } from "./DataDirectory.ts"
import { ffmpeg } from "./media/videos/Ffmpeg.ts"
import { versionAdvice, versionFlaw } from "./platforms/linkedin/ApiVersion.ts"
import { Spending } from "./platforms/twitter/Spending.ts"
import { databaseFacts, endingWithin } from "./sql/DatabaseFacts.ts"
import { DatabaseStartError } from "./sql/DatabaseStartError.ts"
import { migrations } from "./sql/Migrations.ts"
import { hasNoDatabase, layerToMigrate, planned } from "./sql/Sql.ts"

const mebibyte = 1024 * 1024
/** The embedded database needs this much to go on. */
const leastRoom = 32 * mebibyte
/** A video of a few minutes, and the copies that platforms want of it. */
const comfortableRoom = 1024 * mebibyte
/** Days. */
const soon = 14
/** Milliseconds. Signed addresses and tokens are good for longer than that, and times in words are off by it. */
const clockTolerance = 2_000
/** More than a proxy takes unless it is told, and less than most photos of a post together. */
const uploadBytes = 20 * mebibyte

const ok = (check: string, found: string, advice: string | null = null): Finding => ({
  check,
  level: "ok",
  found,
  advice
})
const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  level: "warning",
  found,
  advice
})
const problem = (check: string, found: string, advice: string): Finding => ({
  check,
  level: "problem",
  found,
  advice
})

/** Checks all that this instance depends on, while it runs and while it does not. Asks nobody but its own address. */
export const diagnosis = (apiKey: string | undefined) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const directory = yield* tryOutDirectory(config.dataDir).pipe(
      Effect.match({
        onSuccess: () => null,
        onFailure: ({ message }) => problem("DATA_DIR", message, "Nothing can be stored until this is fixed.")
      })
    )
    if (directory !== null) return [directory]
    const service = yield* Effect.promise(() => serviceHere(config))
    const checks = [
      Effect.map(
        Effect.promise(() => room(config)),
        (finding) => [finding]
      ),
      Effect.succeed([service.finding]),
      database(config, service, apiKey),
      Effect.promise(() => publicAddress(config, service, apiKey)),
      Effect.map(converter(config), (finding) => [finding]),
      apiVersions(config)
    ]
    return (yield* Effect.all(checks, { concurrency: "unbounded" })).flat()
  })

const room = async ({ dataDir, s3 }: AppConfigShape): Promise<Finding> => {
  const { bavail, bsize, blocks } = await statfs(dataDir)
  const free = bavail * bsize
  const found = `${bytes(free)} of ${bytes(blocks * bsize)} free in ${dataDir}${s3 === null ? ", where media are kept too" : `; media are kept at ${s3.url}`}`
  if (free < leastRoom)
    return problem("disk", found, `Free space on it: below ${bytes(leastRoom)}, nothing more is stored.`)
  if (free < comfortableRoom)
    return warning("disk", found, "Free space on it before media and posts fill it.")
  return ok("disk", found)
}

interface ServiceHere {
  readonly runs: boolean
  /** Where it answers on this machine. */
  readonly url: string
  readonly finding: Finding
}

const serviceHere = async ({ host, port }: AppConfigShape): Promise<ServiceHere> => {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}`
  const answer = await ask(`${url}/readyz`)
  if ("failure" in answer) {
    const advice = "Start it with npm start, or check that HOST and PORT are those that it was started with."
    return {
      runs: false,
      url,
      finding: warning("service", `is not running at ${url} (${answer.failure})`, advice)
    }
  }
  if (answer.status === 200 && answer.body["status"] === "ready") {
    return { runs: true, url, finding: ok("service", `${url} is ready`) }
  }
  const found = `${url} is not ready: ${String(answer.body["detail"] ?? `it answered ${answer.status}`)}`
  const advice = "See its log. It continues automatically once that is fixed."
  return { runs: true, url, finding: problem("service", found, advice) }
}

const database = Effect.fnUntraced(function* (
  config: AppConfigShape,
  service: ServiceHere,
  apiKey: string | undefined
) {
  if (hasNoDatabase(config))
    return [ok("database", `there is none in ${config.dataDir} yet; the first start creates it`)]
  return yield* Effect.gen(function* () {
    const facts = yield* databaseFacts
    const plan = yield* Effect.result(planned(migrations))
    return [
      databaseFinding(config, facts),
      ...(Option.isSome(config.databaseUrl) ? [clockFinding(facts.clockAhead)] : []),
      migrationsFinding(plan),
      ...(plan._tag === "Success" && plan.success.todo.length === 0
        ? [...(yield* endings), yield* backups(config), ...(yield* costs)]
        : [])
    ]
  }).pipe(
    Effect.provide(layerToMigrate(config), { local: true }),
    Effect.catch((error) =>
      error instanceof DatabaseStartError && error.reason === "directory_in_use" && service.runs
        ? Effect.map(
            Effect.promise(() => backupsThrough(service, apiKey)),
            (finding) => [
              ok(
                "database",
                "embedded; only the running service can open it, and it reports ready. Stop the service for more checks"
              ),
              finding
            ]
          )
        : Effect.succeed([
            problem("database", error.message, "The service cannot start or continue until this is fixed.")
          ])
    )
  )
})

const databaseFinding = (config: AppConfigShape, facts: Effect.Success<typeof databaseFacts>) => {
  const kind = Option.isSome(config.databaseUrl) ? "PostgreSQL" : "embedded, PostgreSQL"
  const found = `${kind} ${facts.version}, ${bytes(facts.bytes)}, fsync ${facts.fsync}, synchronous_commit ${facts.commits}`
  if (facts.readOnly === "on")
    return problem(
      "database",
      `${found}; it is read-only`,
      "Promote it, or point DATABASE_URL at the primary."
    )
  if (facts.fsync !== "on")
    return problem("database", found, "Set fsync to on: a power cut can destroy the whole database.")
  if (facts.commits === "off")
    return warning(
      "database",
      found,
      "Set synchronous_commit to on: a power cut can lose acknowledged posts."
    )
  return ok("database", found)
}

const clockFinding = (ahead: number) => {
  const found = `the database's clock is ${Math.abs(ahead / 1000).toFixed(1)} s ${ahead < 0 ? "behind" : "ahead of"} this machine's`
  return Math.abs(ahead) <= clockTolerance
    ? ok("clock", found)
    : warning("clock", found, "Posts go out by the database's clock. Synchronize both with NTP.")
}

const migrationsFinding = (
  plan: Result.Result<Effect.Success<ReturnType<typeof planned>>, DatabaseStartError>
) => {
  if (plan._tag === "Failure") return problem("migrations", plan.failure.message, "See docs/upgrading.md.")
  const { last, todo } = plan.success
  if (todo.length === 0) return ok("migrations", `up to date (${last})`)
  return warning(
    "migrations",
    `${todo.length} to run after ${last ?? "none"}`,
    "The next start runs them; npm run migrate -- --dry-run shows them."
  )
}

const endings = Effect.gen(function* () {
  const { keys, accounts, ending } = yield* endingWithin(soon)
  const now = yield* Clock.currentTimeMillis
  const day = (at: Date) => at.toISOString().slice(0, 10)
  const findings = [
    ...keys.map(({ name, ended, at }) =>
      warning(
        `key ${name}`,
        `${ended ? "ended" : "ends"} on ${day(at)}`,
        ended ? "Delete it: carillon keys revoke." : "Create another in time: carillon keys create."
      )
    ),
    ...accounts.map(({ name, reason }) =>
      warning(name, reason ?? "needs to be connected again", "Connect it again: carillon accounts connect.")
    ),
    ...ending.flatMap(
      (account) =>
        accessFinding({ ...account, access_expires_at: account.access_expires_at.toISOString() }, now) ?? []
    )
  ]
  return findings.length > 0 ? findings : [ok("keys and accounts", `none ends within ${soon} days`)]
})

const backups = Effect.fnUntraced(function* ({ backup }: AppConfigShape) {
  const schedule = yield* Effect.orDie(
    Schema.encodeEffect(BackupSchedule)(scheduleOf(backup, yield* lastBackup))
  )
  return backupsFinding(schedule, yield* Clock.currentTimeMillis)
})

/** Only where X has charged anything, or there is a budget. */
const costs = Effect.gen(function* () {
  const figures = yield* (yield* Spending).figures
  return figures.budget === null && figures.spent === 0
    ? []
    : [spendingFinding(yield* Effect.orDie(Schema.encodeEffect(SpendingSchema)(figures)))]
}).pipe(Effect.provide(Spending.layer))

/** The embedded database is open to the service alone, which tells an admin. */
const backupsThrough = async ({ url }: ServiceHere, apiKey: string | undefined): Promise<Finding> => {
  const advice =
    "Set CARILLON_API_KEY to an admin key of the default workspace, or run this while the service is stopped."
  if (apiKey === undefined) return ok("backups", "not checked: this needs an API key", advice)
  const answer = await ask(`${url}/v1/backups`, { headers: { authorization: `Bearer ${apiKey}` } })
  if ("failure" in answer || answer.status !== 200) {
    const why = "failure" in answer ? answer.failure : String(answer.body["detail"] ?? answer.status)
    return ok("backups", `not checked: ${why}`, advice)
  }
  return backupsFinding(answer.body as unknown as (typeof BackupSchedule)["Encoded"], Date.now())
}

/** Whether others come to this instance at its public address, as far as this machine can see it. */
const publicAddress = async (
  { publicUrl, port, trustedProxies }: AppConfigShape,
  service: ServiceHere,
  apiKey: string | undefined
): Promise<ReadonlyArray<Finding>> => {
  const url = new URL(publicUrl)
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const resolved = await lookup(host, { all: true }).catch((error: Error) => error)
  if (resolved instanceof Error) {
    return [
      problem(
        "PUBLIC_URL",
        `${publicUrl}: the name ${host} cannot be resolved`,
        "Create a DNS record for it, or set PUBLIC_URL to a name that has one."
      )
    ]
  }
  const direct = isAtOneOf(loopbackNames)(publicUrl) && url.port === String(port)
  const answer = await ask(`${publicUrl}/oauth/jwks`)
  if ("failure" in answer) {
    return [
      service.runs
        ? problem(
            "PUBLIC_URL",
            `${publicUrl} (${resolved.map(({ address }) => address).join(", ")}): ${answer.failure}`,
            adviceFor(answer.failure)
          )
        : warning("PUBLIC_URL", `${publicUrl}: ${answer.failure}`, "Start the service, then run this again.")
    ]
  }
  if (!service.runs) {
    return [
      warning(
        "PUBLIC_URL",
        `${publicUrl} answers, but whether that is this instance is unknown while this instance is not running`,
        "Start the service, then run this again."
      )
    ]
  }
  const own = await ask(`${service.url}/oauth/jwks`)
  // The keys are made from CARILLON_SECRET.
  if ("failure" in own || answer.status !== 200 || JSON.stringify(own.body) !== JSON.stringify(answer.body)) {
    return [
      problem(
        "PUBLIC_URL",
        `what answers at ${publicUrl} is not this instance`,
        `Point its proxy at ${service.url}, or correct PUBLIC_URL.`
      )
    ]
  }
  return [
    ok("PUBLIC_URL", `${publicUrl} leads to this instance`),
    ...(url.protocol === "http:" && !direct && !isAtOneOf(loopbackNames)(publicUrl)
      ? [
          warning(
            "TLS",
            `${publicUrl} has none`,
            "Put a proxy with TLS in front (docs/deployment.md): keys are sent unencrypted."
          )
        ]
      : []),
    ...(direct ? [] : [proxyFinding(url, trustedProxies.length > 0), await uploadFinding(publicUrl, apiKey)])
  ]
}

const proxyFinding = (url: URL, trusted: boolean) =>
  trusted || url.protocol === "http:"
    ? ok("proxy", trusted ? "TRUSTED_PROXIES is set" : "none known")
    : warning(
        "proxy",
        "PUBLIC_URL has TLS, so there is a proxy, but TRUSTED_PROXIES is not set",
        "Set it to the proxy's network, such as 127.0.0.1/32: until then all clients count as one."
      )

/** An upload that is thrown away: only a body shows what a proxy takes. */
const uploadFinding = async (publicUrl: string, apiKey: string | undefined): Promise<Finding> => {
  const check = "uploads"
  if (apiKey === undefined) {
    return warning(
      check,
      "not tested: this needs an API key",
      "Set CARILLON_API_KEY to one with the scope media:write."
    )
  }
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" }
  const reservation = JSON.stringify({
    name: "doctor.pdf",
    mime_type: "application/pdf",
    size_bytes: uploadBytes
  })
  const reserved = await ask(`${publicUrl}/v1/media/create-upload-url`, {
    method: "POST",
    headers,
    body: reservation
  })
  if ("failure" in reserved || reserved.status !== 201) {
    const why = "failure" in reserved ? reserved.failure : String(reserved.body["detail"] ?? reserved.status)
    return warning(check, `not tested: ${why}`, "Set CARILLON_API_KEY to a key with the scope media:write.")
  }
  const sent = await ask(String(reserved.body["upload_url"]), {
    method: "PUT",
    headers: { "content-type": "application/pdf" },
    body: Buffer.alloc(uploadBytes, "%PDF-1.4\n")
  })
  await ask(`${publicUrl}/v1/media/${String(reserved.body["media_id"])}`, { method: "DELETE", headers })
  if ("failure" in sent || sent.requestId === null) {
    return problem(
      check,
      `a proxy in front of the service does not accept ${bytes(uploadBytes)}: ${"failure" in sent ? sent.failure : `it answered ${sent.status}`}`,
      "Raise its limit: client_max_body_size of nginx, request_body of Caddy (docs/deployment.md)."
    )
  }
  return sent.status === 200
    ? ok(check, `${bytes(uploadBytes)} were uploaded and deleted again`)
    : problem(
        check,
        `${bytes(uploadBytes)} were refused: ${String(sent.body["detail"] ?? sent.status)}`,
        "Fix what it reports."
      )
}

const converter = ({ videoTranscoding, ffmpeg: program }: AppConfigShape) =>
  ffmpeg(program, ["-hide_banner", "-version"]).pipe(
    Effect.timeout("30 seconds"),
    Effect.match({
      onSuccess: (said) =>
        ok(
          "ffmpeg",
          `${said.split("\n", 1)[0]!.slice(0, 60)}; videos are ${videoTranscoding ? "" : "not "}converted`
        ),
      onFailure: () =>
        videoTranscoding
          ? problem(
              "ffmpeg",
              `VIDEO_TRANSCODING is on, but ${program} could not be run`,
              "Install ffmpeg, or set FFMPEG to its path."
            )
          : ok("ffmpeg", "not installed; VIDEO_TRANSCODING is off, so it is not needed")
    })
  )

/** Versions of a network's API that will not last. */
const apiVersions = ({ linkedinVersion }: AppConfigShape) =>
  Effect.map(DateTime.now, (now) => {
    const flaw = versionFlaw(linkedinVersion, now)
    return flaw === undefined ? [] : [warning("LINKEDIN_VERSION", flaw, versionAdvice)]
  })

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** Only the service gives one. */
  readonly requestId: string | null
}

const ask = async (url: string, init: RequestInit = {}): Promise<Answer | { readonly failure: string }> => {
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(60_000), ...init })
    const text = await answer.text()
    const body: unknown = /json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : {}
    return {
      status: answer.status,
      body: body as Answer["body"],
      requestId: answer.headers.get("x-request-id")
    }
  } catch (error) {
    const { cause, name, message } = error as Error & { readonly cause?: { readonly code?: string } }
    return {
      failure: name === "TimeoutError" ? "there was no answer within 60 seconds" : (cause?.code ?? message)
    }
  }
}

const adviceFor = (failure: string) =>
  /CERT|SELF_SIGNED|SSL|TLS|ISSUER/.test(failure)
    ? "Fix the proxy's certificate: browsers and programs reject it too."
    : "Check that its proxy is running, and that this machine can reach its own public address."

const bytes = (count: number) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"]
  const power = Math.min(count < 1 ? 0 : Math.floor(Math.log2(count) / 10), units.length - 1)
  return `${(count / 1024 ** power).toFixed(power > 2 ? 1 : 0)} ${units[power]}`
}
