import {
  Config,
  ConfigProvider,
  Context,
  Duration,
  Effect,
  Layer,
  Option,
  Record,
  Redacted,
  Schema
} from "effect"
import { IpNetwork } from "effect/net"
import { resolve } from "node:path"
import { type PlatformAppName, platformApps, type Prices, xPrices } from "@carillon/domain"
import {
  aDay,
  address,
  changedPrices,
  ConfigInvalid,
  dollarAmount,
  listed,
  mebibyte,
  nameAndContent,
  Networks,
  onOff,
  Origins,
  perMinute,
  readable,
  SiteFiles,
  wholeBytes
} from "./ConfigValues.ts"
import { isFatal, misspelt, readElsewhere } from "./Misspelt.ts"
import { secretFileVariables } from "./SecretFiles.ts"

/** A bucket and who may use it. `url` is the bucket's own, without a trailing slash. */
export interface S3Settings {
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
}

/** Every environment variable that the service reads (docs/configuration.md). */
export interface AppConfigShape {
  readonly host: string
  readonly port: number
  /** Without a trailing slash. Every absolute URL is built from it. */
  readonly publicUrl: string
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** The same database without a pooler in between, for LISTEN; given, DATABASE_URL may lead to a pooler. */
  readonly databaseListenUrl: Option.Option<Redacted.Redacted>
  readonly dataDir: string
  readonly secret: Option.Option<Redacted.Redacted>
  /** Secrets that were replaced, separated by commas: what was encrypted under them can still be read. */
  readonly previousSecrets: Option.Option<Redacted.Redacted>
  readonly bootstrapApiKey: Option.Option<Redacted.Redacted>
  readonly oauth: {
    /** Whether apps may register themselves (RFC 7591). */
    readonly registration: boolean
    /** Whether apps may be named by the address of a document about them. */
    readonly clientDocuments: boolean
    /** How long a refresh token that was exchanged is taken once more: several processes of an app share one. */
    readonly refreshGrace: Duration.Duration
    /** How long the code that a program shows for a sign-in elsewhere (RFC 8628) can be answered. */
    readonly deviceCodeLasts: Duration.Duration
  }
  /** Whether the web console is built and served. */
  readonly console: boolean
  /** Runs the test network beside the service. */
  readonly sandbox: boolean
  readonly sandboxPort: number
  /** Where the test network is; none: this instance does not offer it. */
  readonly sandboxUrl: Option.Option<string>
  /** How long after a lost reply the test network may still be at work, and how far apart it is asked twice. */
  readonly sandboxSettleWait: Duration.Duration
  /** Lets user-given hosts be private addresses: for development and tests against servers on this machine. */
  readonly allowPrivateHosts: boolean
  /** Requests a minute; 0: no limit. */
  readonly rateLimits: {
    readonly reads: number
    readonly writes: number
    readonly failedAuthentications: number
  }
  /** Whose X-Forwarded-For is believed. */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  /** Whose pages may call the API from a browser: origins, or `*` for everybody's. */
  readonly corsOrigins: ReadonlyArray<string>
  /** Hosts besides the public one that the MCP endpoint answers to, and whose pages may call it. */
  readonly mcpAllowedHosts: ReadonlyArray<string>
  /** What a reader of /metrics has to show; none: only readers on this machine. */
  readonly metricsToken: Option.Option<Redacted.Redacted>
  /** What is served at the root for a platform that wants to see whose site it is: contents by name. */
  readonly siteFiles: Readonly<Record<string, string>>
  /** null: media are kept under `dataDir`. */
  readonly s3: S3Settings | null
  /** How long media stay that nobody needs any more; none: for ever. */
  readonly mediaRetentionDays: Option.Option<number>
  /** The operator's own apps at the platforms that want one, as far as the environment has them. */
  readonly apps: Readonly<Record<PlatformAppName, Option.Option<RegisteredApp>>>
  /** What the app may ask a TikTok account for, where that is less than all that the service uses. */
  readonly tiktokScopes: Option.Option<ReadonlyArray<string>>
  /** Where the hosts of all platforms are, for tests with an app; none: where they really are. */
  readonly platformsUrl: Option.Option<string>
  /** The Bot API server that is asked instead of Telegram's own; none: Telegram's. */
  readonly telegramApiUrl: Option.Option<string>
  /** What Google lets the project use of the YouTube API in a day. */
  readonly youtubeQuota: { readonly uploads: number; readonly units: number }
  /** What X charges for its calls, and the most that a month of them may cost, in millionths of a US dollar; none: no limit. */
  readonly twitterPrices: Prices
  readonly twitterBudget: Option.Option<number>
  /** The version of Meta's Graph API. */
  readonly metaGraphVersion: string
  /** The version of LinkedIn's API: `YYYYMM`. */
  readonly linkedinVersion: string
  /** The directory of Bluesky's accounts, of which every `did:plc` has its document. */
  readonly blueskyPlcUrl: string
  /** The service that makes videos ready for Bluesky. */
  readonly blueskyVideoUrl: string
  /** Whether videos that a platform does not take are converted, and the program that does it. */
  readonly videoTranscoding: boolean
  readonly ffmpeg: string
  /** null: backups are made by hand only. */
  readonly backup: BackupSettings | null
  /** The bytes of media that a workspace may hold; none: no limit. */
  readonly workspaceBytes: Option.Option<number>
  /** The bytes of uploads that one credential may have reserved and not sent yet, one upload apart. */
  readonly reservedBytes: number
  readonly maximumBytes: { readonly image: number; readonly video: number; readonly document: number }
}

