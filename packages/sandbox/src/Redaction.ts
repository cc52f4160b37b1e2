import { createHash } from "node:crypto"

/** The names of parameters whose value lets whoever has it act: a token, a code, a password, an upload's own address. */
const secretName = /secret|token|code|verifier|password|signature|upload_id/i

/** An address as it may be kept and shown: with the names of its secrets, and without their values. */
export const withoutSecrets = (address: string): string => {
  const [path = "", ...query] = address.split("?")
  if (query.length === 0) return address
  const shown = query
    .join("?")
    .split("&")
    .map((pair) => {
      const [[name, value] = ["", ""]] = new URLSearchParams(pair)
      return value !== "" && secretName.test(name) ? `${name}=…` : pair
    })
  return `${path}?${shown.join("&")}`
}

/** Hexadecimal; of a secret what is kept of it to know it again. */
export const sha256 = (secret: string | Uint8Array): string =>
  createHash("sha256").update(secret).digest("hex")
