import { xPrices } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Option, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "@carillon/server/AppConfig"
import * as TestDirectory from "@carillon/testing/TestDirectory"

const read = (env: Record<string, string>) =>
  Layer.build(AppConfig.layer).pipe(
    Effect.scoped,
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )

const mistakes: ReadonlyArray<readonly [Record<string, string>, string]> = [
  [{ PORT: "80000" }, 'PORT is "80000". Expected a value between 1 and 65535.'],
  [
    { PUBLIC_URL: "carillon.example" },
    'PUBLIC_URL is "carillon.example". Expected an address with its scheme, such as https://carillon.example.'
  ],
  [{ PUBLIC_URL: "localhost:4400" }, 'PUBLIC_URL is "localhost:4400". Expected an address with its scheme'],
  [{ PUBLIC_URL: "https://a.example/b" }, "Expected an address without a path, such as https://a.example."],
  [{ PUBLIC_URL: "https://a.example/?b" }, "Expected an address without a query or a fragment"],
  [
    { PUBLIC_URL: "https://me:hidden@a.example" },
    "PUBLIC_URL is not valid. Expected an address without a user"
  ],
  [{ MAX_IMAGE_BYTES: "-3" }, 'MAX_IMAGE_BYTES is "-3". Expected a value between 1 and'],
  [{ MAX_WORKSPACE_BYTES: "1e400" }, 'MAX_WORKSPACE_BYTES is "1e400". Expected'],
  [{ RATE_LIMIT_WRITES: "many" }, 'RATE_LIMIT_WRITES is "many". Expected'],
  [
    { OAUTH_REFRESH_GRACE: "soon" },
    'OAUTH_REFRESH_GRACE is "soon". Expected a duration such as "30 minutes".'
  ],
  [{ CARILLON_SANDBOX: "yes" }, 'CARILLON_SANDBOX is "yes". Expected "on" | "off".'],
  [
    { MEDIA_STORE: "s3" },
    'MEDIA_STORE is "s3", but S3_BUCKET and S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set. Set what is missing'
  ],
  [{ MEDIA_STORE: "s3", S3_BUCKET: "b", S3_ACCESS_KEY_ID: "k" }, "but S3_SECRET_ACCESS_KEY is not set."],
  [
    { TIKTOK_CLIENT_KEY: "k" },
    "TIKTOK_CLIENT_KEY is set, but TIKTOK_CLIENT_SECRET is not. Set both, or neither"
  ],
  [
    { TWITTER_BUDGET: "$50" },
    'TWITTER_BUDGET is "$50". Expected US dollars from 0 to 1,000,000, such as 50 or 12.50.'
  ],
  [{ TWITTER_BUDGET: "1000001" }, "Expected US dollars from 0 to 1,000,000"],
  [
    { TWITTER_PRICES: "tweet=0.02" },
    'TWITTER_PRICES is "tweet=0.02". Expected call=dollars, separated by commas, such as post=0.015,post_with_url=0.2; the calls are post, post_with_url, media_metadata, post_read, user_read, and each costs at most 10 dollars.'
  ],
  [{ TWITTER_PRICES: "post=11" }, 'TWITTER_PRICES is "post=11". Expected call=dollars'],
  [{ PINTEREST_APP_SECRET: "hidden" }, "PINTEREST_APP_SECRET is set, but PINTEREST_APP_ID is not."]
]

