import { Effect } from "effect"
import { graphError } from "./GraphErrors.ts"

const usual = 25
const most = 100

/**
 * The part of a list that `after` and `limit` ask for, 25 by default and 100 at most, and its `paging`: `cursors`, and `next`,
 * the whole address with the token, if there is more.
 */
export const partOf = <Item>(
  items: ReadonlyArray<Item>,
  { given, token }: { readonly given: URLSearchParams; readonly token: string },
  address: string
) => {
  const [after, asked] = [given.get("after") ?? "0", Number(given.get("limit") ?? usual)]
  if (!/^\d{1,6}$/.test(after) || !(Number.isInteger(asked) && asked >= 1)) {
    return graphError("100", "(#100) after is no cursor, or limit is below 1")
  }
  const start = Number(after)
  const end = start + Math.min(asked, most)
  const next = new URLSearchParams(given)
  next.set("after", String(end))
  next.set("access_token", token)
  return Effect.succeed({
    part: items.slice(start, end),
    paging: {
      cursors: { before: String(start), after: String(end) },
      ...(end < items.length ? { next: `${address}?${next}` } : {})
    }
  })
}
