import { type PlatformId, preflight, type PreflightAccount, type PreflightMedia } from "@carillon/domain"
import {
  CarillonError,
  ConflictError,
  InvalidRequestError,
  type Media,
  type ProblemItem
} from "@carillon/sdk"
import { useDeferredValue, useEffect, useMemo, useState } from "react"
import type { Account } from "../data/accounts.ts"
import { carillon } from "../data/api.ts"
import { useInstance } from "../data/instance.ts"
import { type Form, toRequest } from "./Form.ts"
import { contentOf } from "./levels.ts"
import { joined, onlyThere, type Placed, placeOf } from "./problems.ts"
import { useUnchanged } from "./useUnchanged.ts"

const pause = 500

const own = (path: string, code: string): ProblemItem => ({ path, code, message: "" })

/** What the rules of the domain find, and what a form can lack that a request cannot. */
const foundHere = (
  form: Form,
  accounts: ReadonlyArray<Account>,
  media: ReadonlyMap<string, Media>,
  instance: ReturnType<typeof useInstance>,
  isPast: boolean
): ReadonlyArray<ProblemItem> => [
  ...(form.accounts.length === 0 ? [own("social_accounts", "no_account")] : []),
  ...(form.when.kind === "at" && form.when.value === "" ? [own("scheduled_at", "time_required")] : []),
  ...(isPast ? [own("scheduled_at", "scheduled_at_past")] : []),
  ...(form.accounts.length === 0 || instance === undefined
    ? []
    : (
        preflight({
          content: contentOf(form),
          social_accounts: form.accounts,
          accounts: accounts as ReadonlyArray<PreflightAccount>,
          media: [...media.values()] as ReadonlyArray<PreflightMedia>,
          processing_enabled: form.processing,
          video_transcoding: instance.video_transcoding,
          public_url: { url: instance.public_url, closed_to: instance.closed_to as ReadonlyArray<PlatformId> }
        }) as ReadonlyArray<ProblemItem>
      )
        // A file that is still being read here is not missing. The service knows those that are.
        .filter(({ code }) => code !== "media_not_found"))
]

interface Answer {
  /** What platforms charge for the post, in millionths of a US dollar. */
  readonly cost: number
  /** What only the service found. */
  readonly more: ReadonlyArray<ProblemItem>
  /** When it answered; null: it could not be asked. */
  readonly at: Date | null
}

/** What the service says of a request, or null where it could not be asked. */
const askService = async (form: Form, zone: string, signal?: AbortSignal) => {
  try {
    const { estimated_cost: cost } = await carillon.posts.validate(toRequest(form, zone), { signal })
    return { cost, problems: [] }
  } catch (error) {
    if (error instanceof InvalidRequestError || error instanceof ConflictError)
      return {
        cost: 0,
        problems:
          error.errors.length > 0
            ? error.errors
            : [{ path: "use_queue", code: error.code, message: error.message }]
      }
    if (error instanceof CarillonError) return null
    throw error
  }
}

interface Asked {
  readonly form: Form
  /** The form without what the post has already and keeps, such as its time. */
  readonly checked: Form
  readonly accounts: ReadonlyArray<Account>
  readonly media: ReadonlyMap<string, Media>
  readonly zone: string
  readonly isPast: boolean
}

/** All problems of the post: at once those that the rules find here, and soon after those that only the service can know. */
export const useProblems = ({ accounts, checked, form, isPast, media, zone }: Asked) => {
  const instance = useInstance()
  const seen = useDeferredValue(form)
  const here = useMemo(
    () => foundHere(seen, accounts, media, instance, isPast),
    [seen, accounts, media, instance, isPast]
  )
  const [answer, setAnswer] = useState<Answer | null>(null)
  const take = (there: Awaited<ReturnType<typeof askService>>, known: ReadonlyArray<ProblemItem>) =>
    setAnswer({
      cost: there?.cost ?? 0,
      more: onlyThere(known, there?.problems ?? []),
      at: there === null ? null : new Date()
    })
  const body = JSON.stringify(toRequest(checked, zone))

  useEffect(() => {
    if (form.accounts.length === 0) return setAnswer(null)
    const given = new AbortController()
    const timer = setTimeout(async () => {
      const there = await askService(checked, zone, given.signal).catch(() => undefined)
      if (there === undefined || given.signal.aborted) return
      take(there, foundHere(form, accounts, media, instance, isPast))
    }, pause)
    return () => {
      clearTimeout(timer)
      given.abort()
    }
    // The body says everything that the answer depends on, besides the files.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [body, media, zone])

  return {
    problems: useUnchanged(
      useMemo((): ReadonlyArray<Placed> => {
        const request = toRequest(seen, zone)
        return joined(here, answer?.more ?? []).map((item) => ({ item, place: placeOf(item, request) }))
      }, [here, answer, seen, zone])
    ),
    checkedAt: answer?.at,
    cost: answer?.cost ?? 0,
    /** Asks everything once more, for the form as it is now. */
    askAgain: async (): Promise<ReadonlyArray<ProblemItem>> => {
      const now = foundHere(form, accounts, media, instance, isPast)
      if (form.accounts.length === 0) return now
      const there = await askService(checked, zone)
      take(there, now)
      return joined(now, there?.problems ?? [])
    }
  }
}