/** Backups that the service makes by itself. */
export interface BackupSettings {
  readonly every: Duration.Duration
  readonly to:
    | { readonly _tag: "folder"; readonly path: string }
    /** `prefix` is empty or ends with a slash. */
    | { readonly _tag: "bucket"; readonly settings: S3Settings; readonly prefix: string }
  /** How many of them stay. */
  readonly keep: number
  readonly media: boolean
  readonly passphraseFile: Option.Option<string>
}

/** An app registered at a platform. */
export interface RegisteredApp {
  readonly id: string
  readonly secret: Redacted.Redacted
  /** Of the app's bot, where it has one. */
  readonly bot_token?: Redacted.Redacted
}

const app = ({ variables }: (typeof platformApps)[PlatformAppName]) =>
  Config.all({
    id: Config.option(Config.NonEmptyString(variables[0])),
    secret: Config.option(Config.Redacted(variables[1])),
    bot_token:
      variables[2] === undefined
        ? Config.succeed(Option.none<Redacted.Redacted>())
        : Config.option(Config.Redacted(variables[2]))
  }).pipe(Config.map((given) => ({ ...given, names: variables })))

const s3 = Config.all({
  endpoint: Config.option(address("S3_ENDPOINT", "https://s3.example.com", { path: true })),
  bucket: Config.option(Config.NonEmptyString("S3_BUCKET")),
  region: Config.NonEmptyString("S3_REGION").pipe(Config.withDefault("us-east-1")),
  accessKeyId: Config.option(Config.NonEmptyString("S3_ACCESS_KEY_ID")),
  secretAccessKey: Config.option(Config.Redacted("S3_SECRET_ACCESS_KEY"))
})

