import { PgClient } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import { Context, Deferred, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { mkdir, open, readdir, readFile, rename, rm, statfs } from "node:fs/promises"
import { join, resolve } from "node:path"
import { DatabaseStartError } from "./DatabaseStartError.ts"
import { DatabaseStopped } from "./DatabaseStopped.ts"
import * as DirectoryLock from "./DirectoryLock.ts"
import { DiskFull } from "./DiskFull.ts"
import { maintain, type MaintenanceOptions } from "./EmbeddedMaintenance.ts"
import { readEmptyDatabase, writeEmptyDatabase } from "./EmptyDatabase.ts"
import { FlushedFileSystem, type FlushOptions } from "./FlushedFileSystem.ts"
import { frugally } from "./FrugalEngine.ts"
import { guard } from "./PgliteGuard.ts"
import * as PgliteStream from "./PgliteStream.ts"

/** The major version of PostgreSQL inside the pinned PGlite. */
const POSTGRES_MAJOR = "18"

const START_PARAMETERS = PGlite.defaultStartParams
  // This switches every flush off.
  .filter((parameter) => parameter !== "-F")
  // PGlite's fdatasync() is an empty stub; its fsync() reaches the file system layer.
  .concat("-c", "wal_sync_method=fsync")
  // Half of the default, which would cost this process 90 MB more. The system caches evicted pages, but with 32 MB each
  // target read and wrote two pages more with a season's plan ahead (`bench/README.md`).
  .concat("-c", "shared_buffers=64MB")

const IN_MEMORY_PARAMETERS = PGlite.defaultStartParams.concat("-c", "shared_buffers=16MB")

export interface EmbeddedDatabaseOptions extends FlushOptions, MaintenanceOptions {
  readonly dataDir: string
}

/** PostgreSQL inside this process, on a directory of its own: one process, one session. */
export class EmbeddedDatabase extends Context.Service<
  EmbeddedDatabase,
  {
    readonly directory: string
    /** How many flushes of files and directories there were since the database was opened. */
    readonly flushCount: Effect.Effect<number>
    /** Whether the disk is full: the server inside may have ended, and comes back when there is space. */
    readonly full: Effect.Effect<boolean>
    /** Fails when the server inside has ended for good, as after a failed flush: the process must end too. */
    readonly stopped: Effect.Effect<never, DatabaseStopped>
  }
>()("@carillon/server/sql/EmbeddedDatabase") {
  static readonly layer = (options: EmbeddedDatabaseOptions) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const dataDir = resolve(options.dataDir)
        const directory = join(dataDir, "database")
        yield* onDisk(directory, () => mkdir(dataDir, { recursive: true, mode: 0o700 }))
        yield* DirectoryLock.acquire(directory)
        yield* prepareDirectory(directory)

        const server = yield* openServer(directory, options)
        const { full, flushCount, stopped } = server
        const sql = yield* connect(server.take).pipe(Effect.mapError((cause) => unusable(directory, cause)))
        yield* checkDurability(directory, sql, flushCount)
        yield* maintain(sql, options)

        return Context.make(
          EmbeddedDatabase,
          EmbeddedDatabase.of({ directory, flushCount, full, stopped })
        ).pipe(Context.add(PgClient.PgClient, sql), Context.add(SqlClient.SqlClient, sql))
      }).pipe(frugally)
    ).pipe(Layer.provide(Reactivity.layer))

  /** A server in memory, for tests: nothing is kept, flushed or maintained. */
  static readonly inMemory = (dump: Blob) => inMemory(dump)

  /** The only client of such a server. */
  static readonly layerMemory = (server: ReturnType<typeof inMemory>) =>
    PgClient.layerFrom(Effect.flatMap(server, (pglite) => connect(async () => pglite)))

  /** The input of `inMemory`: a database in memory after the given work on an empty one. */
  static readonly dump = <E>(work: Effect.Effect<unknown, E, SqlClient.SqlClient>) =>
    Effect.gen(function* () {
      const pglite = yield* inMemory(yield* Effect.promise(readEmptyDatabase))
      const sql = yield* connect(async () => pglite)
      yield* Effect.provideService(work, SqlClient.SqlClient, sql)
      return yield* Effect.promise(() => pglite.dumpDataDir("none"))
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
}

const inMemory = (dump: Blob) =>
  Effect.acquireRelease(
    // Most of a start with the default of 128 MB is spent on clearing the buffers.
    Effect.promise(() => PGlite.create({ loadDataDir: dump, startParams: IN_MEMORY_PARAMETERS })),
    (pglite) => Effect.promise(() => pglite.close())
  )

/** A client over PGlite's single session; callers wait for each other. */
const connect = Effect.fn("EmbeddedDatabase.connect")(function* (take: () => Promise<PGlite>) {
  const sql = yield* PgClient.make({
    stream: PgliteStream.connect(take),
    username: "postgres",
    database: "postgres",
    applicationName: "carillon",
    // A pool of one, not a bare connection: it opens the next when a result that cannot be decoded has ended this one.
    minConnections: 1,
    maxConnections: 1
  })
  yield* sql`SELECT 1`
  // sql-pg 4.0.5 does not know this field yet.
  return Object.assign(sql, { driver: "pglite" })
})

/** The space that a start needs: the next segment of the log, and the writes of a recovery. */
const ROOM = 32 * 1024 * 1024

const hasRoom = async (directory: string) => {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize >= ROOM
}

/** The pause after a start for which there was too little space, or none for this user. */
const PAUSE = 5000

/** The server inside. After it ended for want of space, the first caller that finds space opens it again. */
const openServer = Effect.fnUntraced(function* (directory: string, options: FlushOptions) {
  const stopped = yield* Deferred.make<never, DatabaseStopped>()
  let flushesBefore = 0
  let fileSystem = new FlushedFileSystem(directory, options)
  let current: Promise<PGlite> | undefined
  let failedAt = -Infinity

  const open = async () => {
    const complaints: Array<string> = []
    const complain = (line: string) => {
      complaints.push(line)
      if (complaints.length > 5) complaints.shift()
      return false
    }
    const letGo = () => {
      current = undefined
      fileSystem.closeFiles()
      flushesBefore += fileSystem.flushCount
      fileSystem = new FlushedFileSystem(directory, options)
    }
    try {
      const pglite = await PGlite.create({
        fs: fileSystem,
        startParams: START_PARAMETERS,
        onStderr: complain
      })
      guard(pglite, (cause) => {
        if (noRoomIn(complaints)) {
          letGo()
          return full(directory)
        }
        Deferred.doneUnsafe(stopped, Effect.fail(hasStopped(directory, cause, complaints)))
        return cause
      })
      return pglite
    } catch (cause) {
      letGo()
      failedAt = performance.now()
      throw noRoomIn(complaints) ? full(directory) : unusable(directory, cause, complaints)
    }
  }

  const openAgain = async () => {
    if (performance.now() - failedAt < PAUSE || !(await hasRoom(directory))) throw full(directory)
    return open()
  }

  const take = (how: () => Promise<PGlite>) => {
    if (current !== undefined) return current
    const taken = how()
    taken.catch(() => {
      if (current === taken) current = undefined
    })
    return (current = taken)
  }
  yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => take(open),
      catch: (cause) =>
        cause instanceof DiskFull ? unusable(directory, cause) : (cause as DatabaseStartError)
    }),
    // A clean end writes its own last checkpoint; a server that has stopped cannot be ended again.
    () =>
      Deferred.isDoneUnsafe(stopped)
        ? Effect.void
        : Effect.ignore(
            Effect.tryPromise(async () => (await current)?.close()),
            { log: "Warn" }
          )
  )
  return {
    take: () => take(openAgain),
    full: Effect.promise(async () => current === undefined || !(await hasRoom(directory))),
    flushCount: Effect.sync(() => flushesBefore + fileSystem.flushCount),
    stopped: Deferred.await(stopped)
  }
})

