import { existsSync, statfsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"

/** What is the same on every database: left out where the tests are run again on PostgreSQL. */
const withoutDatabase = [
  "test/browser/console/*.test.ts",
  "test/cli/{commands,completions,login,renewal,terminal}.test.ts",
  "test/mcp/clients.test.ts",
  "test/oauth/clients.test.ts",
  "test/operations/{addresses,backup,docs,export,proxies,s3,start,startMistakes,tlsProxies}.test.ts",
  "test/platforms/{discordOpenApi,everywhere,frames,pinterestOpenApi,refusalsOfX,threadWalks,transcoding,twitterOpenApi,twitterText,walks}.test.ts",
  "test/rest/cors.test.ts",
  "test/sdk/{client,examples,package}.test.ts",
  // Killed and started again: test/crash does it on PostgreSQL at every step.
  "test/engine/{killedUploads,restart}.test.ts",
  "test/mcp/{planningTasks,sizes,tasks}.test.ts",
  "test/operations/doctor.test.ts",
  "test/platforms/apps.test.ts",
  "test/contract/{client,openapi}.test.ts",
  "packages/{cli,console,domain,sandbox,sdk}/test/**",
  "packages/server/test/{AppConfig,Misspelt,Recurring,Sweeps}.test.ts",
  "packages/server/test/accounts/{KnownDestinations,SealedHandles}.test.ts",
  "packages/server/test/auth/{PasswordLink,PasswordRules,Passwords}.test.ts",
  "packages/server/test/{approvals/Decision,backup/{Archive,linesIn},mcp/*,oauth/RedirectAddress,postBridge/PostBridgeWords}.test.ts",
  "packages/server/test/{sql/CountedPage,webhooks/DeliveryPolicy}.test.ts",
  "packages/server/test/platforms/!(Quota|Spending).test.ts",
  "packages/server/test/http/!(Idempotency).test.ts",
  "packages/server/test/media/{Probe,files/BlobStore,files/GcNudge,files/SignedUrls,images/ImageFit,serving/PublicUrl,videos/*}.test.ts",
  "packages/server/test/posts/!(NewPostRepository|PostDays|PostListRepository|PostStatements|Reviews|WaitingFor).test.ts",
  "packages/server/test/publishing/{Reconcile,RetryPolicy,Simulation,Turns}.test.ts",
  "packages/server/test/sql/{Embedded,EmptyDatabase,PowerLoss}.test.ts"
]

/** What only a process shows, and takes long: `npm run test:process`. */
const processes = [
  "test/cli/{completions,login,renewal,terminal}.test.ts",
  "test/engine/{killedUploads,processes,restart,reviews}.test.ts",
  "test/operations/{backup,diskFull,docs,doctor,lifecycle,proxies,s3,start,startMistakes,tlsProxies,tracing,upgrade}.test.ts",
  "test/platforms/{apps,budget,demoAccounts,discordOpenApi,frames,permissions,pinterestOpenApi,transcoding,twitterOpenApi}.test.ts",
  "packages/server/test/platforms/acceptedPosts.test.ts",
  "test/sdk/{client,examples,package}.test.ts",
  "test/contract/client.test.ts",
  "packages/sandbox/test/{Durability,Process}.test.ts",
  "packages/server/test/sql/{Embedded,EmptyDatabase,PowerLoss}.test.ts",
  "packages/server/test/backup/Restore.test.ts",
  // Needs the package registry: PACKAGES=1 asks for it, PACKAGES=dist for those that are packed already.
  ...("PACKAGES" in process.env ? ["test/packages/*.test.ts"] : []),
  // Minutes long: CRASH=some or CRASH=all asks for them.
  ...("CRASH" in process.env ? ["test/crash/*.test.ts", "test/cluster/*.test.ts"] : [])
]

const memory = "/dev/shm"

const hasRoom = () => {
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 1024 ** 3
}

/**
 * Databases and test networks flush what they write, for which the files of the tests are in memory: what a killed process
 * has written is there too. Some systems have none, and a container may have 64 MiB of it.
 */
const inMemory = existsSync(memory) && hasRoom() ? { TMPDIR: memory } : {}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "tests",
          include: [
            "packages/*/test/**/*.test.ts",
            "test/{cli,contract,engine,mcp,oauth,operations,platforms,rest,sdk}/*.test.ts"
          ],
          exclude: processes,
          env: inMemory
        }
      },
      // These do much one after the other: a docs page with each of its commands, an upgrade from each release.
      { extends: true, test: { name: "process", include: processes } },
      // In Chromium; each worker has a service, a test network and a browser.
      {
        extends: true,
        test: {
          name: "console",
          include: ["test/browser/console/*.test.ts"],
          globalSetup: "test/browser/console/build.ts",
          maxWorkers: 2,
          // Projects that run at the same time have the same number of workers.
          sequence: { groupOrder: 1 }
        }
      }
    ],
    exclude: [
      ...configDefaults.exclude,
      ...("TEST_DATABASE_URL" in process.env ? withoutDatabase : []),
      // Of which .ci/run asks more in stages of their own.
      ...(process.env["TESTS_ELSEWHERE"] === undefined ? [] : [process.env["TESTS_ELSEWHERE"]])
    ],
    // Test files of a worker share what they import. None changes what others import, or the environment.
    isolate: false,
    // A test that waits for another process leaves its core to others.
    maxWorkers: availableParallelism() + 1,
    // New workspaces are in the machine's time zone.
    env: { TZ: "UTC" },
    // As the service runs: with compiled schemas.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    // For what hangs. A test may take a fraction of it, and a busy machine stand still for half a minute in the middle.
    // Against a test that hangs; no measure of speed.
    testTimeout: 600_000,
    hookTimeout: 600_000
  }
})
