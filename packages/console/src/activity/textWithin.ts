import { titleOf } from "../post/resultRows.ts"
import { words } from "./en.ts"

/** The first line of a post without its full stop, to put into a sentence. */
export const textWithin = (excerpt: string | null) => titleOf(excerpt).replace(/\.$/u, "") || words.noText