const noRoomIn = (complaints: ReadonlyArray<string>) =>
  complaints.some((line) => /(PANIC|FATAL):.*(No space left on device|Quota exceeded)/.test(line))

const full = (directory: string) =>
  new DiskFull(
    `The disk of the embedded database in ${directory} is full. Make room; it goes on by itself with ` +
      `${ROOM / 1024 / 1024} MiB free.`
  )

const hasStopped = (directory: string, cause: unknown, complaints: ReadonlyArray<string>) =>
  new DatabaseStopped({
    message:
      `The embedded database in ${directory} has stopped: ${describe(cause, complaints)}. ` +
      "Fix the problem named here, then start the service again; it recovers by itself.",
    cause
  })

/**
 * Makes a database beside its final place, flushes it and renames it: a process that dies in between leaves nothing
 * that looks like a database.
 */
const prepareDirectory = Effect.fn("EmbeddedDatabase.prepareDirectory")(function* (directory: string) {
  const entries = yield* onDisk(directory, () => readdir(directory).catch(absentAs([])))
  if (entries.length === 0) return yield* initialise(directory)

  const version = yield* onDisk(directory, () =>
    readFile(join(directory, "PG_VERSION"), "utf8").catch(absentAs(""))
  )
  const found = version.trim()
  if (found === "") {
    return yield* new DatabaseStartError({
      reason: "directory_unusable",
      message:
        `${directory} is not empty, but holds no database either: the file PG_VERSION is missing or empty. ` +
        "Move the directory away to start with an empty database, or put a backup in its place."
    })
  }
  if (found !== POSTGRES_MAJOR) {
    return yield* new DatabaseStartError({
      reason: "wrong_version",
      message:
        `${directory} was written by PostgreSQL ${found}, and this release of Carillon reads version ` +
        `${POSTGRES_MAJOR} only. Dump the data with the release that wrote it and load the dump with this one, ` +
        "or move the directory away to start with an empty database."
    })
  }
})

