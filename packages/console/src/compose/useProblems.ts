import type { Media, ProblemItem } from "@carillon/sdk"
import { useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from "react"
import type { Account } from "../data/accounts.ts"
import { carillon, workspace } from "../data/api.ts"
import { useInstance } from "../data/instance.ts"
import { type Form, toRequest } from "./Form.ts"
import { joined, onlyThere, type Placed, placeOf } from "./problems.ts"
import { refusedItems } from "./refusedItems.ts"
import { useRules } from "./useRules.ts"
import { useUnchanged } from "./useUnchanged.ts"

const zone = workspace.timezone

const pause = 500

const own = (path: string, code: string): ProblemItem => ({ path, code, message: "" })

/** The problems of a form that no request can have. */
const ofForm = (form: Form, isPast: boolean): ReadonlyArray<ProblemItem> => [
  ...(form.accounts.length === 0 ? [own("social_accounts", "no_account")] : []),
  ...(form.when.kind === "at" && form.when.value === "" ? [own("scheduled_at", "time_required")] : []),
  ...(isPast ? [own("scheduled_at", "scheduled_at_past")] : [])
]

interface Answer {
  /** What platforms charge for the post, in millionths of a US dollar. */
  readonly cost: number
  /** What only the service found. */
  readonly more: ReadonlyArray<ProblemItem>
  /** When it answered; null: it could not be reached. */
  readonly at: Date | null
}

/** What the service finds in a request; null: it could not be reached. */
const askService = async (form: Form, signal: AbortSignal) => {
  try {
    const { estimated_cost: cost } = await carillon.posts.validate(toRequest(form, zone), { signal })
    return { cost, problems: [] }
  } catch (error) {
    const problems = refusedItems(error)
    return problems.length > 0 ? { cost: 0, problems } : null
  }
}

interface Checked {
  readonly form: Form
  /** The form without what the stored post keeps, such as its time. */
  readonly checked: Form
  readonly accounts: ReadonlyArray<Account>
  readonly media: ReadonlyMap<string, Media>
  readonly isPast: boolean
}

/** All problems of the post: those of the rules at once, those that only the service knows soon after. */
export const useProblems = ({ accounts, checked, form, isPast, media }: Checked) => {
  const instance = useInstance()
  const rules = useRules()
  const seen = useDeferredValue(form)
  const findIn = useCallback(
    (written: Form) => [
      ...ofForm(written, isPast),
      ...(written.accounts.length === 0 || instance === undefined || rules === undefined
        ? []
        : rules.ruleProblems(written, accounts, media, instance))
    ],
    [accounts, media, instance, isPast, rules]
  )
  const here = useMemo(() => findIn(seen), [findIn, seen])
  const [answer, setAnswer] = useState<Answer | null>(null)
  const findHere = () => findIn(form)
  const take = (cost: number, found: ReadonlyArray<ProblemItem>, at: Date | null) =>
    setAnswer({ cost, more: onlyThere(findHere(), found), at })
  const body = JSON.stringify(toRequest(checked, zone))
  const hasAccounts = form.accounts.length > 0

  const check = useEffectEvent(async (signal: AbortSignal) => {
    const there = await askService(checked, signal)
    if (!signal.aborted) take(there?.cost ?? 0, there?.problems ?? [], there && new Date())
  })
  useEffect(() => {
    if (!hasAccounts) return
    const given = new AbortController()
    const timer = setTimeout(() => void check(given.signal), pause)
    return () => {
      clearTimeout(timer)
      given.abort()
    }
    // The body says everything that the answer depends on, besides the files.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [body, media, hasAccounts])

  const answered = hasAccounts ? answer : null
  return {
    problems: useUnchanged(
      useMemo((): ReadonlyArray<Placed> => {
        const request = toRequest(seen, zone)
        return joined(here, answered?.more ?? []).map((item) => ({ item, place: placeOf(item, request) }))
      }, [here, answered, seen])
    ),
    checkedAt: answered?.at,
    cost: answered?.cost ?? 0,
    findHere,
    /** Lists what the service refused a post for. */
    takeRefusal: (found: ReadonlyArray<ProblemItem>) => take(0, found, new Date())
  }
}