describe("AppConfig", () => {
  for (const [env, sentence] of mistakes) {
    it.effect(`answers ${JSON.stringify(env)} with what is wrong, the value, the rule and what to do`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(read(env))
        assert.include(message, sentence)
        assert.match(message, /\. (Correct it|Set )/)
        assert.notMatch(message, /hidden|SchemaError|\n/)
      })
    )
  }

  it.effect("takes prices of X that differ, and a budget, in dollars", () =>
    Effect.gen(function* () {
      const config = Context.get(
        yield* read({ TWITTER_PRICES: "post=0.02, post_read=0.001", TWITTER_BUDGET: "12.5" }),
        AppConfig
      )
      assert.deepStrictEqual(config.twitterPrices, { ...xPrices, post: 20_000, post_read: 1_000 })
      assert.deepStrictEqual(config.twitterBudget, Option.some(12_500_000))
    })
  )

  it.effect("takes a secret from the file that its name with _FILE names, without the end of its line", () =>
    Effect.gen(function* () {
      const directory = yield* TestDirectory.make
      const file = (name: string, content: string | Uint8Array) => {
        writeFileSync(join(directory, name), content)
        return join(directory, name)
      }
      const config = Context.get(
        yield* read({
          CARILLON_SECRET_FILE: file("secret", `${"s".repeat(32)}\n`),
          CARILLON_PREVIOUS_SECRETS: "",
          CARILLON_PREVIOUS_SECRETS_FILE: file("previous", "a b,c\r\n"),
          DATABASE_URL_FILE: file("url", "postgres://me:p@here/db\n"),
          CARILLON_BOOTSTRAP_API_KEY_FILE: file("key", "k".repeat(24)),
          METRICS_TOKEN_FILE: file("token", "token\n\n"),
          MEDIA_STORE: "s3",
          S3_BUCKET: "b",
          S3_ACCESS_KEY_ID_FILE: file("id", "id\n"),
          S3_SECRET_ACCESS_KEY_FILE: file("access", "access\n"),
          TIKTOK_CLIENT_KEY: "tiktok",
          TIKTOK_CLIENT_SECRET_FILE: file("tiktok", "app\n"),
          PINTEREST_APP_SECRET_FILE: ""
        }),
        AppConfig
      )
      const opened = (secret: Option.Option<Redacted.Redacted>) => Redacted.value(Option.getOrThrow(secret))
      assert.deepStrictEqual(
        [
          opened(config.secret),
          opened(config.previousSecrets),
          opened(config.databaseUrl),
          opened(config.bootstrapApiKey),
          opened(config.metricsToken),
          config.s3!.accessKeyId,
          Redacted.value(config.s3!.secretAccessKey),
          Redacted.value(Option.getOrThrow(config.apps.tiktok).secret)
        ],
        ["s".repeat(32), "a b,c", "postgres://me:p@here/db", "k".repeat(24), "token\n", "id", "access", "app"]
      )

      const unfit: ReadonlyArray<readonly [Record<string, string>, string]> = [
        [
          { CARILLON_SECRET: "hidden", CARILLON_SECRET_FILE: file("both", "hidden") },
          "CARILLON_SECRET and CARILLON_SECRET_FILE are both set. Remove one of them."
        ],
        [
          { DATABASE_URL_FILE: "/none" },
          'DATABASE_URL_FILE is "/none", which does not exist. Set it to the path'
        ],
        [{ METRICS_TOKEN_FILE: directory }, "which is a directory."],
        [{ S3_SECRET_ACCESS_KEY_FILE: file("empty", "\n") }, "which is empty."],
        [{ TIKTOK_CLIENT_SECRET_FILE: file("latin", Buffer.from([0xe9])) }, "which is not text in UTF-8."],
        [{ CARILLON_SECRET_FILE: "/dev/zero" }, "which is larger than 64 KiB."],
        // The secret in the place of its path.
        [
          { DATABASE_URL_FILE: "postgres://me:hidden@here/db" },
          "DATABASE_URL_FILE is not shown, which does not exist."
        ],
        [{ CARILLON_SECRET_FILE: "hidden" }, "CARILLON_SECRET_FILE is not shown, which does not exist."]
      ]
      for (const [env, sentence] of unfit) {
        const { message } = yield* Effect.flip(read(env))
        assert.include(message, sentence)
        assert.notMatch(message, /hidden|\n/)
      }
    })
  )

  it.effect("takes an address with a slash at its end", () =>
    Effect.gen(function* () {
      const config = Context.get(yield* read({ PUBLIC_URL: "https://carillon.example/" }), AppConfig)
      assert.strictEqual(config.publicUrl, "https://carillon.example")
    })
  )
})
