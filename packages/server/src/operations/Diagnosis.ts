import { type Finding, type InstanceChecks, isAtOneOf, loopbackNames } from "@carillon/domain"
import { DateTime, Effect } from "effect"
import { lookup } from "node:dns/promises"
import { statfs } from "node:fs/promises"
import { AppConfig, type AppConfigShape } from "../AppConfig.ts"
import { tryOutDirectory } from "../DataDirectory.ts"
import { ffmpeg } from "../media/videos/Ffmpeg.ts"
import { versionAdvice, versionFlaw } from "../platforms/linkedin/ApiVersion.ts"
import { DatabaseStartError } from "../sql/DatabaseStartError.ts"
import { hasNoDatabase, layerToMigrate } from "../sql/Sql.ts"
import { databaseFindings } from "./databaseFindings.ts"
import { bytes, ok, problem, warning } from "./findings.ts"

const mebibyte = 1024 * 1024
/** The embedded database needs this much to go on. */
const leastRoom = 32 * mebibyte
/** A video of a few minutes, and the copies that platforms want of it. */
const comfortableRoom = 1024 * mebibyte
/** More than a proxy takes unless it is told, and less than most photos of a post together. */
const uploadBytes = 20 * mebibyte

/** Checks all that this instance depends on, while it runs and while it does not. Asks nobody but its own address. */
export const diagnosis = (apiKey: string | undefined) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const service = yield* Effect.promise(() => serviceHere(config))
    const findings = yield* findingsWith(config, service, database(config, service, apiKey))
    const isReached = findings.some(({ check, level }) => check === "PUBLIC_URL" && level === "ok")
    return isReached && !isDirect(config)
      ? [...findings, yield* Effect.promise(() => uploadFinding(config.publicUrl, apiKey))]
      : findings
  })

/** What a running service finds of itself, on its own database. */
export const ownDiagnosis = Effect.gen(function* () {
  const config = yield* AppConfig
  const ofDatabase = databaseFindings(config).pipe(Effect.catch((error) => Effect.succeed([unusable(error)])))
  return yield* findingsWith(config, { runs: true, url: urlHere(config), finding: null }, ofDatabase)
})

const findingsWith = <R>(
  config: AppConfigShape,
  service: ServiceHere,
  ofDatabase: Effect.Effect<ReadonlyArray<Finding>, never, R>
) =>
  Effect.gen(function* () {
    const directory = yield* tryOutDirectory(config.dataDir).pipe(
      Effect.match({
        onSuccess: () => null,
        onFailure: ({ message }) => problem("DATA_DIR", message, "Nothing can be stored until this is fixed.")
      })
    )
    if (directory !== null) return [directory]
    const [disk, stored, others] = yield* Effect.all(
      [
        Effect.promise(() => room(config)),
        ofDatabase,
        Effect.all(
          [
            Effect.promise(() => publicAddress(config, service)),
            Effect.map(converter(config), (finding) => [finding]),
            apiVersions(config)
          ],
          { concurrency: "unbounded" }
        )
      ],
      { concurrency: "unbounded" }
    )
    const before = service.finding === null ? [disk] : [disk, service.finding]
    const after = others.flat()
    // The service may have told of the database, and with it of all else.
    const names = new Set([...before, ...after].map(({ check }) => check))
    return [...before, ...stored.filter(({ check }) => !names.has(check)), ...after]
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
  /** null: the service itself is asking. */
  readonly finding: Finding | null
}

const urlHere = ({ host, port }: AppConfigShape) => {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

const serviceHere = async (config: AppConfigShape): Promise<ServiceHere> => {
  const url = urlHere(config)
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

const unusable = ({ message }: Error) =>
  problem("database", message, "The service cannot start or continue until this is fixed.")

const database = (config: AppConfigShape, service: ServiceHere, apiKey: string | undefined) =>
  hasNoDatabase(config)
    ? Effect.succeed([ok("database", `there is none in ${config.dataDir} yet; the first start creates it`)])
    : databaseFindings(config).pipe(
        Effect.provide(layerToMigrate(config), { local: true }),
        Effect.catch((error) =>
          error instanceof DatabaseStartError && error.reason === "directory_in_use" && service.runs
            ? Effect.promise(() => findingsOf(service, apiKey))
            : Effect.succeed([unusable(error)])
        )
      )

/** The embedded database is open to the service alone, which tells an admin. */
const findingsOf = async (
  { url }: ServiceHere,
  apiKey: string | undefined
): Promise<ReadonlyArray<Finding>> => {
  const answer =
    apiKey === undefined
      ? { failure: "this needs an API key" }
      : await ask(`${url}/v1/instance/checks`, { headers: { authorization: `Bearer ${apiKey}` } })
  if (!("failure" in answer) && answer.status === 200)
    return (answer.body as unknown as InstanceChecks).checks
  const why = "failure" in answer ? answer.failure : String(answer.body["detail"] ?? answer.status)
  return [
    ok(
      "database",
      `embedded; only the running service can open it. Not checked: ${why}`,
      "Set CARILLON_API_KEY to an admin key of the default workspace, or run this while the service is stopped."
    )
  ]
}

/** Whether the public address is the service's own, with no proxy before it. */
const isDirect = ({ publicUrl, port }: AppConfigShape) =>
  isAtOneOf(loopbackNames)(publicUrl) && new URL(publicUrl).port === String(port)

/** Whether others come to this instance at its public address, as far as this machine can see it. */
const publicAddress = async (
  config: AppConfigShape,
  service: ServiceHere
): Promise<ReadonlyArray<Finding>> => {
  const { publicUrl, trustedProxies } = config
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
    ...(url.protocol === "http:" && !isAtOneOf(loopbackNames)(publicUrl)
      ? [
          warning(
            "TLS",
            `${publicUrl} has none`,
            "Put a proxy with TLS in front (docs/deployment.md): keys are sent unencrypted."
          )
        ]
      : []),
    ...(isDirect(config) ? [] : [proxyFinding(url, trustedProxies.length > 0)])
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
