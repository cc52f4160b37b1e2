import type { Kind } from "./LinkedIn.ts"

/** The first bytes of the types that LinkedIn takes. */
const beginnings: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  image: { "image/jpeg": "\xff\xd8\xff", "image/png": "\x89PNG", "image/gif": "GIF8" },
  document: {
    "application/pdf": "%PDF-",
    "application/msword": "\xd0\xcf\x11\xe0",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "PK"
  },
  video: {}
}

export const fileTypeOf = (kind: Kind, bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, 8)).toString("latin1")
  return Object.entries(beginnings[kind]).find(([, beginning]) => head.startsWith(beginning))?.[0]
}