const initialise = Effect.fn("EmbeddedDatabase.initialise")(function* (directory: string) {
  const unfinished = `${directory}.unfinished`
  yield* onDisk(directory, async () => {
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { mode: 0o700 })
    await writeEmptyDatabase(unfinished)
    await flushTree(unfinished)
    await rename(unfinished, directory)
    await flush(resolve(directory, ".."))
  })
})

/** The hook into PGlite is not part of its interface, so a commit has to prove that it reaches the disk. */
const checkDurability = Effect.fn("EmbeddedDatabase.checkDurability")(function* (
  directory: string,
  sql: SqlClient.SqlClient,
  flushCount: Effect.Effect<number>
) {
  const before = yield* flushCount
  yield* Effect.mapError(sql`SELECT pg_logical_emit_message(true, 'carillon', 'start')::text`, (cause) =>
    unusable(directory, cause)
  )
  if ((yield* flushCount) === before) {
    return yield* new DatabaseStartError({
      reason: "not_durable",
      message:
        `The embedded database in ${directory} does not flush its commits to disk, so a power cut could lose ` +
        "acknowledged posts. This is a fault of this release, not of your set-up: please report it. " +
        "PostgreSQL (DATABASE_URL) is not affected."
    })
  }
})

const flush = async (path: string) => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const flushTree = async (directory: string): Promise<void> => {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    await (entry.isDirectory() ? flushTree(path) : flush(path))
  }
  await flush(directory)
}

const absentAs =
  <A>(value: A) =>
  (cause: unknown): A => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return value
    throw cause
  }

const onDisk = <A>(directory: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => unusable(directory, cause) })

const describe = (cause: unknown, complaints: ReadonlyArray<string>) =>
  [cause instanceof Error ? cause.message : String(cause), ...complaints].join("; ")

const unusable = (directory: string, cause: unknown, complaints: ReadonlyArray<string> = []) =>
  new DatabaseStartError({
    reason: "directory_unusable",
    message:
      `The embedded database in ${directory} cannot be opened: ${describe(cause, complaints)}. ` +
      "Check that the disk has room and that this user may read and write the directory. If the files are damaged, " +
      "move the directory away and put a backup in its place."
  })
