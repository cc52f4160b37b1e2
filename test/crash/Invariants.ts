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
  readonly attempts: number
  readonly recorded: number
  /** When each commit was marked, in order. */
  readonly marked: ReadonlyArray<Date>
}

const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<StoredTarget>`
    select t.id, t.post_id, a.username, p.caption, t.due_at, p.status as post_status, t.state, t.next_step_at, t.attempts,
      (select count(*)::int from attempts where target_id = t.id) as recorded,
      -- A try that failed before its commit is recorded when it is over, in one moment.
      coalesce((select array_agg(started_at order by started_at) from attempts
        where target_id = t.id and ended_at is distinct from started_at), '{}') as marked
    from targets t join posts p on p.id = t.post_id join social_accounts a on a.id = t.social_account_id`
})

/** All targets of the service's database. */
export const targetsOf = (stored: Stored) => inDatabaseOf(stored)(read)

const terminal = ["published", "failed", "unconfirmed"]

const derived = (states: ReadonlyArray<string>) =>
  states.some((state) => !terminal.includes(state))
    ? "scheduled"
    : states.includes("published")
      ? "published"
      : "failed"

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
    const live = publicationsOf.get(target.id)?.length ?? 0
    claim("I1", live <= 1, target, `${live} publications`)
    claim(
      "I2",
      terminal.includes(target.state) || target.next_step_at !== null,
      target,
      "neither over nor with a next step"
    )
    claim(
      "I3",
      target.state === "unconfirmed" || (target.state === "published") === live > 0,
      target,
      `${live} publications`
    )
    commitsOf.get(target.id)?.forEach(({ received_at }, index) => {
      const older = target.marked.filter((at) => at.getTime() <= Date.parse(received_at)).length
      claim("I4", older > index, target, `commit ${index + 1} at ${received_at} after ${older} markers`)
    })
    claim(
      "I5",
      target.attempts === target.recorded,
      target,
      `${target.attempts} attempts, ${target.recorded} recorded`
    )
    const states = posts.get(target.post_id)!.map(({ state }) => state)
    claim("status", target.post_status === derived(states), target, `its post is ${target.post_status}`)
  }
  const known = new Set(targets.map(({ id }) => id))
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
