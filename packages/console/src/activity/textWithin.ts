import { titleOf } from "../post/resultRows.ts"
import { words } from "./en.ts"

/** The first line of a post, as it stands within a sentence: without a full stop of its own. */
export const textWithin = (excerpt: string | null) => titleOf(excerpt).replace(/\.$/u, "") || words.noText
