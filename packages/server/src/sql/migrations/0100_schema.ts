import { Effect } from "effect"
import { accounts } from "./schema/accounts.ts"
import { media } from "./schema/media.ts"
import { operations } from "./schema/operations.ts"
import { posts } from "./schema/posts.ts"
import { workspaces } from "./schema/workspaces.ts"

/** The schema of 0.1.0. The files are in the order of their foreign keys. */
export default Effect.all([workspaces, accounts, media, posts, operations], { discard: true })
