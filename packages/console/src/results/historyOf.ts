import type { Attempt, Post, ResultStatus } from "@carillon/sdk"

export interface HistoryEntry {
  readonly key: string
  readonly at: string
  readonly what: "made" | "asked" | "approved" | "refused" | "due" | ResultStatus
  /** Who asked for approval or decided; null if unknown. */
  readonly by?: string | null
  /** The id of the result. */
  readonly result?: string
  readonly account?: number
  readonly platform?: string
  readonly message?: string | null
  readonly sent?: boolean
}

/** What happened to a post, newest first. */
export const historyOf = (
  post: Pick<Post, "created_at" | "scheduled_at" | "results" | "approval">,
  logs: ReadonlyMap<string, ReadonlyArray<Attempt>>,
  now: number
): ReadonlyArray<HistoryEntry> => {
  const { approval, created_at, results, scheduled_at } = post
  const tries = results.flatMap(({ id, platform, social_account_id }) =>
    (logs.get(id) ?? []).map(({ at, message, outcome, step }, index): HistoryEntry => ({
      key: `${id}-${index}`,
      at,
      what: outcome,
      result: id,
      account: social_account_id,
      platform,
      message,
      sent: step === "publish"
    }))
  )
  const due: ReadonlyArray<HistoryEntry> =
    scheduled_at !== null && Date.parse(scheduled_at) <= now
      ? [{ key: "due", at: scheduled_at, what: "due" }]
      : []
  const asked: ReadonlyArray<HistoryEntry> =
    approval === undefined
      ? []
      : [{ key: "asked", at: approval.asked_at, what: "asked", by: approval.asked_by.name }]
  const decided: ReadonlyArray<HistoryEntry> =
    approval === undefined || approval.status === "waiting" || approval.decided_at === null
      ? []
      : [
          {
            key: "decided",
            at: approval.decided_at,
            what: approval.status,
            by: approval.decided_by?.name ?? null
          }
        ]
  return [{ key: "made", at: created_at, what: "made" } as const, ...asked, ...decided, ...due, ...tries]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .toReversed()
}