const config = Config.all({
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.Port("PORT").pipe(Config.withDefault(4400)),
  publicUrl: Config.option(address("PUBLIC_URL", "https://carillon.example")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  databaseListenUrl: Config.option(Config.Redacted("DATABASE_LISTEN_URL")),
  dataDir: Config.String("DATA_DIR").pipe(Config.withDefault("./.data")),
  secret: Config.option(Config.Redacted("CARILLON_SECRET")),
  previousSecrets: Config.option(Config.Redacted("CARILLON_PREVIOUS_SECRETS")),
  bootstrapApiKey: Config.option(Config.Redacted("CARILLON_BOOTSTRAP_API_KEY")),
  oauth: Config.all({
    registration: onOff("OAUTH_REGISTRATION").pipe(Config.withDefault(true)),
    clientDocuments: onOff("OAUTH_CLIENT_DOCUMENTS").pipe(Config.withDefault(true)),
    refreshGrace: Config.Duration("OAUTH_REFRESH_GRACE").pipe(Config.withDefault(Duration.minutes(30))),
    deviceCodeLasts: Config.Duration("OAUTH_DEVICE_CODE_LASTS").pipe(Config.withDefault(Duration.minutes(10)))
  }),
  console: onOff("CARILLON_CONSOLE").pipe(Config.withDefault(true)),
  sandbox: Config.option(onOff("CARILLON_SANDBOX")),
  sandboxPort: Config.Port("SANDBOX_PORT").pipe(Config.withDefault(4401)),
  sandboxUrl: Config.option(address("SANDBOX_URL", "http://localhost:4401", { path: true })),
  sandboxSettleWait: Config.Duration("SANDBOX_SETTLE_WAIT").pipe(Config.withDefault(Duration.seconds(5))),
  allowPrivateHosts: onOff("CARILLON_ALLOW_PRIVATE_HOSTS").pipe(Config.withDefault(false)),
  reads: perMinute("RATE_LIMIT_READS", 12_000),
  writes: perMinute("RATE_LIMIT_WRITES", 6_000),
  failedAuthentications: perMinute("RATE_LIMIT_FAILED_AUTHENTICATIONS", 120),
  trustedProxies: Config.schema(Networks, "TRUSTED_PROXIES").pipe(
    Config.withDefault(""),
    Config.map((text) => listed(text).map(IpNetwork.fromStringUnsafe))
  ),
  corsOrigins: Config.schema(Origins, "CORS_ORIGINS").pipe(Config.withDefault(""), Config.map(listed)),
  mcpAllowedHosts: Config.String("MCP_ALLOWED_HOSTS").pipe(Config.withDefault(""), Config.map(listed)),
  metricsToken: Config.option(Config.Redacted("METRICS_TOKEN")),
  siteFiles: Config.schema(SiteFiles, "SITE_FILES").pipe(
    Config.withDefault(""),
    Config.map((text) => Object.fromEntries(listed(text).map(nameAndContent)))
  ),
  mediaStore: Config.Literals(["file", "s3"], "MEDIA_STORE").pipe(Config.withDefault("file")),
  s3,
  backup: Config.all({
    every: Config.option(Config.Duration("BACKUP_EVERY")),
    to: Config.option(Config.NonEmptyString("BACKUP_TO")),
    keep: Config.schema(
      Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 500 })),
      "BACKUP_KEEP"
    ).pipe(Config.withDefault(7)),
    media: onOff("BACKUP_MEDIA").pipe(Config.withDefault(false)),
    passphraseFile: Config.option(Config.NonEmptyString("BACKUP_PASSPHRASE_FILE"))
  }),
  mediaRetentionDays: Config.option(
    Config.schema(
      Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 36_500 })),
      "MEDIA_RETENTION_DAYS"
    )
  ),
  workspaceBytes: Config.option(wholeBytes("MAX_WORKSPACE_BYTES")),
  reservedBytes: wholeBytes("MAX_RESERVED_BYTES").pipe(Config.withDefault(50 * 1024 ** 3)),
  apps: Config.all(Record.map(platformApps, app)),
  platformsUrl: Config.option(address("PLATFORMS_URL", "http://localhost:4401", { path: true })),
  telegramApiUrl: Config.option(address("TELEGRAM_API_URL", "http://localhost:8081", { path: true })),
  tiktokScopes: Config.option(Config.NonEmptyString("TIKTOK_SCOPES").pipe(Config.map(listed))),
  youtubeUploads: aDay("YOUTUBE_UPLOADS_PER_DAY", 100),
  youtubeUnits: aDay("YOUTUBE_UNITS_PER_DAY", 10_000),
  twitterPrices: changedPrices("TWITTER_PRICES").pipe(
    Config.withDefault({}),
    Config.map((changed): Prices => ({ ...xPrices, ...changed }))
  ),
  twitterBudget: Config.option(dollarAmount("TWITTER_BUDGET")),
  metaGraphVersion: Config.schema(
    Schema.String.check(Schema.isPattern(/^v\d{1,3}\.\d{1,2}$/u)),
    "META_GRAPH_VERSION"
  ).pipe(Config.withDefault("v25.0")),
  linkedinVersion: Config.schema(
    Schema.String.check(Schema.isPattern(/^20\d{2}(0[1-9]|1[0-2])$/u)),
    "LINKEDIN_VERSION"
  ).pipe(Config.withDefault("202607")),
  blueskyPlcUrl: address("BLUESKY_PLC_URL", "https://plc.directory").pipe(
    Config.withDefault(new URL("https://plc.directory")),
    Config.map(({ origin }) => origin)
  ),
  blueskyVideoUrl: address("BLUESKY_VIDEO_URL", "https://video.bsky.app").pipe(
    Config.withDefault(new URL("https://video.bsky.app")),
    Config.map(({ origin }) => origin)
  ),
  videoTranscoding: onOff("VIDEO_TRANSCODING").pipe(Config.withDefault(false)),
  ffmpeg: Config.NonEmptyString("FFMPEG").pipe(Config.withDefault("ffmpeg")),
  maximumImageBytes: wholeBytes("MAX_IMAGE_BYTES").pipe(Config.withDefault(50 * mebibyte)),
  maximumVideoBytes: wholeBytes("MAX_VIDEO_BYTES").pipe(Config.withDefault(5 * 1024 * mebibyte)),
  maximumDocumentBytes: wholeBytes("MAX_DOCUMENT_BYTES").pipe(Config.withDefault(100 * mebibyte))
})

