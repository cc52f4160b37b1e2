import { createHash } from "node:crypto"
import type { Limit } from "../http/Throttle.ts"

const few = { most: 10, within: "15 minutes" } as const

const hashed = (text: string) => createHash("sha256").update(text).digest("hex")

export const limitOfAddress = (address: string): Limit => ({ bucket: `sign-in:${address}`, ...few })

/** Of a browser that is not known: many addresses that try one name are slower than a person mistypes. */
export const limitsOfStranger = (name: string, address: string): ReadonlyArray<Limit> => [
  limitOfAddress(address),
  { bucket: `sign-in-name:${hashed(name.toLowerCase())}`, most: 50, within: "1 hour" }
]

/** Of a browser that signed in before. It counts for no other limit, so that no stranger can use it up. */
export const limitsOfDevice = (device: string): ReadonlyArray<Limit> => [
  { bucket: `sign-in-device:${hashed(device)}`, ...few }
]

/** Of whoever has the password: at this rate it takes some 45 years to guess a code, of which three count at any time. */
export const limitsOfCode = (memberId: string, address: string): ReadonlyArray<Limit> => [
  limitOfAddress(address),
  { bucket: `sign-in-code:${memberId}`, most: 20, within: "1 day" }
]

/** Of the one who is signed in and gives the password again. */
export const limitsOfSession = (token: string): ReadonlyArray<Limit> => [
  { bucket: `password:${hashed(token)}`, ...few }
]
