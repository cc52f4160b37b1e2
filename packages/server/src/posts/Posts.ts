import {
  BadRequest,
  type Conflict,
  type ContentTooLarge,
  type CreatePost,
  CurrentActor,
  type Forbidden,
  type Found,
  mediaIdsOf,
  type NotFound,
  type Page,
  periodOf,
  Post,
  type PostFilter,
  type PostId,
  type PostSummary,
  type PostValid,
  type PreconditionFailed,
  type ProblemItem,
  type UpdatePost
} from "@carillon/domain"
import { Context, Data, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Audit } from "../audit/Audit.ts"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { type Answer, Idempotency, type KeyedRequest, keyTaken } from "../http/Idempotency.ts"
import { Imports } from "../media/imports/Imports.ts"
import { longestSleep } from "../publishing/Scheduler.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { approving, decided, isRequested } from "./ApprovalHold.ts"
import { type NewPost, NewPostRepository, type Written } from "./NewPostRepository.ts"
import { PostAccess } from "./PostAccess.ts"
import { PostEvents } from "./PostEvents.ts"
import { PostListRepository } from "./PostListRepository.ts"
import { type ParsedRequest, PostPlan } from "./PostPlan.ts"
import type { ContentRow } from "./PostColumns.ts"
import { PostRepository } from "./PostRepository.ts"
import { insertedTarget } from "./PostTargets.ts"
import type { PostChange } from "./PostTimes.ts"
import { type Versioned, versioned, withDraftProblems } from "./PostVersion.ts"
import { toSummary } from "./PostView.ts"
import { Repairs, tiesOf } from "./Repairs.ts"
import { seenPost } from "./SeenPost.ts"

/** A new post, with its body as clients get it. */
export interface Created extends Versioned {
  readonly encoded: typeof Post.Encoded
}

/** The idempotency key of a create, and the answer to be given again to the same request. */
export interface KeyedCreate {
  readonly key: KeyedRequest
  readonly answerOf: (created: Created) => Answer
}

/** The statement of a new post wrote nothing: its key is taken, or an account is not as it was cached. */
class NotWritten extends Data.TaggedError("NotWritten") {}

