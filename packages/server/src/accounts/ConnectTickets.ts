import { DateTime, Duration, Effect, Schema } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import type { Connection } from "./ConnectRepository.ts"

/** How long each step of a person may take. */
const patience = Duration.minutes(15)

/** When a step that begins now is over. */
export const expiry = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, patience))

export const secret = () => randomBytes(32).toString("base64url")

export const hash = (text: string) => new Uint8Array(createHash("sha256").update(text).digest())

/** What a connection remembers from one step to the next, encrypted. */
export const makeConnectionSecrets = Effect.map(CredentialCipher, (cipher) => ({
  seal: ({ id }: Pick<Connection, "id">, value: { readonly [key: string]: Schema.Json }) =>
    cipher.seal(`connection:${id}`, value),
  unseal: ({ id, secrets }: Pick<Connection, "id" | "secrets">) =>
    secrets === null ? {} : cipher.open(`connection:${id}`, secrets)
}))
