import { words } from "./en.ts"
import type { Placed } from "./problems.ts"

/** What keeps an account from being ready, in a few words: `74 over · 1 to set`. */
export const troubleOf = (problems: ReadonlyArray<Placed>, account: number): string => {
  const its = problems.filter(
    ({ item, place }) => (item.account_id ?? (place.on === "accounts" ? place.account : null)) === account
  )
  const over = its.flatMap(({ item: { code, limit, rule, value } }) =>
    code === "caption_too_long" && rule === "max" && typeof limit === "number" && typeof value === "number"
      ? [value - limit]
      : []
  )
  const toSet = its.filter(({ place }) => place.on === "option").length
  const others = its.length - over.length - toSet
  return [
    ...(over.length > 0 ? [words.over(Math.max(...over).toLocaleString("en"))] : []),
    ...(toSet > 0 ? [words.accountState.toSet(toSet)] : []),
    ...(others > 0 ? [words.accountState.problems(others)] : [])
  ].join(" · ")
}