export class Posts extends Context.Service<
  Posts,
  {
    /** The post and the answer for its key are one statement. If the key is taken, nothing is written (`keyTaken`). */
    create(
      request: CreatePost,
      keyed?: KeyedCreate | null
    ): Effect.Effect<Created, BadRequest | Forbidden | Conflict | ContentTooLarge, CurrentActor>
    get(id: string): Effect.Effect<Versioned, NotFound, CurrentActor>
    /** The contents of posts that a list named. */
    contents(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<ContentRow>, never, CurrentActor>
    list(filter: PostFilter, page: Page): Effect.Effect<Found<PostSummary>, never, CurrentActor>
    update(
      id: string,
      changes: PostChange,
      ifMatch: string | undefined
    ): Effect.Effect<
      Versioned,
      BadRequest | Forbidden | NotFound | Conflict | PreconditionFailed | ContentTooLarge,
      CurrentActor
    >
    validate(
      request: CreatePost
    ): Effect.Effect<PostValid, BadRequest | Forbidden | Conflict | ContentTooLarge, CurrentActor>
    /** When the post of a request that is refused would go out, as far as that can be told, and what its time warns of. */
    timeOf(
      request: CreatePost
    ): Effect.Effect<Pick<PostValid, "scheduled_at" | "warnings">, never, CurrentActor>
    /** Problems of the fields that could be decoded, when others could not. `inFull`: as `validate` checks. */
    problemsOf(
      request: CreatePost,
      inFull: boolean
    ): Effect.Effect<ReadonlyArray<ProblemItem>, never, CurrentActor>
    problemsOfChange(
      id: string,
      changes: UpdatePost
    ): Effect.Effect<ReadonlyArray<ProblemItem>, never, CurrentActor>
    delete(
      id: string,
      ifMatch: string | undefined
    ): Effect.Effect<PostId, Forbidden | NotFound | Conflict | PreconditionFailed, CurrentActor>
  }
>()("@carillon/server/posts/Posts") {
  static readonly layer = Layer.effect(
    Posts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const access = yield* PostAccess
      const plans = yield* PostPlan
      const repairs = yield* Repairs
      const repository = yield* PostRepository
      const newPosts = yield* NewPostRepository
      const lists = yield* PostListRepository
      const accounts = yield* SocialAccounts
      const fetches = yield* Imports
      const wakeup = yield* Wakeup
      const events = yield* PostEvents
      const idempotency = yield* Idempotency
      const audit = yield* Audit

      const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.catchIf(sql.withTransaction(effect), SqlError.isSqlError, Effect.die)

      /** A new post with what it repairs, whose rows are locked then. */
      const planNew = Effect.fnUntraced(function* (
        parsed: ParsedRequest,
        repaired: string | null,
        known: ReadonlyArray<SocialAccountRow> | null,
        inFull = false
      ) {
        if (repaired === null) return { ...(yield* plans.create(parsed, known, inFull)), ties: [] }
        const repair = yield* repairs.begin(repaired, parsed.content.social_accounts)
        const problems = [...parsed.problems, ...repair.problems]
        const planned = yield* plans.create({ ...parsed, problems }, known, inFull)
        const ties = yield* tiesOf(repair, planned.targets)
        return { ...planned, row: { ...planned.row, repairs: ties }, ties }
      })

      const create = Effect.fnUntraced(function* (request: CreatePost, keyed: KeyedCreate | null = null) {
        const { workspace_id } = yield* CurrentActor
        const parsed = yield* plans.parseRequest(request)
        const insert = Effect.fnUntraced(function* (
          write: (post: NewPost) => Effect.Effect<Written | null>,
          cachedAccounts: ReadonlyArray<SocialAccountRow> | null
        ) {
          const { row, targets, mediaIds, imports, problems, ties } = yield* planNew(
            parsed,
            request.repairs ?? null,
            cachedAccounts
          )
          if (imports.length > 0) yield* fetches.start(imports)
          const { post, etag } = withDraftProblems(
            versioned(
              row,
              targets.map((target) => insertedTarget(row, target))
            ),
            problems
          )
          const created: Created = { post, etag, encoded: encodePost(post) }
          const written = yield* write({
            workspace_id,
            row,
            targets,
            media: mediaIds,
            cachedAccounts: cachedAccounts ?? [],
            record: keyed && idempotency.recordOf(keyed.key, keyed.answerOf(created), row.created_at),
            post: created.encoded
          })
          // A failure, so that a transaction takes back what was written before.
          if (written === null) return yield* new NotWritten()
          // After the key: the same request again is no second repair.
          yield* repairs.keep(ties, row.id)
          yield* Effect.logDebug("post created", { post: row.id })
          // The scheduler looks by itself before any later step.
          const soon = DateTime.addDuration(row.created_at, longestSleep)
          if (targets.some(({ next_step_at: at }) => at !== null && DateTime.isLessThanOrEqualTo(at, soon)))
            yield* wakeup.notify
          return written.warnings.length === 0 ? created : withWarnings(created, written)
        })
        const known = accounts.findCached(workspace_id, parsed.content.social_accounts)
        // Media, a slot, a failure and a budget have to stay as they were found until the post is written. Without them one
        // statement is enough.
        const locks =
          plans.mayPassBudget(known) ||
          parsed.when._tag === "queue" ||
          mediaIdsOf(parsed.content).length > 0 ||
          (request.repairs ?? null) !== null
        const afresh = locks
          ? transaction(insert(newPosts.insert, null))
          : insert(newPosts.insertTogether, null)
        const cached = locks ? null : known
        // Cached accounts save a query. If one has changed since, the plan may be refused or not be written: read them and
        // plan again. After that, NotWritten means that the key is taken.
        const inserted =
          cached === null
            ? afresh
            : Effect.catchTag(
                insert(newPosts.insertTogether, cached),
                ["BadRequest", "NotWritten"],
                () => afresh
              )
        return yield* inserted.pipe(
          Effect.catchTag("NotWritten", () => Effect.fail(keyTaken(keyed!.key))),
          plans.listingDestinations
        )
      })

      const validate = Effect.fn("Posts.validate")(function* (request: CreatePost, inFull = true) {
        const parsed = yield* plans.parseRequest(request)
        const { cost, row } = yield* planNew(parsed, request.repairs ?? null, null, inFull).pipe(
          Effect.tap(({ ties, row }) => repairs.check(ties, row.id)),
          transaction,
          plans.listingDestinations
        )
        return {
          valid: true as const,
          // The jitter of a slot is only decided when the post is made.
          scheduled_at: row.queue_slot ?? row.scheduled_at,
          warnings: row.warnings,
          estimated_cost: cost
        }
      })

      const get = Effect.fn("Posts.get")(function* (text: string) {
        const { social_accounts } = yield* CurrentActor
        const row = yield* access.find(text)
        const found = versioned(row, yield* repository.targetsOf(row.id), social_accounts)
        return found.post.is_draft
          ? withDraftProblems(found, yield* plans.problemsOfDraft(found.post))
          : found
      })

      const list = Effect.fnUntraced(function* (
        { from, to, created_from, created_to, ...filter }: PostFilter,
        page: Page
      ) {
        const { workspace_id, social_accounts, timezone } = yield* CurrentActor
        const zone = DateTime.zoneMakeNamedUnsafe(timezone)
        const asked = {
          ...filter,
          ...(from || to ? { dated: periodOf(from, to, zone) } : {}),
          ...(created_from || created_to ? { made: periodOf(created_from, created_to, zone) } : {})
        }
        const { data, ...rest } = yield* lists.posts(workspace_id, social_accounts, asked, page)
        return {
          data: data.map(
            ({
              progress,
              lost,
              excerpt,
              seen_platforms: platforms,
              seen_published_at: published_at,
              ...row
            }) => ({
              ...toSummary(
                seenPost(row, social_accounts, { progress, platforms, published_at }),
                progress,
                lost
              ),
              excerpt
            })
          ),
          ...rest
        }
      })

      const destinationsAfter = (text: string, asked: UpdatePost) =>
        Effect.flatMap(access.find(text), (before) => plans.destinationsAfter(before, asked))

      /** The locked post, and when it goes out if the change approves it. */
      const lockForChange = Effect.fnUntraced(function* (
        text: string,
        { approve, ...changes }: PostChange,
        ifMatch: string | undefined
      ) {
        if (approve === undefined) return { before: yield* access.lockEditable(text, ifMatch), changes }
        const before = yield* access.lockWaiting(text, ifMatch)
        const { timezone } = yield* CurrentActor
        const time = yield* approving(before, before.approval, approve, timezone)
        return { before, changes: { ...changes, ...time } }
      })

      const update = Effect.fn("Posts.update")(function* (
        text: string,
        asked: PostChange,
        ifMatch: string | undefined
      ) {
        const { workspace_id } = yield* CurrentActor
        const destinations = yield* destinationsAfter(text, asked)
        return yield* Effect.gen(function* () {
          const { before, changes } = yield* lockForChange(text, asked, ifMatch)
          const repair = yield* repairs.again(before, changes.social_accounts ?? before.social_accounts)
          const planned = yield* plans.update(before, changes, destinations)
          const { targets, mediaIds, imports, problems } = planned
          const ties = repair === null ? null : yield* tiesOf(repair, targets)
          const row = ties === null ? planned.row : { ...planned.row, repairs: ties }
          yield* fetches.start(imports)
          const isTold = yield* repository.update(workspace_id, row, targets, mediaIds)
          yield* repairs.keep(ties ?? [], row.id)
          yield* fetches.followPost(mediaIds)
          if (isRequested(before.approval) && row.approval?.status === "approved") {
            yield* decided(audit, "post.approved", row.id)
          }
          yield* wakeup.notify
          const changed = withDraftProblems(versioned(row, yield* repository.targetsOf(row.id)), problems)
          if (isTold) yield* events.changed(workspace_id, before, row, changed.post)
          return changed
        }).pipe(transaction, plans.listingDestinations)
      })

      /** Other failures, such as a missing right, are reported once the whole body can be decoded. */
      const itsProblems = <A, E, R>(checked: Effect.Effect<A, E, R>) =>
        Effect.match(checked, {
          onFailure: (failure) => (failure instanceof BadRequest ? failure.errors : []),
          onSuccess: () => []
        })

      const problemsOfChange = (text: string, changes: UpdatePost) =>
        Effect.gen(function* () {
          const destinations = yield* destinationsAfter(text, changes)
          return yield* transaction(
            Effect.flatMap(access.lockEditable(text, undefined), (before) =>
              plans.update(before, changes, destinations)
            )
          )
        }).pipe(plans.listingDestinations, itsProblems)

      const remove = Effect.fn("Posts.delete")(function* (text: string, ifMatch: string | undefined) {
        return yield* Effect.gen(function* () {
          const { workspace_id } = yield* CurrentActor
          const row = yield* access.lockEditable(text, ifMatch)
          if (yield* repository.remove(row.id, yield* DateTime.now)) yield* events.deleted(workspace_id, row)
          return row.id
        }).pipe(transaction)
      })

      return Posts.of({
        create,
        get,
        contents: (ids) =>
          Effect.flatMap(CurrentActor, ({ workspace_id }) => repository.contents(workspace_id, ids)),
        list,
        update,
        validate: (request) => validate(request),
        timeOf: (request) => transaction(plans.timeOf(request)),
        problemsOf: (request, inFull) => itsProblems(validate(request, inFull)),
        problemsOfChange,
        delete: remove
      })
    })
  ).pipe(
    Layer.provide([
      PostAccess.layer,
      PostPlan.layer,
      Repairs.layer,
      PostRepository.layer,
      NewPostRepository.layer,
      PostListRepository.layer,
      PostEvents.layer
    ])
  )
}

const withWarnings = ({ post, etag }: Created, { warnings }: Written): Created => {
  const warned = { ...post, warnings: [...post.warnings, ...warnings] }
  return { post: warned, etag, encoded: encodePost(warned) }
}

const encodePost = Schema.encodeSync(Post)