const BOOTSTRAP_KEY_LENGTH = 24

/** The name of every variable: what is asked for when none is set. */
const variables = Effect.gen(function* () {
  const names = new Set<string>([...readElsewhere, ...secretFileVariables])
  const asked = ConfigProvider.make((path) =>
    Effect.sync(() => {
      if (path.length > 0) names.add(path.join("_"))
      return undefined
    })
  )
  yield* config.parse(asked)
  return names
}).pipe(Effect.orDie)

/** Other programs' variables stay their own: most of what is nearly a name of ours gets a warning only. */
const refuseMisspelt = Effect.gen(function* () {
  for (const near of misspelt(Object.keys(process.env), yield* variables)) {
    const message = `The environment has ${near.given}, which Carillon does not read; did you mean ${near.meant}?`
    if (isFatal(near)) {
      return yield* new ConfigInvalid({ message: `${message} Rename it, or remove it.` })
    }
    yield* Effect.logWarning(message)
  }
})

const complete = ({ bot_token, id, names, secret }: Config.Success<ReturnType<typeof app>>) => {
  const given: ReadonlyArray<Option.Option<unknown>> = [id, secret, bot_token].slice(0, names.length)
  if (given.every(Option.isNone)) return Effect.succeedNone
  if (Option.isSome(id) && Option.isSome(secret) && given.every(Option.isSome)) {
    return Effect.succeedSome<RegisteredApp>({
      id: id.value,
      secret: secret.value,
      ...(Option.isNone(bot_token) ? {} : { bot_token: bot_token.value })
    })
  }
  const [there, missing] = [given.findIndex(Option.isSome), given.findIndex(Option.isNone)]
  const all = names.length === 2 ? "both, or neither" : "all of them, or none"
  return Effect.fail(
    new ConfigInvalid({
      message: `${names[there]} is set, but ${names[missing]} is not. Set ${all}: then the app can be entered in the console.`
    })
  )
}

/** AWS names buckets in the host; other servers, which have an endpoint of their own, in the path. */
const bucketOf = (
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: Config.Success<typeof s3>,
  { wanted, instead }: { readonly wanted: string; readonly instead: string }
) => {
  if (Option.isSome(bucket) && Option.isSome(accessKeyId) && Option.isSome(secretAccessKey)) {
    const url = Option.match(endpoint, {
      onNone: () => `https://${bucket.value}.s3.${region}.amazonaws.com`,
      onSome: (url) => `${withoutSlash(url)}/${bucket.value}`
    })
    return Effect.succeed<S3Settings>({
      url,
      region,
      accessKeyId: accessKeyId.value,
      secretAccessKey: secretAccessKey.value
    })
  }
  const missing = [
    ...(Option.isNone(bucket) ? ["S3_BUCKET"] : []),
    ...(Option.isNone(accessKeyId) ? ["S3_ACCESS_KEY_ID"] : []),
    ...(Option.isNone(secretAccessKey) ? ["S3_SECRET_ACCESS_KEY"] : [])
  ]
  return Effect.fail(
    new ConfigInvalid({
      message:
        `${wanted}, but ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set. ` +
        `Set what is missing, or ${instead}.`
    })
  )
}

