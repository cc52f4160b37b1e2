import { Context, Effect, Fiber, Layer, Ref, Schema } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { constants, setPriority } from "node:os"
import { join } from "node:path"
import { AppConfig } from "../AppConfig.ts"

const folder = join(import.meta.dirname, "../../../console")
const site = join(folder, "dist/site")
/** A release has the site and no builder. */
const builder = join(folder, "build.ts")

const Built = Schema.fromJsonString(
  Schema.Struct({
    files: Schema.Array(Schema.String),
    rooms: Schema.Record(Schema.String, Schema.Array(Schema.String))
  })
)

/** `preparing`: it is looked whether the site is that of the sources, and it is built if not. */
export type SiteState =
  | "off"
  | "preparing"
  | "failed"
  | {
      readonly page: string
      /** The files that each room needs besides those of the page, by the first part of its address. */
      readonly rooms: Readonly<Record<string, ReadonlyArray<string>>>
    }

/** The console as it was built: a page and the files that it names. */
export class ConsoleSite extends Context.Service<
  ConsoleSite,
  {
    readonly state: Effect.Effect<SiteState>
    /** The names of the site's files; none until it is built. */
    readonly files: Effect.Effect<ReadonlySet<string>>
    /** The bytes of one of the site's files. */
    read(file: string): Effect.Effect<Uint8Array>
    /** The page that hosts of MCP show, made of the console's parts. It waits for the build. */
    readonly appPage: Effect.Effect<string>
    /** The page on which a client reviews a post, console or not. It waits for the build. */
    readonly reviewPage: Effect.Effect<string>
  }
>()("@carillon/server/console/ConsoleSite") {
  static readonly layer = Layer.effect(
    ConsoleSite,
    Effect.gen(function* () {
      const { console } = yield* AppConfig
      const state = yield* Ref.make<SiteState>(console ? "preparing" : "off")
      const files = yield* Ref.make<ReadonlySet<string>>(new Set())
      const scope = yield* Effect.scope
      const prepare = Effect.gen(function* () {
        if (existsSync(builder)) yield* build
        const built = yield* Schema.decodeEffect(Built)(yield* textOf("built.json"))
        yield* Ref.set(files, new Set(built.files))
        if (console) yield* Ref.set(state, { page: yield* textOf("index.html"), rooms: built.rooms })
      }).pipe(
        Effect.tapCause((cause) =>
          Effect.andThen(
            console ? Ref.set(state, "failed") : Effect.void,
            Effect.logError(`the console could not be built; ${byHand} says why`, cause)
          )
        )
      )
      const preparing = yield* Effect.cached(Effect.forkIn(prepare, scope))
      // Nobody waits for it: the service is ready before.
      if (console) yield* preparing
      const pageOf = (file: string) =>
        preparing.pipe(Effect.flatMap(Fiber.join), Effect.andThen(textOf(file)), Effect.orDie)
      return ConsoleSite.of({
        state: Ref.get(state),
        files: Ref.get(files),
        read: (file) => Effect.promise(() => readFile(join(site, file))),
        appPage: Effect.withSpan(pageOf("app.html"), "ConsoleSite.appPage"),
        reviewPage: Effect.withSpan(pageOf("review.html"), "ConsoleSite.reviewPage")
      })
    })
  )
}

/** What builds the site in the foreground. */
export const byHand = "node packages/console/build.ts"

const textOf = (file: string) => Effect.tryPromise(() => readFile(join(site, file), "utf8"))

/**
 * In a process of its own, which takes half a gibibyte for two seconds, and none of the service's secrets. It ends with this one.
 */
const build = Effect.scoped(
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        fork(builder, {
          env: { NODE_ENV: "production", PATH: process.env["PATH"] },
          stdio: ["ignore", "ignore", "inherit", "ipc"]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    yield* Effect.try(() => setPriority(child.pid!, constants.priority.PRIORITY_LOW)).pipe(Effect.ignore)
    const code = yield* ended(child)
    if (code !== 0) return yield* Effect.die(new Error(`the builder ended with ${code}`))
  })
)

const ended = (child: ChildProcess) =>
  Effect.callback<number | null>((resume) => {
    child.once("error", () => resume(Effect.succeed(null)))
    child.once("exit", (code) => resume(Effect.succeed(code)))
  })
