import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { AppConfig } from "@carillon/server/AppConfig"

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

  it.effect("takes an address with a slash at its end", () =>
    Effect.gen(function* () {
      const config = Context.get(yield* read({ PUBLIC_URL: "https://carillon.example/" }), AppConfig)
      assert.strictEqual(config.publicUrl, "https://carillon.example")
    })
  )
})
