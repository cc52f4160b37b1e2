import { Context, Effect, Layer, Option, Redacted, type Schema } from "effect"
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import { Secrets } from "./Secrets.ts"

type Secret = { readonly [key: string]: Schema.Json }

// The first byte of every ciphertext, so that another scheme can follow.
const version = 1
const ivLength = 12
const tagLength = 16

/**
 * Encrypts credentials at rest with AES-256-GCM, bound to their `owner`: in another account's row they do not decrypt.
 * Ciphertexts of a former secret still decrypt.
 */
export class CredentialCipher extends Context.Service<
  CredentialCipher,
  {
    encrypt(owner: string, credentials: Redacted.Redacted<Secret>): Uint8Array
    decrypt(owner: string, ciphertext: Uint8Array): Redacted.Redacted<Secret>
    /** The same for other secrets. */
    seal(owner: string, secret: Secret): Uint8Array
    open(owner: string, ciphertext: Uint8Array): Secret
    /** The same under the present secret; none where it is that already. */
    renewed(owner: string, ciphertext: Uint8Array): Option.Option<Uint8Array>
  }
>()("@carillon/server/crypto/CredentialCipher") {
  static readonly layer = Layer.effect(
    CredentialCipher,
    Effect.gen(function* () {
      const secrets = yield* Secrets
      // Key objects: made from bytes for every call they would cost three times the decryption.
      const key = createSecretKey(secrets.key("social account credentials"))
      const formerKeys = secrets.formerKeys("social account credentials").map((one) => createSecretKey(one))

      const encryptText = (owner: string, text: Uint8Array) => {
        const iv = randomBytes(ivLength)
        const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner))
        const body = [cipher.update(text), cipher.final()]
        return new Uint8Array(Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), ...body]))
      }

      const decryptText = (owner: string, ciphertext: Uint8Array) => {
        const present = opened(key, owner, ciphertext)
        if (Option.isSome(present)) return { text: present.value, former: false }
        for (const formerKey of formerKeys) {
          const text = opened(formerKey, owner, ciphertext)
          if (Option.isSome(text)) return { text: text.value, former: true }
        }
        throw new Error(
          "Stored credentials do not open with CARILLON_SECRET. Was it changed? Then name the one before in CARILLON_PREVIOUS_SECRETS."
        )
      }

      const seal = (owner: string, secret: Secret) => encryptText(owner, Buffer.from(JSON.stringify(secret)))
      const open = (owner: string, ciphertext: Uint8Array): Secret =>
        JSON.parse(decryptText(owner, ciphertext).text.toString("utf8"))

      return CredentialCipher.of({
        encrypt: (owner, credentials) => seal(owner, Redacted.value(credentials)),
        decrypt: (owner, ciphertext) => Redacted.make(open(owner, ciphertext)),
        seal,
        open,
        renewed: (owner, ciphertext) => {
          const { text, former } = decryptText(owner, ciphertext)
          return former ? Option.some(encryptText(owner, text)) : Option.none()
        }
      })
    })
  )
}

/** None under another key, because authentication fails. */
const opened = (key: KeyObject, owner: string, ciphertext: Uint8Array): Option.Option<Buffer> => {
  const bytes = Buffer.from(ciphertext)
  const iv = bytes.subarray(1, 1 + ivLength)
  const tag = bytes.subarray(1 + ivLength, 1 + ivLength + tagLength)
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner)).setAuthTag(tag)
  const body = decipher.update(bytes.subarray(1 + ivLength + tagLength))
  try {
    return Option.some(Buffer.concat([body, decipher.final()]))
  } catch {
    return Option.none()
  }
}

/** The owner that an account's ciphertext is bound to. */
export const owner = (platform: string, remoteId: string) => `${platform}:${remoteId}`
