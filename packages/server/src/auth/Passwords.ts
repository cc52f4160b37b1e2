import { Effect, Semaphore } from "effect"
import { argon2, randomBytes, timingSafeEqual } from "node:crypto"
import { Throttled } from "../http/Throttle.ts"

/** RFC 9106, the second recommended choice: 64 MiB, three passes, four lanes. */
const chosen = { memory: 65_536, passes: 3, parallelism: 4 }

/** Each takes 64 MiB and a third of a second of one core; more at once would let strangers slow the service down. */
const atOnce = Semaphore.makeUnsafe(2)

/** Behind this many others a person would give up waiting. */
const mostQueued = 20
let queued = 0

/**
 * Runs what looks at a password, with a place in the line from its beginning: who finds the line full is refused before
 * anything is counted or asked of the database, whose time belongs to others.
 */
export const inLine = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Throttled, R> =>
  Effect.suspend((): Effect.Effect<A, E | Throttled, R> => {
    if (queued >= mostQueued) return Effect.fail(new Throttled({ retry_after_seconds: 5 }))
    queued++
    return Effect.ensuring(
      effect,
      Effect.sync(() => queued--)
    )
  })

/** Within `inLine`, which bounds how many wait. */
const derive = Effect.fnUntraced(function* (password: string, salt: Uint8Array, parameters: typeof chosen) {
  return yield* Effect.callback<Buffer>((resume) => {
    // Other keyboards may type the same letters as other code points.
    const message = password.normalize("NFKC")
    argon2("argon2id", { ...parameters, message, nonce: salt, tagLength: 32 }, (error, key) =>
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  }).pipe(Semaphore.withPermit(atOnce))
})

const encoded = ({ memory, passes, parallelism }: typeof chosen, salt: Uint8Array, key: Uint8Array) => {
  const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "")
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(key)}`
}

/** The PHC string of a password, with a salt of its own. */
export const hashPassword = Effect.fnUntraced(function* (password: string) {
  const salt = randomBytes(16)
  return encoded(chosen, salt, yield* derive(password, salt, chosen))
})

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export const verifyPassword = Effect.fnUntraced(function* (password: string, hash: string) {
  const [, memory, passes, parallelism, salt, key] = form.exec(hash) ?? []
  if (key === undefined) return yield* Effect.die(new Error("A stored password hash has an unknown form."))
  const derived = yield* derive(password, Buffer.from(salt!, "base64"), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism)
  })
  return timingSafeEqual(derived, Buffer.from(key, "base64"))
})

/** Takes as long as a real check, for a name that nobody has. */
export const verifyNothing = (password: string) => Effect.as(derive(password, randomBytes(16), chosen), false)
