import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const directory = join(import.meta.dirname, "client")
const generated = join(directory, ".generated")
const run = promisify(execFile)

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })(
  "a client generated from /v1/openapi.json",
  (it) => {
    it.effect("compiles under strict TypeScript, and uploads, creates, lists and reads the result", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { body } = yield* service.call("GET", "/v1/openapi.json")
        const { stdout } = yield* Effect.promise(async () => {
          rmSync(generated, { recursive: true, force: true })
          mkdirSync(generated)
          writeFileSync(join(generated, "openapi.json"), JSON.stringify(body))
          const options = { cwd: directory }
          await run("node_modules/.bin/openapi-ts", [], options)
          await run("node_modules/.bin/tsc", ["-p", "."], options)
          return run(process.execPath, [".generated/built/flow.js"], {
            cwd: directory,
            env: { CARILLON_URL: service.url, CARILLON_API_KEY: service.key }
          })
        })
        assert.deepStrictEqual(JSON.parse(stdout), {
          media: "ready",
          post: "published",
          total: 1,
          listed: true,
          result: "published",
          refused: "empty_post"
        })
      })
    )
  }
)
