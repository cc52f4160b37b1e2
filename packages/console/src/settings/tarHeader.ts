const encoder = new TextEncoder()
const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`

/** What stands before a file in a tar (ustar): 512 bytes. A name has at most 100 ASCII characters, a file less than 8 GiB. */
export const tarHeader = (name: string, size: number, modifiedAt: Date): Uint8Array<ArrayBuffer> => {
  const header = new Uint8Array(512)
  const put = (at: number, text: string) => header.set(encoder.encode(text), at)
  put(0, name)
  put(100, octal(0o600, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(size, 11))
  put(136, octal(Math.floor(modifiedAt.getTime() / 1000), 11))
  put(156, "0")
  put(257, "ustar\u000000")
  // The checksum counts its own field as spaces.
  put(148, " ".repeat(8))
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(148, `${octal(sum, 6)} `)
  return header
}
