import type { Schema } from "effect"
import { Context, Effect, Layer, Redacted } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { Secrets } from "../auth/Secrets.ts"
import type { Credentials } from "../platforms/Platform.ts"

// First byte of every ciphertext, so that another scheme can follow.
const version = 1
const ivLength = 12
const tagLength = 16

/**
 * Encrypts credentials at rest with AES-256-GCM. `owner` is bound to the ciphertext: moved to another account's row
 * it does not open.
 */
export class CredentialCipher extends Context.Service<
  CredentialCipher,
  {
    encrypt(owner: string, credentials: Credentials): Uint8Array
    decrypt(owner: string, ciphertext: Uint8Array): Credentials
  }
>()("@carillon/server/accounts/CredentialCipher") {
  static readonly layer = Layer.effect(
    CredentialCipher,
    Effect.gen(function* () {
      const key = (yield* Secrets).key("social account credentials")
      return CredentialCipher.of({
        encrypt: (owner, credentials) => {
          const iv = randomBytes(ivLength)
          const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner))
          const text = Buffer.concat([
            cipher.update(JSON.stringify(Redacted.value(credentials))),
            cipher.final()
          ])
          return new Uint8Array(Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), text]))
        },
        decrypt: (owner, ciphertext) => {
          const bytes = Buffer.from(ciphertext)
          const iv = bytes.subarray(1, 1 + ivLength)
          const tag = bytes.subarray(1 + ivLength, 1 + ivLength + tagLength)
          const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner)).setAuthTag(tag)
          const text = Buffer.concat([
            decipher.update(bytes.subarray(1 + ivLength + tagLength)),
            decipher.final()
          ])
          return Redacted.make(JSON.parse(text.toString("utf8")) as { [key: string]: Schema.Json })
        }
      })
    })
  )
}
