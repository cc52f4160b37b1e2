import { createHash } from "node:crypto"
import { crc32, deflateSync } from "node:zlib"

/** `anna.berg-lookup`: `Anna Berg Lookup`. */
export const displayName = (username: string): string =>
  username
    .split(/[._-]+/)
    .filter((word) => word !== "")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(" ") || username

export const avatarPath = (username: string): string => `/avatars/${encodeURIComponent(username)}`

const side = 120
/** Far enough from the edge for a round frame. */
const margin = 20
const cell = 16

/** A pattern in the account's own colour, the same on both sides: a PNG, as platforms give pictures. */
export const avatarPng = (username: string): Uint8Array => {
  const digest = createHash("sha256").update(username).digest()
  const ground = [244, 241, 236]
  const colour = rgb((digest[0]! * 360) / 256)
  const lineIn = (row: number) => {
    const pixels = Array.from({ length: side }, (_, x) => {
      const column = Math.floor((x - margin) / cell)
      const inside = column >= 0 && column < 5 && row >= 0
      return inside && digest[1 + row * 3 + Math.min(column, 4 - column)]! % 2 === 0 ? colour : ground
    })
    // Each line begins with its filter: none.
    return Uint8Array.from([0, ...pixels.flat()])
  }
  const lines = [0, 1, 2, 3, 4].map(lineIn)
  const empty = lineIn(-1)
  const rows = Array.from({ length: side }, (_, y) => lines[Math.floor((y - margin) / cell)] ?? empty)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8)
  return Buffer.concat([
    Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", new Uint8Array())
  ])
}

const rgb = (hue: number) =>
  [0, 8, 4].map((turn) => {
    const k = (turn + hue / 30) % 12
    return Math.round(255 * (0.42 - 0.24 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  })

const chunk = (name: string, data: Uint8Array) => {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
