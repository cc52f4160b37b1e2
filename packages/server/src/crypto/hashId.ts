import { createHash } from "node:crypto"

/** How tokens, codes and other ids that are secrets are stored. */
export const hashId = (id: string) => createHash("sha256").update(id).digest()
