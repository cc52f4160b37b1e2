import type { Publication, RequestRecord } from "@carillon/sandbox/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inDatabaseOf, type Stored } from "@carillon/testing/DatabaseOf"

/** A target as the database has it, with its post and its attempts. */
export interface StoredTarget {
  readonly id: string
  readonly post_id: string
  readonly username: string
  readonly caption: string
  readonly due_at: Date
  readonly post_status: string
  readonly state: string
  readonly next_step_at: Date | null
  /** Null: not a thread. */
  readonly item_count: number | null
  /** How many items of its thread are known to be live. */
  readonly live_items: number
  readonly attempts: number
  readonly recorded: number
  /** When each commit was marked, in order. */
  readonly marked: ReadonlyArray<Date>
}

const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<StoredTarget>`
    select t.id, t.post_id, a.username, p.caption, t.due_at, p.status as post_status, t.state, t.next_step_at, t.attempts,
      t.item_count, jsonb_array_length(t.items) as live_items,
      (select count(*)::int from attempts where target_id = t.id) as recorded,
      -- A try that failed before its commit is recorded when it is over, in one moment.
      coalesce((select array_agg(started_at order by started_at) from attempts
        where target_id = t.id and ended_at is distinct from started_at), '{}') as marked
    from targets t join posts p on p.id = t.post_id join social_accounts a on a.id = t.social_account_id`
})

/** All targets of the service's database. */
export const targetsOf = (stored: Stored) => inDatabaseOf(stored)(read)

const terminal = ["published", "failed", "unconfirmed"]

const derived = (targets: ReadonlyArray<StoredTarget>) =>
  targets.some(({ state }) => !terminal.includes(state))
    ? "scheduled"
    : targets.some(({ state, live_items }) => state === "published" || live_items > 0)
      ? "published"
      : "failed"

/** What the platform knows a target's post by, and each item of its thread. */
const referencesOf = ({ id, item_count }: StoredTarget) =>
  Array.from({ length: item_count ?? 1 }, (_, item) => (item === 0 ? id : `${id}-${item}`))

/**
 * The invariants of publishing, by number, with what broke them: the platform's ledger against the database. Nothing
 * is under way any more when they are asked.
 */
export const violations = (
  targets: ReadonlyArray<StoredTarget>,
  publications: ReadonlyArray<Publication>,
  requests: ReadonlyArray<RequestRecord>
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const publicationsOf = Map.groupBy(publications, ({ client_reference }) => client_reference)
  const posts = Map.groupBy(targets, ({ post_id }) => post_id)
  const commitsOf = Map.groupBy(
    requests.filter(({ operation }) => operation === "post"),
    ({ idempotency_key }) => idempotency_key
  )
  const claim = (rule: string, holds: boolean, target: StoredTarget, what: string) => {
    if (!holds) found.push(`${rule}: ${target.caption} (target ${target.id}, ${target.state}): ${what}`)
  }

  for (const target of targets) {
    const references = referencesOf(target)
    const known = target.item_count === null ? Number(target.state === "published") : target.live_items
    references.forEach((reference, item) => {
      const live = publicationsOf.get(reference) ?? []
      const told = `item ${item} of ${references.length}: ${live.length} publications`
      claim("I1", live.length <= 1, target, told)
      const doubted = target.state === "unconfirmed" && item === known
      claim("I3", doubted || item < known === live.length > 0, target, told)
      const [before] = item === 0 ? [] : (publicationsOf.get(references[item - 1]!) ?? [])
      const answers = live.every(({ details }) => (details?.["reply_to"] ?? undefined) === before?.id)
      claim("order", answers, target, `item ${item} does not answer the one before`)
    })
    claim(
      "I2",
      terminal.includes(target.state) || target.next_step_at !== null,
      target,
      "neither over nor with a next step"
    )
    const commits = references.flatMap((reference) => commitsOf.get(reference) ?? [])
    commits.forEach(({ received_at }, index) => {
      const older = target.marked.filter((at) => at.getTime() <= Date.parse(received_at)).length
      claim("I4", older > index, target, `commit ${index + 1} at ${received_at} after ${older} markers`)
    })
    claim(
      "I5",
      // Each item of a thread has its own attempts.
      target.item_count !== null || target.attempts === target.recorded,
      target,
      `${target.attempts} attempts, ${target.recorded} recorded`
    )
    const status = derived(posts.get(target.post_id)!)
    claim("status", target.post_status === status, target, `its post is ${target.post_status}`)
  }
  const known = new Set(targets.flatMap(referencesOf))
  for (const { account, text, client_reference } of publications) {
    if (!known.has(client_reference ?? ""))
      found.push(`I3: ${account} has "${text}", which no target asked for`)
  }
  return found
}

/** Those that are not published, and not in doubt on a platform that cannot be asked either. */
export const unpublished = (targets: ReadonlyArray<StoredTarget>) =>
  targets.filter(
    ({ username, state }) => state !== "published" && !(username.endsWith("-none") && state === "unconfirmed")
  )
