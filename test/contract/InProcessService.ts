import { CurrentActor, type Scope, WorkspaceId } from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { App } from "@carillon/server/App"
import { ApiKeys } from "@carillon/server/auth/ApiKeys"
import { Workspaces } from "@carillon/server/workspaces/Workspaces"
import { ConfigProvider, Console, Context, DateTime, Effect, Layer, Redacted, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { cpSync } from "node:fs"
import { freePort, migratedDirectory } from "@carillon/testing/ServiceProcess"
import { SharedSandbox } from "@carillon/testing/SharedService"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { freshPostgresUrl, kind } from "@carillon/testing/TestSql"

/** The whole service in this process, spoken to over its socket, with its database within reach. */
export class InProcessService extends Context.Service<
  InProcessService,
  {
    readonly url: string
    /** The first words, which are for a person. */
    readonly words: () => string
    readonly workspace: WorkspaceId
    /** Straight to the database. */
    run<A>(statement: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError.SqlError>): Promise<A>
    makeWorkspace(name: string): Promise<WorkspaceId>
    makeKey(
      workspace: WorkspaceId,
      scopes: ReadonlyArray<Scope>,
      socialAccounts?: ReadonlyArray<number>
    ): Promise<string>
  }
>()("@carillon/test/contract/InProcessService") {
  /** Without rate limits, unless the environment sets some. */
  static readonly layer = (more: Readonly<Record<string, string>> = {}) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const port = yield* freePort
        const url = `http://localhost:${port}`
        const sandbox = yield* SandboxProcess
        const dataDir = yield* TestDirectory.make
        if (kind === "embedded") cpSync(yield* migratedDirectory, dataDir, { recursive: true })
        const env = {
          PORT: String(port),
          PUBLIC_URL: url,
          DATA_DIR: dataDir,
          CARILLON_CONSOLE: "off",
          SANDBOX_URL: sandbox.url,
          // No app is known to the platforms themselves.
          PLATFORMS_URL: sandbox.url,
          GOOGLE_CLIENT_ID: "1234.apps.example",
          GOOGLE_CLIENT_SECRET: "sandbox",
          CARILLON_ALLOW_PRIVATE_HOSTS: "on",
          CARILLON_SECRET: "0123456789abcdef0123456789abcdef",
          RATE_LIMIT_READS: "0",
          RATE_LIMIT_WRITES: "0",
          RATE_LIMIT_FAILED_AUTHENTICATIONS: "0",
          ...(kind === "postgres" ? { DATABASE_URL: Redacted.value(yield* freshPostgresUrl()) } : {}),
          ...more
        }
        let words = ""
        return Layer.effect(
          InProcessService,
          make(url, () => words)
        ).pipe(
          Layer.provide(App),
          Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))),
          Layer.provide(Layer.succeed(References.MinimumLogLevel, "Error")),
          Layer.provide(
            Layer.succeed(Console.Console, {
              ...globalThis.console,
              log: (text: string) => void (words += text)
            })
          )
        )
      })
    ).pipe(Layer.provide(SharedSandbox))
}

const make = Effect.fnUntraced(function* (url: string, words: () => string) {
  const sql = yield* SqlClient.SqlClient
  const keys = yield* ApiKeys
  const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
  return InProcessService.of({
    url,
    words,
    workspace: (yield* (yield* Workspaces).default).id,
    run: (statement) => runPromise(statement(sql)),
    makeWorkspace: (name) =>
      runPromise(
        Effect.gen(function* () {
          const id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
          const now = DateTime.toDateUtc(yield* DateTime.now)
          yield* sql`insert into workspaces ${sql.insert({ id, name, created_at: now })}`
          return id
        })
      ),
    makeKey: (workspace, scopes, socialAccounts) =>
      keys.create({ name: scopes.join(" "), scopes, social_accounts: socialAccounts ?? null }).pipe(
        Effect.provideService(CurrentActor, {
          workspace_id: workspace,
          timezone: "UTC",
          key_id: null,
          key_name: null,
          member: null,
          member_id: null,
          instance: true,
          grant: null,
          scopes: ["admin"],
          social_accounts: null
        }),
        Effect.map(({ key }) => key),
        runPromise
      )
  })
}, Effect.orDie)
