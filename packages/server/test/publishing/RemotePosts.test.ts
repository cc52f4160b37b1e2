import { type RemoteOwner, RemotePosts } from "@carillon/server/engine/RemotePosts"
import { TargetQueue } from "@carillon/server/engine/TargetQueue"
import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import type { TargetState } from "@carillon/domain"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { PlainAccounts } from "../accounts/PlainAccounts.ts"

const noon = Date.parse("2026-11-21T12:00:00Z")
const minutes = (count: number) => new Date(noon + count * 60_000)
const newId = () => SecureRandom.uuidV7Unsafe()

/** A workspace that has connected this account of Mastodon. */
const connected = Effect.fnUntraced(function* (remote_id: string) {
  const sql = yield* PgClient.PgClient
  const workspace = newId()
  yield* sql`insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: minutes(0) })}`
  const [row] = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    values (${workspace}, 'mastodon', ${remote_id}, 'demo', 'connected', ${minutes(0)}, ${minutes(0)}) returning id`
  return { workspace, account: row!.id }
})

/** A target of it with a post of its own. */
const target = Effect.fnUntraced(function* (
  { account, workspace }: Effect.Success<ReturnType<typeof connected>>,
  state: TargetState,
  caption: string,
  due = -1
) {
  const sql = yield* PgClient.PgClient
  const [post, id] = [newId(), newId()]
  yield* sql`
    insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings, created_at, updated_at)
    values (${post}, ${workspace}, 'scheduled', ${caption}, ${[account]}::bigint[], '{}', true, '{}', ${minutes(0)}, ${minutes(0)})`
  const open = !["unconfirmed", "published", "draft"].includes(state)
  yield* sql`
    insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, marked_at, lead, created_at)
    values (${id}, ${post}, ${workspace}, ${account}, 'mastodon', ${state}, ${minutes(due)},
      ${open ? minutes(due) : null}::timestamptz, ${state === "waiting" ? null : minutes(due)}::timestamptz, '0', ${minutes(0)})`
  return id
})

const ownerOf = (account: string, owner: string): RemoteOwner => ({ platform: "mastodon", account, owner })

const Engine = EngineLayer.pipe(
  Layer.provide(PlainAccounts),
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(TestConfig.layer),
  Layer.provide(Layer.effectDiscard(TestClock.setTime(noon)))
)

layer(Engine)("the posts on a platform", (it) => {
  it.effect("belong to one target each, whoever finds them at the same moment in whichever workspace", () =>
    Effect.gen(function* () {
      const posts = yield* RemotePosts
      const name = `compatible/${newId()}`
      const workspaces = [yield* connected(name), yield* connected(name)]
      const ids = yield* Effect.forEach(workspaces.concat(workspaces), (one) =>
        target(one, "unknown", "Bells")
      )
      const take = (id: string, remote_id: string, fence = 0) =>
        posts.take({ ...ownerOf(name, id), id, fence, remote_id })
      const taken = yield* Effect.forEach(ids, (id) => take(id, "100"), { concurrency: "unbounded" })
      assert.lengthOf(taken.filter(Boolean), 1)
      const winner = ids[taken.indexOf(true)]!
      const loser = ids[taken.indexOf(false)]!
      assert.isTrue(yield* take(winner, "100"))
      assert.isFalse(yield* take(loser, "100"))
      // A claim that is over takes nothing.
      assert.isFalse(yield* take(loser, "101", 7))
      assert.isTrue(
        yield* take(
          ids.find((id) => id !== winner && id !== loser)!,
          "101"
        )
      )
      // Another account has numbers of its own.
      assert.deepStrictEqual(yield* posts.ofOthers(ownerOf("compatible/other", loser), ["100"]), new Set())
      assert.deepStrictEqual(
        yield* posts.ofOthers(ownerOf(name, loser), ["100", "101", "102"]),
        new Set(["100", "101"])
      )
      // Whoever has one already is looking for no other.
      assert.deepStrictEqual(
        yield* posts.ofOthers(ownerOf(name, winner), ["102", "101", "100"]),
        new Set(["101", "102"])
      )
    })
  )

  it.effect(
    "the posts on a platform are those of items of a thread, and what a person names by its address",
    () =>
      Effect.gen(function* () {
        const posts = yield* RemotePosts
        const name = `compatible/${newId()}`
        const one = yield* connected(name)
        const id = yield* target(one, "unknown", "Bells")
        assert.isTrue(yield* posts.take({ ...ownerOf(name, id), id, fence: 0, remote_id: "1" }))
        assert.deepStrictEqual(yield* posts.ofOthers(ownerOf(name, `${id}-1`), ["1"]), new Set(["1"]))
        const address = "https://social.example/@demo/2/?a=b"
        yield* posts.seenAt(Number(one.account), address, `${id}-1`)
        // What is known already stays whose it is.
        yield* posts.seenAt(Number(one.account), "https://social.example/@demo/1", `${id}-2`)
        assert.deepStrictEqual(
          yield* posts.ofOthers(ownerOf(name, "another"), ["1", "2", address, "3"]),
          new Set(["1", "2", address])
        )
      })
  )

  it.effect(
    "a post on a platform may come of commits that are under way, lost, or left to a person with the same words",
    () =>
      Effect.gen(function* () {
        const posts = yield* RemotePosts
        const queue = yield* TargetQueue
        const name = `compatible/${newId()}`
        const here = yield* connected(name)
        const own = yield* target(here, "unknown", "Bells")
        const claimed = (yield* queue.claim).find(({ id }) => id === own)!
        assert.deepStrictEqual(yield* posts.doubtful(claimed), [])
        const elsewhere = yield* connected(name)
        const another = yield* connected(`compatible/${newId()}`)
        yield* target(here, "committing", "Owls", 0)
        yield* target(elsewhere, "unknown", "Owls", -3)
        yield* target(elsewhere, "unconfirmed", "Bells", -5)
        // Of other words, of another time, of another account; not begun, and known.
        yield* target(elsewhere, "unconfirmed", "Owls", -5)
        yield* target(here, "unconfirmed", "Bells", -12)
        yield* target(another, "unknown", "Bells")
        yield* target(here, "waiting", "Bells", 0)
        yield* target(here, "published", "Bells", -1)
        const found = yield* posts.doubtful(claimed)
        assert.deepStrictEqual(
          found.map(({ due_at, state }) => [state, (due_at.epochMilliseconds - noon) / 60_000]).sort(),
          [
            ["committing", 0],
            ["unconfirmed", -5],
            ["unknown", -3]
          ]
        )
      })
  )
})
