import { PostId, TargetId, TargetState, resultStatus, WaitingFor, WorkspaceId } from "@carillon/domain"
import { PostListRepository } from "@carillon/server/posts/PostListRepository"
import { PostRepository } from "@carillon/server/posts/PostRepository"
import { toPost } from "@carillon/server/posts/PostView"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const Repositories = Layer.mergeAll(PostListRepository.layer, PostRepository.layer).pipe(
  Layer.provideMerge(TestSql.layer)
)

const accounts = ["connected", "resting", "needs_reconnect", "disconnected"] as const
const steps = ["ahead", "put off", "at the platform"] as const
const approvals = [null, "waiting", "refused", "approved"] as const

interface Case {
  readonly state: TargetState
  readonly account: (typeof accounts)[number]
  readonly step: (typeof steps)[number]
  readonly failed: boolean
  readonly fetched: boolean
  readonly approval: (typeof approvals)[number]
}

const product = <A, B>(some: ReadonlyArray<A>, others: ReadonlyArray<B>) =>
  some.flatMap((one) => others.map((other) => ({ ...one, ...other })))

/** Every state of a target, with everything that may hold it up in that state. */
const cases: ReadonlyArray<Case> = TargetState.literals.flatMap((state) => {
  const waits = state === "waiting"
  const plain = { state, step: "ahead", failed: false, fetched: true, approval: null } as const
  const inAccounts = product(
    [plain],
    accounts.map((account) => ({ account }))
  )
  if (state === "draft") {
    return product(
      inAccounts,
      approvals.map((approval) => ({ approval }))
    )
  }
  return product(
    product(
      inAccounts,
      (waits ? steps : (["put off"] as const)).map((step) => ({ step }))
    ),
    product(
      [{ failed: true }, { failed: false }],
      waits ? [{ fetched: true }, { fetched: false }] : [{ fetched: true }]
    )
  )
})

/** The meanings of the words, once more and in another order. */
const expected = ({ state, account, step, failed, fetched, approval }: Case): WaitingFor | null => {
  if (resultStatus(state) !== "waiting") return null
  if (state === "draft") return approval === "waiting" ? "approval" : "person"
  if (account === "needs_reconnect" || account === "disconnected") return "account"
  if (state === "claimed") return null
  if (failed) return fetched ? "retry" : "media"
  if (step === "ahead") return "time"
  if (step === "at the platform") return "media"
  return account === "resting" ? "pause" : null
}

const error = { code: "server_error", class: "transient", message: "No.", action: "wait", retry_at: null }

const stored = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  const later = DateTime.toDateUtc(DateTime.add(now, { minutes: 10 }))
  const workspace_id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  yield* sql`insert into workspaces ${sql.insert({ id: workspace_id, name: "w", created_at: at })}`
  const made = yield* sql<{ id: bigint; username: Case["account"] }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, paused_until, connected_at, created_at)
    select ${workspace_id}, 'sandbox', name, name, case name when 'resting' then 'connected' else name end,
      case name when 'resting' then ${later}::timestamptz end, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${accounts}::text[]) name returning id, username`
  const idOf = new Map(made.map(({ id, username }) => [username, Number(id)]))
  const media = SecureRandom.uuidV7Unsafe()
  yield* sql`insert into media (id, workspace_id, name, mime_type, kind, size_bytes, status, upload_expires_at, created_at)
    values (${media}, ${workspace_id}, 'm', 'image/png', 'image', 1, 'reserved', ${at}, ${at})`
  return {
    workspace_id,
    posts: yield* Effect.forEach(cases, (one) =>
      Effect.gen(function* () {
        const id = PostId.make(SecureRandom.uuidV7Unsafe())
        const account = idOf.get(one.account)!
        const approval =
          one.approval === null
            ? null
            : {
                status: one.approval,
                asked_by: { type: "app", name: "Bell" },
                wants: "now",
                asked_at: at.toISOString(),
                decided_at: null,
                reason: null,
                grant_id: "g",
                queue_timezone: null
              }
        const settled = ["published", "failed", "unconfirmed"].includes(one.state)
        yield* sql`
          insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings,
            approval, created_at, updated_at)
          values (${id}, ${workspace_id}, ${one.state === "draft" ? "draft" : settled ? "failed" : "scheduled"}, 'x',
            array[${account}::bigint], '{}', true, '{}', ${approval === null ? null : sql.json(approval)}::jsonb, ${at}, ${at})`
        yield* sql`
          insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, step, error,
            lead, created_at)
          values (${TargetId.make(SecureRandom.uuidV7Unsafe())}, ${id}, ${workspace_id}, ${account}::bigint, 'sandbox',
            ${one.state}, ${one.state === "draft" ? null : at}::timestamptz,
            ${one.state === "draft" || settled ? null : one.step === "ahead" ? at : later}::timestamptz,
            ${one.step === "at the platform" ? "poll" : "prepare"}, ${one.failed ? sql.json(error) : null}::jsonb, '0 s', ${at})`
        if (!one.fetched) yield* sql`insert into post_media ${sql.insert({ post_id: id, media_id: media })}`
        return { id, of: one }
      })
    )
  }
})

layer(Repositories)("what a result waits for", (it) => {
  it.effect(
    "what a result waits for is said of every state that it can have, and the filter of what is held up finds just those",
    () =>
      Effect.gen(function* () {
        const repository = yield* PostRepository
        const lists = yield* PostListRepository
        const { workspace_id, posts } = yield* stored
        const rows = yield* repository.withTargets(posts.map(({ id }) => id))
        const said = new Map(
          rows.map(({ post, targets }) => [post.id, toPost(post, targets).results[0]!.waiting_for])
        )
        for (const { id, of } of posts) {
          assert.strictEqual(said.get(id), expected(of), JSON.stringify(of))
        }
        assert.deepStrictEqual(new Set(said.values()), new Set([null, ...WaitingFor.literals]))

        const held = posts.filter(({ of }) => ["account", "retry"].includes(expected(of) ?? ""))
        const lost = posts.filter(({ of }) => expected(of) === "account")
        const find = (filter: Parameters<typeof lists.posts>[2]) =>
          Effect.map(
            lists.posts(workspace_id, null, { result: ["waiting"], ...filter }, { limit: 200, offset: 0 }),
            ({ data, total }) => {
              assert.strictEqual(total, data.length)
              return data.map(({ id }) => id).toSorted()
            }
          )
        const ids = (some: typeof posts) => some.map(({ id }) => id).toSorted()
        assert.deepStrictEqual(yield* find({}), ids(held))
        assert.deepStrictEqual(yield* find({ status: ["scheduled"] }), ids(held))
        assert.deepStrictEqual(yield* find({ status: ["draft"] }), [])
        const account = rows.find(({ post }) => post.id === lost[0]!.id)!.post.social_accounts[0]!
        assert.deepStrictEqual(
          yield* find({ social_account_id: [String(account)] }),
          ids(lost.filter(({ of }) => of.account === lost[0]!.of.account))
        )
        // A published target with an error is a thread that broke off.
        const failed = posts.filter(
          ({ of }) => of.state === "failed" || (of.state === "published" && of.failed)
        )
        assert.deepStrictEqual(yield* find({ result: ["waiting", "failed"] }), ids([...held, ...failed]))
      })
  )
})
