/** A post that waits for its next try, to be changed before it. */
export const editPath = (post: string) => `/posts/${post}?edit=true`

/** A new post like this one for these accounts, which goes out instead of the failed result. */
export const repairPath = (post: string, result: string, accounts: ReadonlyArray<number>) =>
  `${duplicatePath(post, accounts)}&repairs=${result}`

/** A new post like this one, for all of its accounts or for some. */
export const duplicatePath = (post: string, accounts?: ReadonlyArray<number>) =>
  `/compose?from=${post}${accounts === undefined ? "" : `&accounts=${accounts.join(",")}`}`
