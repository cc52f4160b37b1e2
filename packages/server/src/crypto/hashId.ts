import { createHash } from "node:crypto"

/** The stored form of tokens, codes and other secret ids. */
export const hashId = (id: string) => createHash("sha256").update(id).digest()
