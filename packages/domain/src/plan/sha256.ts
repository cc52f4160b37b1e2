const primes = (wanted: number) => {
  const found: Array<number> = []
  for (let number = 2; found.length < wanted; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number)
  }
  return found
}

/** The first 32 bits of a number's fraction. */
const fraction = (number: number) => Math.floor((number % 1) * 2 ** 32)
const start = primes(8).map((prime) => fraction(Math.sqrt(prime)))
const constants = primes(64).map((prime) => fraction(Math.cbrt(prime)))

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** SHA-256 as hex digits. A page that was loaded without TLS has no `crypto.subtle`. */
export const sha256 = (text: string): string => {
  const content = new TextEncoder().encode(text)
  const bytes = new Uint8Array(Math.ceil((content.length + 9) / 64) * 64)
  bytes.set(content)
  bytes[content.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, Math.floor(content.length / 2 ** 29))
  view.setUint32(bytes.length - 4, (content.length * 8) >>> 0)

  const words = new Int32Array(64)
  const state = Int32Array.from(start)
  for (let block = 0; block < bytes.length; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let index = 0; index < 64; index++) {
      const [early, late] = [words[index - 15] ?? 0, words[index - 2] ?? 0]
      words[index] =
        index < 16
          ? view.getInt32(block + index * 4)
          : words[index - 16]! +
            (rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)) +
            words[index - 7]! +
            (rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10))
      const mixed =
        (h +
          (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
          ((e & f) ^ (~e & g)) +
          constants[index]! +
          words[index]!) |
        0
      const majority = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + mixed) | 0, c, b, a, (mixed + majority) | 0]
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index]! += word
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
}
