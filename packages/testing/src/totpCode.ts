import { createHmac } from "node:crypto"

/** What an authenticator app shows at this time: RFC 6238 with the parameters that all apps know. */
export const totpCode = (secret: string, at = Date.now()): string => {
  const bits = [...secret].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")
  )
  const key = Buffer.from(
    bits
      .join("")
      .match(/.{8}/g)!
      .map((byte) => parseInt(byte, 2))
  )
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac("sha1", key).update(step).digest()
  const code = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff
  return String(code % 1_000_000).padStart(6, "0")
}
