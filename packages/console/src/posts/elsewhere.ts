/** A new post like this one, for all of its accounts or for some. */
export const writingFrom = (post: string, accounts?: ReadonlyArray<number>) =>
  `/compose?from=${post}${accounts === undefined ? "" : `&accounts=${accounts.join(",")}`}`
