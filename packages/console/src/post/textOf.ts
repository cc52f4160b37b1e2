import type { CalendarPost } from "@carillon/sdk"
import { words } from "./en.ts"

/** The first line of a post, as its name. */
export const textOf = ({ excerpt }: Pick<CalendarPost, "excerpt">) => excerpt?.split("\n")[0] || words.noText
