import {
  badRequest,
  CurrentActor,
  platformName,
  type PostId,
  problem,
  type ProblemItem,
  resultStatus,
  sees,
  TargetId
} from "@carillon/domain"
import { Context, Effect, Layer, Schema } from "effect"
import { AppConfig } from "../AppConfig.ts"
import type { NewTarget } from "./NewTarget.ts"
import type { PostRow } from "./PostColumns.ts"
import type { TargetRow } from "./TargetColumns.ts"
import { type Origin, RepairRepository, type Standing, type Tie } from "./RepairRepository.ts"

/** What a post is to go out instead of. Its groups are locked, in the transaction that writes the post. */
export interface Repair {
  readonly problems: ReadonlyArray<ProblemItem>
  /** The failure that its request named. */
  readonly named: TargetId | null
  readonly origins: ReadonlyArray<Origin>
  /** Those that the post has already. */
  readonly ties: ReadonlyArray<Tie>
}

/**
 * Posts that go out instead of failed results (docs/decisions/0070-repairs.md). Whatever makes a failed target go out again, or
 * a new one instead of it, first locks its group and finds that nothing else of the group may be live or go out.
 */
export class Repairs extends Context.Service<Repairs>()("@carillon/server/posts/Repairs", {
  make: Effect.gen(function* () {
    const repository = yield* RepairRepository
    const { publicUrl } = yield* AppConfig

    /** Of a new post to these accounts that names a failed result. */
    const begin = Effect.fnUntraced(function* (text: string, accounts: ReadonlyArray<number>) {
      const { workspace_id, social_accounts: access } = yield* CurrentActor
      const id = Schema.is(TargetId)(text) ? text : null
      const origins = id === null ? [] : yield* repository.originsBeside(workspace_id, id)
      const named = origins.find((one) => one.id === id)
      if (named === undefined || !sees(named.social_account_id, access))
        return { problems: [unknown(text)], named: null, origins: [], ties: [] } satisfies Repair
      yield* lockFor(origins, accounts)
      const problems = accounts.includes(named.social_account_id) ? [] : [elsewhere(named)]
      return { problems, named: named.id, origins, ties: [] } satisfies Repair
    })

    /** Of a post that is changed so that it goes to these accounts; null: it is no repair. */
    const again = Effect.fnUntraced(function* (post: PostRow, accounts: ReadonlyArray<number>) {
      if (post.repairs === null) return null
      const { workspace_id } = yield* CurrentActor
      const ties = yield* repository.tiesOf(post.id)
      const named = ties[0]!.target_id
      const origins = yield* repository.originsBeside(workspace_id, named)
      yield* lockFor([...ties, ...origins], accounts)
      return { problems: [], named, origins, ties } satisfies Repair
    })

    const lockFor = (
      groups: ReadonlyArray<Pick<Origin, "social_account_id" | "root_id">>,
      accounts: ReadonlyArray<number>
    ) =>
      repository.lock(
        groups.filter(({ social_account_id: id }) => accounts.includes(id)).map(({ root_id }) => root_id)
      )

    /** Fails where something else of a group may be live or go out. */
    const check = Effect.fnUntraced(function* (ties: ReadonlyArray<Tie>, postId: PostId) {
      const standing = (yield* repository.standing(ties.map(({ root_id }) => root_id))).filter(
        ({ post_id }) => post_id !== postId
      )
      for (const { target_id, root_id, social_account_id } of ties) {
        const group = standing.filter((one) => one.root_id === root_id)
        const self = group.find(({ id }) => id === target_id)
        if (self !== undefined) return yield* problem("result_not_failed", notFailed(self, social_account_id))
        if (group.length > 0) return yield* refusal(target_id, group[0]!)
      }
    })

    /** The same for a post that is written, which then has these ties. */
    const keep = Effect.fnUntraced(function* (ties: ReadonlyArray<Tie>, postId: PostId) {
      if (ties.length === 0) return
      yield* check(ties, postId)
      yield* repository.keep(postId, ties)
    })

    /** Of failed targets whose post is locked, those that another post stands for. */
    const standingFor = Effect.fnUntraced(function* (targets: ReadonlyArray<TargetRow>) {
      const failed = targets.filter(({ state }) => state === "failed").map(({ id }) => id)
      if (failed.length === 0) return new Map<TargetId, Standing>()
      const roots = yield* repository.rootsOf(failed)
      const ids = roots.map(({ root_id }) => root_id)
      yield* repository.lock(ids)
      const standing = yield* repository.standing(ids)
      return new Map(
        roots.flatMap(({ id, root_id }) => {
          const other = standing.find((one) => one.root_id === root_id && one.id !== id)
          return other === undefined ? [] : [[id, other] as const]
        })
      )
    })

    const refusal = (id: TargetId, { id: result, live, post_id, state }: Standing) => {
      const link = `${publicUrl}/app/posts/${post_id}`
      return live
        ? problem(
            "already_repaired",
            `The post result ${id} has been repaired: the post ${post_id} is live on its account, see ${link}. To publish it there once more, create a post without repairs.`,
            { post_ids: [post_id] }
          )
        : state === "published"
          ? problem(
              "already_repaired",
              `The post ${post_id} went out instead of the post result ${id}, and the network rejected it afterwards, see ${link}. To publish something else there, create a post without repairs.`,
              { post_ids: [post_id] }
            )
          : state === "unconfirmed"
            ? problem(
                "repair_in_progress",
                `The post ${post_id} goes out instead of the post result ${id}, and may be live on its account: look there, and confirm the post result ${result} first, see ${link}.`,
                { post_ids: [post_id] }
              )
            : problem(
                "repair_in_progress",
                `The post ${post_id} goes out instead of the post result ${id}, see ${link}. Change, publish or delete that post.`,
                { post_ids: [post_id] }
              )
    }

    return { begin, again, check, keep, standingFor, refusal }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(RepairRepository.layer))
}

/**
 * Which failure each target of a repair stands for. On an account of the post that failed it goes to one destination: the
 * failed one, or another instead that the post has no result for.
 */
export const tiesOf = Effect.fnUntraced(function* (
  { named, origins, ties }: Repair,
  targets: ReadonlyArray<NewTarget>
) {
  const problems: Array<ProblemItem> = []
  const found: Array<Tie> = []
  for (const account of new Set(targets.map((target) => target.social_account_id))) {
    const there = origins.filter(({ social_account_id: id }) => id === account)
    const kept = ties.find(({ social_account_id: id }) => id === account)
    if (kept === undefined && there.length === 0) continue
    const going = targets.filter(({ social_account_id: id }) => id === account)
    const [{ board_id, platform }] = going as unknown as readonly [NewTarget]
    const about = { path: "repairs", code: "invalid_value", account_id: account, platform }
    const name = `${platformName(platform)} (account ${account})`
    if (going.length > 1) {
      problems.push({
        ...about,
        message: `A repair goes to one board of an account, but this post goes to ${going.length} boards of ${name}; name one board there.`
      })
      continue
    }
    const same = there.find((one) => one.board_id === board_id)
    const mended =
      there.find(({ id }) => id === (kept?.target_id ?? named)) ??
      (kept === undefined ? (same ?? (there.length === 1 ? there[0] : undefined)) : undefined)
    if (mended === undefined && kept === undefined) {
      problems.push({
        ...about,
        message: `The post that failed has ${there.length} boards of ${name}; name one of them, or repair each by a post of its own.`
      })
    } else if (same !== undefined && mended !== undefined && same !== mended) {
      problems.push({
        ...about,
        message: `The post that failed has a result of its own, ${same.id}, for the board ${JSON.stringify(board_id)} of ${name}; name the board of ${mended.id}, or one that has none.`
      })
    } else
      found.push(
        kept ?? {
          social_account_id: account,
          target_id: mended!.id,
          root_id: mended!.root_id,
          named: mended!.id === named
        }
      )
  }
  return problems.length === 0 ? found : yield* badRequest(problems)
})

const unknown = (text: string): ProblemItem => ({
  path: "repairs",
  code: "post_result_not_found",
  message: `There is no post result ${JSON.stringify(text)}; give the id of a failed result.`
})

const elsewhere = ({ id, platform, social_account_id }: Origin): ProblemItem => ({
  path: "repairs",
  code: "invalid_value",
  account_id: social_account_id,
  platform,
  message: `The post result ${id} is of ${platformName(platform)} (account ${social_account_id}), which this post does not go to; add the account to social_accounts, or leave repairs out.`
})

const notFailed = ({ id, live, state }: Standing, account: number) =>
  state === "unconfirmed"
    ? `The post result ${id} is unconfirmed: the post may be live on the account ${account}. Look there, and confirm it first; if it is not live, it can be repaired then.`
    : `The post result ${id} of the account ${account} is ${resultStatus(state)}, and a repair goes only where the post failed; leave the account out.${
        live ? " What is missing of a thread is sent by a retry of its post." : ""
      }`
