import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { hkdfSync, randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "../AppConfig.ts"

export class SecretMissing extends Schema.TaggedError<SecretMissing>()("SecretMissing", {
  message: Schema.String
}) {}

/**
 * Keys for signing and encrypting, each derived from the one root secret for its own purpose.
 * The root is CARILLON_SECRET, or a file in DATA_DIR that is made on the first start.
 */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** CARILLON_SECRET itself, for a backup that is encrypted. */
    readonly root: Redacted.Redacted
    /** 32 bytes; the same for the same purpose as long as the root secret stays. */
    key(purpose: string): Uint8Array
    /** The same keys of former secrets, for what was signed or encrypted under them. */
    formerKeys(purpose: string): ReadonlyArray<Uint8Array>
  }
>()("@carillon/server/crypto/Secrets") {
  static readonly layer = Layer.effect(
    Secrets,
    Effect.gen(function* () {
      const config = yield* AppConfig
      if (Option.isNone(config.secret) && Option.isSome(config.databaseUrl)) {
        return yield* new SecretMissing({
          message:
            "CARILLON_SECRET is not set. With DATABASE_URL every process must share one secret of at least 32 " +
            "characters; make one with: openssl rand -hex 32"
        })
      }
      const root = Option.isSome(config.secret)
        ? Redacted.value(config.secret.value)
        : generated(config.dataDir)
      if (root.length < 32) {
        return yield* new SecretMissing({
          message: `CARILLON_SECRET has ${root.length} characters; it needs at least 32. Make one with: openssl rand -hex 32`
        })
      }
      const former = Option.match(config.previousSecrets, {
        onNone: () => [],
        onSome: (secrets) =>
          Redacted.value(secrets)
            .split(",")
            .map((secret) => secret.trim())
      })
      return Secrets.of({
        root: Redacted.make(root),
        key: (purpose) => derive(root, purpose),
        formerKeys: (purpose) => former.map((secret) => derive(secret, purpose))
      })
    })
  )
}

/** A key for one purpose. */
export const derive = (root: string, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", root, "carillon", purpose, 32))

const generated = (dataDir: string): string => {
  const file = join(dataDir, "secret")
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx", flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  return readFileSync(file, "utf8").trim()
}
