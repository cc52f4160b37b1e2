import { createHash } from "node:crypto"
import type { Schema } from "effect"

const alphabet = "abcdefghijklmnopqrstuvwxyz234567"

/** The address of a record by its content: CIDv1, DAG-CBOR, SHA-256 (https://atproto.com/specs/data-model#link-and-cid-formats). */
export const cidOf = (record: Schema.Json): string => {
  const digest = createHash("sha256").update(cbor(record)).digest()
  return `b${base32(Buffer.concat([Buffer.from([0x01, 0x71, 0x12, 0x20]), digest]))}`
}

/** https://ipld.io/specs/codecs/dag-cbor/spec/: shortest forms, keys by length and then by bytes, links under tag 42. */
const cbor = (value: Schema.Json): Buffer => {
  if (value === null) return Buffer.from([0xf6])
  if (typeof value === "boolean") return Buffer.from([value ? 0xf5 : 0xf4])
  if (typeof value === "number") {
    // The data model has no other numbers.
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is no integer of a record`)
    return value < 0 ? head(1, -1 - value) : head(0, value)
  }
  if (typeof value === "string") return withLength(3, Buffer.from(value, "utf8"))
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const record = value as Schema.JsonObject
  const link = record["$link"]
  if (typeof link === "string")
    // A zero byte stands before the bytes of a link.
    return Buffer.concat([head(6, 42), withLength(2, Buffer.concat([Buffer.from([0]), unBase32(link)]))])
  const entries = Object.entries(record)
    .map(([key, one]) => [Buffer.from(key, "utf8"), one] as const)
    .sort(([one], [other]) => one.length - other.length || Buffer.compare(one, other))
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, one]) => [withLength(3, key), cbor(one as Schema.Json)])
  ])
}

const withLength = (major: number, bytes: Buffer) => Buffer.concat([head(major, bytes.length), bytes])

const head = (major: number, value: number): Buffer => {
  const kind = major << 5
  if (value < 24) return Buffer.from([kind | value])
  if (value < 0x100) return Buffer.from([kind | 24, value])
  const bytes = Buffer.alloc(value < 0x10000 ? 3 : value < 0x1_0000_0000 ? 5 : 9)
  if (bytes.length === 3) bytes.writeUInt16BE(value, 1)
  else if (bytes.length === 5) bytes.writeUInt32BE(value, 1)
  else bytes.writeBigUInt64BE(BigInt(value), 1)
  bytes[0] = kind | (bytes.length === 3 ? 25 : bytes.length === 5 ? 26 : 27)
  return bytes
}

const base32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("")
}

const unBase32 = (text: string): Buffer => {
  const bits = Array.from(text.slice(1), (letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, "0")
  ).join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
