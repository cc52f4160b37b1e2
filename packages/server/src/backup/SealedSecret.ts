import { Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto"
import { promisify } from "node:util"

const derived = promisify<string, Buffer, number, object, Buffer>(scrypt)

const cost = { N: 2 ** 17, r: 8, p: 1 } as const
/** A third more than these parameters need. */
const maxmem = 176 * 1024 * 1024

const Hex = Schema.String.check(Schema.isPattern(/^[0-9a-f]{1,4096}$/))

/** A secret under a passphrase: the key is scrypt's, the cipher AES-256-GCM. Bytes are hexadecimal. */
export const SealedSecret = Schema.Struct({
  kdf: Schema.Literal("scrypt"),
  N: Schema.Literal(cost.N),
  r: Schema.Literal(cost.r),
  p: Schema.Literal(cost.p),
  cipher: Schema.Literal("aes-256-gcm"),
  salt: Hex,
  iv: Hex,
  tag: Hex,
  ciphertext: Hex
})
export interface SealedSecret extends Schema.Schema.Type<typeof SealedSecret> {}

const keyOf = (passphrase: Redacted.Redacted, salt: Buffer) =>
  derived(Redacted.value(passphrase).normalize("NFC"), salt, 32, { ...cost, maxmem })

export const sealSecret = async (
  secret: Redacted.Redacted,
  passphrase: Redacted.Redacted
): Promise<SealedSecret> => {
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv("aes-256-gcm", await keyOf(passphrase, salt), iv)
  const ciphertext = Buffer.concat([cipher.update(Redacted.value(secret), "utf8"), cipher.final()])
  const hex = (bytes: Buffer) => bytes.toString("hex")
  return {
    kdf: "scrypt",
    ...cost,
    cipher: "aes-256-gcm",
    salt: hex(salt),
    iv: hex(iv),
    tag: hex(cipher.getAuthTag()),
    ciphertext: hex(ciphertext)
  }
}

/** undefined: the passphrase is another one. */
export const openSecret = async (
  sealed: SealedSecret,
  passphrase: Redacted.Redacted
): Promise<Redacted.Redacted | undefined> => {
  const bytes = (hex: string) => Buffer.from(hex, "hex")
  const decipher = createDecipheriv(
    "aes-256-gcm",
    await keyOf(passphrase, bytes(sealed.salt)),
    bytes(sealed.iv),
    {
      authTagLength: 16
    }
  ).setAuthTag(bytes(sealed.tag))
  try {
    const opened = Buffer.concat([decipher.update(bytes(sealed.ciphertext)), decipher.final()])
    return Redacted.make(opened.toString("utf8"))
  } catch {
    return undefined
  }
}
