/** Edits a post that waits for its next try. */
export const editPath = (post: string) => `/posts/${post}?edit=true`

/** Writes a copy for these accounts that repairs a failed result. */
export const repairPath = (post: string, result: string, accounts: ReadonlyArray<number>) =>
  `${duplicatePath(post, accounts)}&repairs=${result}`

/** Writes a copy of a post, for all of its accounts or for some. */
export const duplicatePath = (post: string, accounts?: ReadonlyArray<number>) =>
  `/compose?from=${post}${accounts === undefined ? "" : `&accounts=${accounts.join(",")}`}`