const forMedia = { wanted: 'MEDIA_STORE is "s3"', instead: "keep media under DATA_DIR with MEDIA_STORE=file" }

const shortestBackupInterval = Duration.minutes(1)

const backupOf = Effect.fnUntraced(function* (
  { every, to, ...rest }: Config.Success<typeof config>["backup"],
  bucket: Config.Success<typeof s3>
) {
  if (Option.isNone(every) && Option.isNone(to)) return null
  if (Option.isNone(every) || Option.isNone(to)) {
    const [there, missing] = Option.isSome(every)
      ? ["BACKUP_EVERY", "BACKUP_TO"]
      : ["BACKUP_TO", "BACKUP_EVERY"]
    return yield* new ConfigInvalid({
      message: `${there} is set, but ${missing} is not. Set both, or neither to make backups only manually.`
    })
  }
  if (Duration.isLessThan(every.value, shortestBackupInterval)) {
    return yield* new ConfigInvalid({
      message: `BACKUP_EVERY is ${Duration.format(every.value)}; the shortest is a minute. Use for example "1 day".`
    })
  }
  const [, name, path = ""] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(to.value) ?? []
  if (name === undefined) {
    return {
      ...rest,
      every: every.value,
      to: { _tag: "folder", path: resolve(to.value) }
    } satisfies BackupSettings
  }
  const settings = yield* bucketOf(
    { ...bucket, bucket: Option.some(name) },
    { wanted: "BACKUP_TO names a bucket", instead: "name a folder" }
  )
  const prefix = path === "" || path.endsWith("/") ? path : `${path}/`
  return { ...rest, every: every.value, to: { _tag: "bucket", settings, prefix } } satisfies BackupSettings
})

const checked = Effect.gen(function* () {
  yield* refuseMisspelt
  const { mediaStore, s3: bucket, backup, apps, ...given } = yield* readable(config)
  const length = Option.map(given.bootstrapApiKey, (key) => Redacted.value(key).length)
  if (Option.isSome(length) && length.value < BOOTSTRAP_KEY_LENGTH) {
    return yield* new ConfigInvalid({
      message: `CARILLON_BOOTSTRAP_API_KEY has ${length.value} characters; it needs at least ${BOOTSTRAP_KEY_LENGTH}. Make one with: openssl rand -hex 32`
    })
  }
  return {
    ...given,
    s3: mediaStore === "s3" ? yield* bucketOf(bucket, forMedia) : null,
    backup: yield* backupOf(backup, bucket),
    apps: yield* Effect.all(Record.map(apps, complete))
  }
})

export class AppConfig extends Context.Service<AppConfig, AppConfigShape>()("@carillon/server/AppConfig") {
  static readonly layer = Layer.effect(
    AppConfig,
    Effect.map(
      checked,
      ({
        publicUrl,
        sandbox,
        sandboxUrl,
        platformsUrl,
        telegramApiUrl,
        reads,
        writes,
        failedAuthentications,
        youtubeUploads,
        youtubeUnits,
        maximumImageBytes,
        maximumVideoBytes,
        maximumDocumentBytes,
        ...rest
      }) => {
        const besides =
          Option.getOrElse(sandbox, () => Option.isNone(rest.databaseUrl)) && Option.isNone(sandboxUrl)
        return AppConfig.of({
          ...rest,
          dataDir: resolve(rest.dataDir),
          publicUrl: Option.match(publicUrl, {
            onNone: () => `http://localhost:${rest.port}`,
            onSome: withoutSlash
          }),
          sandbox: besides,
          sandboxUrl: besides
            ? Option.some(`http://localhost:${rest.sandboxPort}`)
            : Option.map(sandboxUrl, withoutSlash),
          platformsUrl: Option.map(platformsUrl, withoutSlash),
          telegramApiUrl: Option.map(telegramApiUrl, withoutSlash),
          youtubeQuota: { uploads: youtubeUploads, units: youtubeUnits },
          rateLimits: { reads, writes, failedAuthentications },
          maximumBytes: { image: maximumImageBytes, video: maximumVideoBytes, document: maximumDocumentBytes }
        })
      }
    )
  )
}

const withoutSlash = (url: URL) => url.href.replace(/\/+$/, "")
