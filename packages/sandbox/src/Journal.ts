import { Context, Deferred, Effect, Layer, Option, Schema, type Scope } from "effect"
import { createReadStream } from "node:fs"
import { mkdir, open } from "node:fs/promises"
import { join } from "node:path"
import { SandboxConfig } from "./SandboxConfig.ts"

export class JournalFailed extends Schema.TaggedError<JournalFailed>()("JournalFailed", {
  message: Schema.String
}) {}

/**
 * The memory of the test network: every stream folds its own events, and nothing else is stored. With a directory they
 * are lines of JSON in `ledger.jsonl`, `{"room": "...", "event": {...}}`, only ever appended; without one they are
 * gone with the process.
 */
export class Journal extends Context.Service<
  Journal,
  {
    /**
     * Called once per stream, at start. Applies the past events, oldest first. The function that it returns applies one more
     * at once; `flushed` waits until that is on disk. Events are plain JSON. `reset`: the event that makes the stream forget
     * on a reset.
     */
    stream<Event>(
      name: string,
      event: Schema.Codec<Event, Event>,
      apply: (event: Event) => void,
      reset?: NoInfer<Event>
    ): Effect.Effect<(event: Event) => void, JournalFailed>
    /** Every stream forgets. */
    readonly reset: Effect.Effect<void>
    /** Waits until everything written so far is on disk. One flush serves all that wait at that moment. */
    readonly flushed: Effect.Effect<void>
    /** Ends only when the file cannot be written: a ledger that forgets must not go on. */
    readonly broken: Effect.Effect<never, JournalFailed>
  }
>()("@carillon/sandbox/Journal") {
  static readonly layer = Layer.effect(
    Journal,
    Effect.gen(function* () {
      const { directory } = yield* SandboxConfig
      const { failed, flushed, broken, past, write } = yield* Option.match(directory, {
        onNone: () => inMemory,
        onSome: onDisk
      })
      const resets: Array<() => void> = []
      return Journal.of({
        flushed,
        broken,
        reset: Effect.sync(() => resets.forEach((forget) => forget())),
        stream: Effect.fnUntraced(function* (name, schema, apply, reset) {
          const events = yield* Schema.decodeUnknownEffect(Schema.Array(schema))(past.get(name) ?? []).pipe(
            Effect.mapError(failed("cannot be understood"))
          )
          past.delete(name)
          events.forEach(apply)
          const happen = (event: (typeof events)[number]) => {
            write(name, event)
            apply(event)
          }
          if (reset !== undefined) resets.push(() => happen(reset))
          return happen
        })
      })
    })
  )
}

/** Where the lines are kept. */
interface Lines extends Pick<Journal["Service"], "flushed" | "broken"> {
  readonly failed: (what: string) => (cause: unknown) => JournalFailed
  /** The events from before this start by their streams, oldest first. */
  readonly past: Map<string, ReadonlyArray<unknown>>
  readonly write: (name: string, event: unknown) => void
}

const failing = (place: string) => (what: string) => (cause: unknown) =>
  new JournalFailed({
    message: `${place} ${what}: ${cause instanceof Error ? cause.message : String(cause)}`
  })

const inMemory = Effect.sync((): Lines => ({
  failed: failing("The ledger in memory"),
  past: new Map(),
  write: () => undefined,
  flushed: Effect.void,
  broken: Effect.never
}))

const onDisk = Effect.fnUntraced(function* (
  directory: string
): Effect.fn.Return<Lines, JournalFailed, Scope.Scope> {
  const path = join(directory, "ledger.jsonl")
  const failed = failing(path)

  const { file, past, length, ...found } = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        await mkdir(directory, { recursive: true })
        const file = await open(path, "a+")
        return { file, ...(await read(path)) }
      },
      catch: failed("cannot be opened")
    }),
    ({ file }) => Effect.promise(() => file.close())
  )

  const broken = yield* Deferred.make<never, JournalFailed>()
  let lines: Array<string> = []
  let { torn } = found
  let flushing: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const append = async () => {
    next = undefined
    const batch = lines.join("")
    lines = []
    // Not at start: a process that is about to find its port taken must not touch the other one's file.
    if (torn) await file.truncate(length)
    torn = false
    await file.appendFile(batch)
    await file.datasync()
  }

  // Events that are written during a flush gather for the next one.
  const flush = () => {
    if (lines.length === 0) return flushing
    next ??= flushing = flushing.then(append)
    return next
  }

  const flushed = Effect.tryPromise({ try: flush, catch: failed("cannot be written") }).pipe(
    Effect.tapError((failure) => Deferred.fail(broken, failure)),
    Effect.orDie
  )
  yield* Effect.addFinalizer(() => Effect.exit(flushed))

  return {
    failed,
    past,
    write: (name, event) => void lines.push(`${JSON.stringify({ room: name, event })}\n`),
    flushed,
    broken: Deferred.await(broken)
  }
})

const decodeLine = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ room: Schema.String, event: Schema.Unknown }))
)

/**
 * The events by stream, and how many bytes of the file are whole lines: a killed process may have left part of one.
 * Lines end with \n alone; a text may hold the other line ends that `readline` knows.
 */
const read = async (path: string) => {
  const past = new Map<string, Array<unknown>>()
  let rest: Buffer = Buffer.alloc(0)
  let length = 0
  for await (const chunk of createReadStream(path)) {
    const bytes: Buffer = Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf("\n") + 1
    for (const line of bytes.toString("utf8", 0, end).split("\n").slice(0, -1)) {
      const { room: stream, event } = decodeLine(line)
      const events = past.get(stream) ?? []
      if (events.push(event) === 1) past.set(stream, events)
    }
    rest = bytes.subarray(end)
    length += end
  }
  return { past, length, torn: rest.length > 0 }
}
