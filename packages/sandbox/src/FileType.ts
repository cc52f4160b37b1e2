/** The first bytes of files by their type; RIFF without the length that follows it. */
const beginnings = {
  "image/jpeg": ["\xff\xd8\xff"],
  "image/png": ["\x89PNG"],
  "image/gif": ["GIF8"],
  "image/webp": ["RIFFWEBP"],
  "image/bmp": ["BM"],
  "image/tiff": ["II*\0", "MM\0*"],
  "application/pdf": ["%PDF-"],
  "application/msword": ["\xd0\xcf\x11\xe0"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["PK"]
} as const
export type FileType = keyof typeof beginnings

/** Which of these types the bytes are; undefined: none. */
export const fileTypeOf = (bytes: Uint8Array, types: ReadonlyArray<FileType>): FileType | undefined => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1")
  const named = head.replace(/^RIFF[^]{4}/, "RIFF")
  return types.find((type) => beginnings[type].some((beginning) => named.startsWith(beginning)))
}
