import {
  type Access,
  type Page,
  type PostResultFilter,
  statesListed,
  TargetState,
  toPostId,
  type WorkspaceId
} from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { countedAlone, countedPage, countedTogether } from "../sql/CountedPage.ts"
import { listFragments } from "../sql/ListFragments.ts"
import { TargetRow, targetColumns } from "./TargetColumns.ts"
import { accountsAsked, emptyPage, markedWithin, mostArms, targetFilters } from "./TargetFilters.ts"

const decodeTargets = Schema.decodeUnknownEffect(Schema.Array(TargetRow))

/** These states share the stage `open`, so moving between them touches no index. Of them only `committing` is shown as `publishing`. */
const passing: ReadonlySet<TargetState> = new Set(["waiting", "claimed", "committing"])
const stages = ["open", ...TargetState.literals.filter((state) => !passing.has(state))]

/** The list of results, that is of targets. Its filters are as those of `PostListRepository`. */
export class PostResultListRepository extends Context.Service<PostResultListRepository>()(
  "@carillon/server/posts/PostResultListRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { merged, slice, reach, counted } = listFragments(sql)
      const { wentWrong, repaired, ofAccount, ofPlatform } = targetFilters(sql)

      /**
       * Conditions for targets in these states, one index each. In the stage `open` are those that are shown as waiting and
       * those that commit. The few that commit are found among those that are due.
       */
      const ofStates = (
        workspaceId: WorkspaceId,
        states: ReadonlyArray<TargetState>,
        now: DateTime.Utc
      ): ReadonlyArray<Statement.Fragment> => {
        const held = sql`
          select h.id from targets h where num_nulls(h.next_step_at) = 0 and h.workspace_id = ${workspaceId}
            and coalesce(h.next_step_at, 'infinity') <= ${DateTime.toDateUtc(DateTime.addDuration(now, markedWithin))}
            and h.state = 'committing'`
        const waiting = states.includes("waiting")
        const committing = states.includes("committing")
        return [
          ...states.filter((state) => !passing.has(state)).map((state) => sql`t.stage = ${state}`),
          ...(states.includes("failed") && !states.includes("published") ? wentWrong : []),
          ...(waiting && committing ? [sql`t.stage = 'open'`] : []),
          ...(waiting && !committing ? [sql`t.stage = 'open' and t.id not in (${held})`] : []),
          ...(committing && !waiting ? [sql`t.stage = 'open' and t.id = any(array(${held}))`] : [])
        ]
      }

      const results = Effect.fn("PostResultListRepository.results")(function* (
        workspaceId: WorkspaceId,
        access: Access,
        filter: PostResultFilter,
        page: Page
      ) {
        const { platform, status } = filter
        const posts = filter.post_id?.flatMap((text) => toPostId(text) ?? [])
        const accounts = accountsAsked(filter, access)
        if (accounts?.length === 0 || posts?.length === 0) return emptyPage
        const seen = sql.and([
          accounts === undefined ? sql`true` : ofAccount(accounts),
          ...(filter.dismissed === undefined
            ? []
            : [
                sql`exists (select 1 from dismissed_results d where d.target_id = t.id and d.fence = t.fence)
                  = ${filter.dismissed}${filter.dismissed ? sql`` : sql` and not ${repaired}`}`
              ])
        ])
        const states = statesListed(status)
        const arm = (condition: Statement.Fragment) => sql`
          select t.id, t.post_id from targets t where t.workspace_id = ${workspaceId} and ${condition} and ${seen}`
        const inStates = states && ofStates(workspaceId, states, yield* DateTime.now)
        const source =
          posts !== undefined
            ? [
                arm(
                  sql`t.post_id = any(${posts}::uuid[]) and ${inStates ? sql.or(inStates) : sql`true`}
                  and ${platform ? sql`t.platform = any(${platform}::text[])` : sql`true`}`
                )
              ]
            : accounts !== undefined && accounts.length <= mostArms
              ? accounts.map((id) =>
                  arm(
                    sql`${ofAccount([id])} and ${platform ? ofPlatform(platform) : sql`true`}
                    and ${inStates ? sql.or(inStates) : sql`true`}`
                  )
                )
              : platform
                ? platform.map((name) =>
                    arm(sql`t.platform = ${name} and ${inStates ? sql.or(inStates) : sql`true`}`)
                  )
                : (inStates ?? stages.map((stage) => sql`t.stage = ${stage}`)).map(arm)
        const found = (atMost: number) =>
          sql`(${merged(source, sql`order by t.post_id desc, t.id desc`, atMost)}) k`
        const countedTo = (platform ?? accounts) && states ? countedTogether : countedAlone
        const rows = yield* counted(
          found,
          countedTo,
          sql`select ${sql.literal(targetColumns)}
          from (select k.id from ${found(reach(page))} order by k.post_id desc, k.id desc ${slice(page)}) k
          join targets t on t.id = k.id order by t.post_id desc, t.id desc`
        )
        const targets = yield* decodeTargets(rows.filter(({ id }) => id !== null))
        return countedPage(page, targets, Number(rows[0]!["counted"]), countedTo)
      })

      return {
        results: (...args: Parameters<typeof results>) => Effect.orDie(results(...args))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
