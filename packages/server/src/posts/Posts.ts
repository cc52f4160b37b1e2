import {
  BadRequest,
  badRequest,
  type ConfirmResult,
  type Conflict,
  type ContentTooLarge,
  contentWarnings,
  frameWarnings,
  type Content,
  type CreatePost,
  CurrentActor,
  type Forbidden,
  type Found,
  hasScope,
  mediaIdsOf,
  type NotFound,
  type Page,
  Post,
  type PostFilter,
  PostId,
  type PostResult,
  type PostResultFilter,
  type PostSummary,
  postStatus,
  type PostValid,
  type PreconditionFailed,
  problem,
  type ProblemItem,
  MediaId,
  resolveContent,
  type ResultError,
  type RetryPost,
  statesBefore,
  targetBoards,
  TargetId,
  type TargetState,
  type UpdatePost,
  sees,
  seesAll,
  seesSome
} from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlError } from "effect/sql"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"
import { boardsSentence, SocialAccounts } from "../accounts/SocialAccounts.ts"
import { AppConfig } from "../AppConfig.ts"
import { KeyTaken } from "../http/Idempotency.ts"
import type { KeptAnswer } from "../http/IdempotencyRepository.ts"
import { MediaLibrary, type PlannedImport } from "../media/MediaLibrary.ts"
import type { MediaRow } from "../media/MediaRepository.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { claimLead } from "../publishing/Publish.ts"
import { longestSleep } from "../publishing/Scheduler.ts"
import { Queue } from "../queue/Queue.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import {
  asDraft,
  approvalOnUpdate,
  approvalOnCreate,
  approvalAfterEdit,
  heldWarning,
  approvalGrant,
  isHeldWarning,
  type StoredApproval
} from "./ApprovalHold.ts"
import { newPostId } from "./PostIds.ts"
import {
  atSlot,
  type InQueue,
  isScheduledAnew,
  overdueProblems,
  queueConflicts,
  queueProblems,
  readTime,
  reschedule,
  schedule,
  storedTime,
  type When
} from "./PostTimes.ts"
import { etagOf, matchesEtag, type Versioned, versioned } from "./PostVersion.ts"
import { PostListRepository } from "./PostListRepository.ts"
import { type NewPost, NewPostRepository } from "./NewPostRepository.ts"
import type { NewTarget } from "./NewTarget.ts"
import { PostRepository, type PostRow, type TargetRow } from "./PostRepository.ts"
import { PostEvents } from "./PostEvents.ts"
import { toPost, toResult, toSummary } from "./PostView.ts"
import { seenPost } from "./SeenPost.ts"
import { checkPost, conversionsOf } from "../media/Preflight.ts"

/** A post that waits for a person's approval, with what only they are told. */
export interface WaitingPost extends Versioned {
  readonly approval: StoredApproval
}

type Listed<A> = Effect.Effect<Found<A>, never, CurrentActor>

/** A new post, and as it is answered. */
export interface Created extends Versioned {
  readonly encoded: typeof Post.Encoded
}

export class Posts extends Context.Service<
  Posts,
  {
    /** The record of an idempotency key is written with the post; where the key is taken, nothing is written. */
    create(
      request: CreatePost,
      record?: ((created: Created) => KeptAnswer) | null
    ): Effect.Effect<Created, BadRequest | Forbidden | Conflict | ContentTooLarge | KeyTaken, CurrentActor>
    get(id: string): Effect.Effect<Versioned, NotFound, CurrentActor>
    list(filter: PostFilter, page: Page): Listed<PostSummary>
    update(
      id: string,
      changes: UpdatePost,
      ifMatch: string | undefined
    ): Effect.Effect<
      Versioned,
      BadRequest | Forbidden | NotFound | Conflict | PreconditionFailed | ContentTooLarge,
      CurrentActor
    >
    validate(
      request: CreatePost
    ): Effect.Effect<PostValid, BadRequest | Forbidden | Conflict | ContentTooLarge, CurrentActor>
    /** What stands against the fields of a create or a change of whose body others cannot be read. Changes nothing. */
    problemsOf(request: CreatePost): Effect.Effect<ReadonlyArray<ProblemItem>, never, CurrentActor>
    problemsOfChange(
      id: string,
      changes: UpdatePost
    ): Effect.Effect<ReadonlyArray<ProblemItem>, never, CurrentActor>
    /** Failed targets go out again: all of them, or those on these accounts; forced, unconfirmed ones too. */
    retry(
      id: string,
      asked: RetryPost
    ): Effect.Effect<Versioned, BadRequest | Forbidden | NotFound | Conflict, CurrentActor>
    delete(
      id: string,
      ifMatch: string | undefined
    ): Effect.Effect<PostId, Forbidden | NotFound | Conflict | PreconditionFailed, CurrentActor>
    /** What waits for a person's approval, oldest first; `more`: there are others. */
    readonly waiting: Effect.Effect<
      { readonly data: ReadonlyArray<WaitingPost>; readonly more: boolean },
      never,
      CurrentActor
    >
    /** A post as a person sees it who is to approve it; `waiting`: null where it does not wait for anybody. */
    forApproval(
      id: string
    ): Effect.Effect<{ readonly post: Post; readonly waiting: WaitingPost | null }, NotFound, CurrentActor>
    /** A person does not let a post go out; it stays a draft of the app's. To approve is to `update` it so that it goes out. */
    refuse(
      id: string,
      reason: string | null,
      ifMatch: string
    ): Effect.Effect<Versioned, Forbidden | NotFound | Conflict | PreconditionFailed, CurrentActor>
    results(filter: PostResultFilter, page: Page): Listed<PostResult>
    result(id: string): Effect.Effect<PostResult, NotFound, CurrentActor>
    /** A person says what became of an unconfirmed result. */
    confirm(
      id: string,
      seen: ConfirmResult
    ): Effect.Effect<PostResult, Forbidden | NotFound | Conflict, CurrentActor>
  }
>()("@carillon/server/posts/Posts") {
  static readonly layer = Layer.effect(
    Posts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* PostRepository
      const newPosts = yield* NewPostRepository
      const lists = yield* PostListRepository
      const accounts = yield* SocialAccounts
      const library = yield* MediaLibrary
      const platforms = yield* Platforms
      const { publicUrl, videoTranscoding: video_transcoding } = yield* AppConfig
      const conversion = { video_transcoding, tone_mapping: library.toneMaps }
      const public_url = { url: publicUrl, closed_to: platforms.unreached }
      const queue = yield* Queue
      const wakeup = yield* Wakeup
      const events = yield* PostEvents

      const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.catchIf(sql.withTransaction(effect), SqlError.isSqlError, Effect.die)

      /** What a credential for some accounts may not do to the others. */
      const allowed = Effect.fnUntraced(function* (accountIds: ReadonlyArray<number>) {
        const actor = yield* CurrentActor
        const foreign = accountIds.filter((id) => !sees(id, actor.social_accounts))
        if (foreign.length > 0) {
          return yield* problem(
            "account_not_allowed",
            `This credential may not act for the social account ${foreign.join(", ")}; use one that includes it.`
          )
        }
      })

      /** A post is changed only by who sees all of it. */
      const seenWhole = Effect.fnUntraced(function* (row: PostRow) {
        const { social_accounts } = yield* CurrentActor
        if (!seesSome(row, social_accounts)) return yield* noSuchPost(row.id)
        if (!seesAll(row, social_accounts)) {
          return yield* problem(
            "account_not_allowed",
            `The post ${row.id} also goes to accounts that this credential is not for; only one that is for all of its accounts can change, publish or delete it.`
          )
        }
      })

      /** What an app may not do whose posts a person wants to see first. */
      const unheld = (what: string) =>
        Effect.flatMap(CurrentActor, (actor) =>
          approvalGrant(actor) === null
            ? Effect.void
            : problem(
                "approval_needed",
                `${what} needs a person: this app may only write and change drafts, which wait for approval at ${publicUrl}/approvals. Ask the person to do it, or to change the app at ${publicUrl}/connected-apps.`
              )
        )

      /**
       * Locks the media, takes a slot of the queue if one is asked for, checks everything, and says when the post goes
       * out and what its targets are.
       */
      const plan = Effect.fnUntraced(function* (
        draft: DraftedPost,
        asked: When | InQueue,
        items: ReadonlyArray<ProblemItem>,
        { imports = [], again = false, known = null, approves = false }: Planning = {}
      ) {
        const actor = yield* CurrentActor
        yield* allowed(draft.social_accounts)
        if (asked._tag === "now" && !hasScope(actor.scopes, "posts:publish")) {
          return yield* problem(
            "missing_scope",
            "Publishing at once needs the scope posts:publish; give scheduled_at or is_draft, or use another key."
          )
        }
        const found = known ?? (yield* accounts.find(actor.workspace_id, draft.social_accounts))
        const mediaIds = mediaIdsOf(draft)
        const media = [
          ...(yield* library.lockForUse(actor.workspace_id, mediaIds)),
          ...imports.map(({ row }) => row)
        ]
        const taken =
          asked._tag === "queue" && !items.some(({ code }) => code === "schedule_conflict")
            ? yield* Effect.result(queue.take(asked.timezone, asked.post))
            : null
        const checked = { ...draft, content: draft, accounts: found, media, ...conversion }
        const problems = [
          ...items,
          ...(taken === null ? [] : queueProblems(taken)),
          ...checkPost({ ...checked, public_url }),
          ...(approves && asked._tag !== "draft" ? unseenMedia(media) : []),
          ...(again ? [] : boardProblems(draft, found))
        ]
        if (problems.length > 0) return yield* badRequest(problems)
        const { when, warnings } =
          asked._tag === "queue" ? atSlot(yield* Effect.fromResult(taken!)) : { when: asked, warnings: [] }
        const now = yield* DateTime.now
        const unframed = frameWarnings(draft, found)
        return {
          mediaIds,
          when,
          warnings,
          content_warnings: [
            ...contentWarnings(draft, found),
            ...(unframed.length > 0 && !(yield* library.cutsFrames) ? unframed : []),
            ...conversionsOf(checked)
          ],
          targets: draft.social_accounts.flatMap((id) => {
            const account = found.find((one) => one.id === id)!
            return boardsFor(draft, account).map((board) => newTarget(draft, account, board, when, now))
          })
        }
      })

      /** Of who has to choose a board says which there are. The platform is asked outside of the transaction. */
      const namingBoards = <A, E, R>(effect: Effect.Effect<A, E | BadRequest, R>) =>
        Effect.catchIf(effect, isBoardless, (refused) =>
          Effect.gen(function* () {
            const items = yield* Effect.forEach(refused.errors, (item) =>
              item.code !== "board_required" || item.account_id === undefined
                ? Effect.succeed(item)
                : Effect.map(accounts.boards(item.account_id), (boards) => ({
                    ...item,
                    message:
                      boards === null
                        ? `${item.message} Pinterest could not be asked which there are.`
                        : `${item.message} ${boardsSentence(boards)}`
                  }))
            )
            return yield* badRequest(items)
          })
        )

      const newTarget = (
        draft: DraftedPost,
        account: SocialAccountRow,
        board: string | null,
        when: When,
        now: DateTime.Utc
      ): NewTarget => {
        const hasMedia = resolveContent(draft, account.platform, account.id).media.length > 0
        const ahead = Option.map(
          platforms.get(account.platform),
          ({ capabilities }) => capabilities.prepare_ahead
        )
        const lead = hasMedia
          ? Duration.max(
              Option.getOrElse(ahead, () => claimLead),
              claimLead
            )
          : claimLead
        const dueAt = when._tag === "now" ? now : when._tag === "at" ? when.instant : null
        return {
          id: TargetId.make(SecureRandom.uuidV7Unsafe()),
          social_account_id: account.id,
          platform: account.platform,
          board_id: board,
          state: dueAt === null ? "draft" : "waiting",
          due_at: dueAt,
          next_step_at: dueAt === null ? null : DateTime.max(now, DateTime.subtractDuration(dueAt, lead)),
          lead: Duration.toMillis(lead)
        }
      }

      /** The media of a request: those it names, then those behind its URLs. */
      const readMedia = Effect.fnUntraced(function* (
        media: ReadonlyArray<string>,
        urls: ReadonlyArray<string>
      ) {
        const { workspace_id } = yield* CurrentActor
        const { imports, problems } = yield* library.planImports(workspace_id, urls)
        return {
          imports,
          media: [...media, ...imports.map(({ row }) => row.id)],
          problems: problems.map(({ index, ...item }) => ({ path: `media_urls[${index}]`, ...item }))
        }
      })

      /** What a create request asks for, with what its own words have against it. */
      const read = Effect.fnUntraced(function* (request: CreatePost) {
        const actor = yield* CurrentActor
        const time = readTime(request.scheduled_at ?? null, actor.timezone, yield* DateTime.now)
        const held = approvalGrant(actor) !== null
        const when = schedule(request, time.instant, held)
        const { media, imports, problems } = yield* readMedia(request.media ?? [], request.media_urls ?? [])
        const draft = drafted({ ...emptyPost, ...withoutNulls(request), media })
        return {
          draft,
          when,
          imports,
          warnings:
            held && request.is_draft !== true ? [...time.warnings, heldWarning(publicUrl)] : time.warnings,
          problems: [...time.problems, ...queueConflicts(request), ...problems]
        }
      })

      const create = Effect.fnUntraced(function* (
        request: CreatePost,
        record: ((created: Created) => KeptAnswer) | null = null
      ) {
        const actor = yield* CurrentActor
        const now = yield* DateTime.now
        const holder = approvalGrant(actor)
        const { draft, when, imports, warnings, problems } = yield* read(request)
        const insert = Effect.fnUntraced(function* (
          write: (post: NewPost) => Effect.Effect<boolean>,
          known: ReadonlyArray<SocialAccountRow> | null
        ) {
          const { targets, mediaIds, ...planned } = yield* plan(draft, when, problems, { imports, known })
          yield* library.startImports(imports)
          const row: PostRow = {
            ...draft,
            ...storedTime(planned.when),
            id: newPostId(now),
            media: draft.media.map((id) => MediaId.make(id)),
            warnings: [...warnings, ...planned.warnings, ...planned.content_warnings],
            approval: holder === null ? null : approvalOnCreate(request, holder, now),
            version: 1,
            created_at: now,
            updated_at: now,
            published_at: null
          }
          const { post, etag } = versioned(
            row,
            targets.map((target) => beginning(row.id, target))
          )
          const created: Created = { post, etag, encoded: encodePost(post) }
          const written = yield* write({
            workspace_id: actor.workspace_id,
            row,
            targets,
            media: mediaIds,
            remembered: known ?? [],
            record: record === null ? null : record(created),
            told: row.status === "scheduled" ? created.encoded : null
          })
          if (!written) return yield* new KeyTaken()
          yield* Effect.logDebug("post created", { post: row.id })
          // Before a later step the loop looks by itself.
          const soon = DateTime.addDuration(now, longestSleep)
          if (targets.some(({ next_step_at: at }) => at !== null && DateTime.isLessThanOrEqualTo(at, soon)))
            yield* wakeup.notify
          return created
        })
        // Media and the slot have to stay as they were found until the post is there; one statement alone needs no more.
        const locks = when._tag === "queue" || mediaIdsOf(draft).length > 0
        if (locks) return yield* namingBoards(transaction(insert(newPosts.insert, null)))
        const anew = namingBoards(insert(newPosts.insertTogether, null))
        const known = accounts.remembered(actor.workspace_id, draft.social_accounts)
        if (known === null) return yield* anew
        // What speaks against it may be that they have changed.
        return yield* Effect.catchTag(
          insert(newPosts.insertTogether, known),
          ["BadRequest", "KeyTaken"],
          () => anew
        )
      })

      const validate = Effect.fn("Posts.validate")(function* (request: CreatePost) {
        const { draft, when, imports, warnings, problems } = yield* read(request)
        const planned = yield* namingBoards(transaction(plan(draft, when, problems, { imports })))
        const { scheduled_at, queue_slot } = storedTime(planned.when)
        return {
          valid: true as const,
          // Its jitter is only decided when the post is made.
          scheduled_at: queue_slot ?? scheduled_at,
          warnings: [...warnings, ...planned.warnings, ...planned.content_warnings]
        }
      })

      const owned = Effect.fnUntraced(function* (text: string) {
        const actor = yield* CurrentActor
        const id = toPostId(text)
        const row = id === null ? Option.none() : yield* repository.byId(actor.workspace_id, id)
        return Option.isNone(row) || !seesSome(row.value, actor.social_accounts)
          ? yield* noSuchPost(text)
          : row.value
      })

      const get = Effect.fn("Posts.get")(function* (text: string) {
        const { social_accounts } = yield* CurrentActor
        const row = yield* owned(text)
        return versioned(row, yield* repository.targetsOf(row.id), social_accounts)
      })

      const list = Effect.fnUntraced(function* (filter: PostFilter, page: Page) {
        const actor = yield* CurrentActor
        const access = actor.social_accounts
        const { data, ...rest } = yield* lists.posts(actor.workspace_id, access, filter, page)
        return {
          data: data.map(({ progress, seen_platforms: platforms, seen_published_at: published_at, ...row }) =>
            toSummary(seenPost(row, access, { progress, platforms, published_at }), progress)
          ),
          ...rest
        }
      })

      /** The post and its targets, locked, if they may still be changed. */
      const lockEditable = Effect.fnUntraced(function* (text: string, ifMatch: string | undefined) {
        const actor = yield* CurrentActor
        const id = toPostId(text)
        const locked = id === null ? Option.none() : yield* repository.lock(actor.workspace_id, id)
        if (Option.isNone(locked)) return yield* noSuchPost(text)
        const row = locked.value
        yield* seenWhole(row)
        if (row.status !== "draft") yield* unheld(`Changing the post ${row.id}, which is ${row.status},`)
        if (ifMatch !== undefined && !matchesEtag(ifMatch, row)) {
          return yield* problem(
            "stale_version",
            `The post ${row.id} is at version ${etagOf(row)}, not ${ifMatch}; read it again and repeat the change.`
          )
        }
        const begun = (yield* repository.lockTargets(row.id)).find(({ state }) => !editable.has(state))
        if (begun !== undefined) {
          return yield* problem(
            "post_not_editable",
            row.status === "scheduled"
              ? `The post ${row.id} is being published and can no longer be changed or deleted.`
              : `The post ${row.id} is ${row.status}; only draft and scheduled posts can be changed or deleted.`
          )
        }
        return row
      })

      /** Locks the post and says what the change makes of it. */
      const planChange = Effect.fnUntraced(function* (
        text: string,
        asked: UpdatePost,
        ifMatch: string | undefined
      ) {
        const actor = yield* CurrentActor
        const now = yield* DateTime.now
        const holder = approvalGrant(actor)
        const changes = holder === null ? asked : asDraft(asked)
        const before = yield* lockEditable(text, ifMatch)
        const urls = changes.media_urls ?? []
        const fetched = yield* readMedia(changes.media ?? [], urls)
        const draft = drafted({
          ...before,
          ...withoutNulls(changes),
          ...nulls(changes),
          ...(urls.length > 0 ? { media: fetched.media } : {})
        })
        const time = readTime(changes.scheduled_at ?? null, actor.timezone, now)
        const when = reschedule(before, changes, time.instant)
        const overdue = time.problems.length > 0 ? [] : overdueProblems(before, changes, when, now)
        const planned = yield* plan(
          draft,
          when,
          [...time.problems, ...overdue, ...queueConflicts(asked), ...fetched.problems],
          {
            imports: fetched.imports,
            approves: holder === null && before.approval !== null && before.approval.status !== "approved"
          }
        )
        const keepsTime = changes.scheduled_at === undefined && when._tag !== "queue"
        return {
          ...planned,
          before,
          draft,
          now,
          imports: fetched.imports,
          keepsTime,
          timeWarnings: time.warnings,
          approval:
            holder === null
              ? approvalAfterEdit(before.approval, asked, planned.when._tag !== "draft", now)
              : approvalOnUpdate(asked, before, holder, now)
        }
      })

      const update = Effect.fn("Posts.update")(function* (
        text: string,
        asked: UpdatePost,
        ifMatch: string | undefined
      ) {
        const actor = yield* CurrentActor
        return yield* Effect.gen(function* () {
          const { before, draft, imports, targets, mediaIds, approval, ...planned } = yield* planChange(
            text,
            asked,
            ifMatch
          )
          yield* library.startImports(imports)
          const accountsBefore = yield* accounts.find(actor.workspace_id, before.social_accounts)
          const former = [
            ...contentWarnings(before, accountsBefore),
            ...frameWarnings(before, accountsBefore),
            ...conversionsOf({
              ...before,
              content: before,
              accounts: accountsBefore,
              media: yield* library.find(actor.workspace_id, mediaIdsOf(before)),
              ...conversion
            })
          ]
          const row: PostRow = {
            ...before,
            ...draft,
            ...storedTime(planned.when),
            approval,
            media: draft.media.map((id) => MediaId.make(id)),
            warnings: [
              ...(planned.keepsTime
                ? before.warnings.filter((warning) => !former.includes(warning) && !isHeldWarning(warning))
                : [...planned.timeWarnings, ...planned.warnings]),
              ...planned.content_warnings,
              ...(approval?.status === "waiting" ? [heldWarning(publicUrl)] : [])
            ],
            version: before.version + 1,
            updated_at: planned.now
          }
          yield* repository.update(actor.workspace_id, row, targets, mediaIds)
          yield* wakeup.notify
          const changed = versioned(row, yield* repository.targetsOf(row.id))
          if (isScheduledAnew(before, row)) yield* events.scheduled(actor.workspace_id, changed.post)
          return changed
        }).pipe(transaction, namingBoards)
      })

      /** Nothing else is said of a body that cannot be read: whether it may be done is found when it can. */
      const itsProblems = <A, E, R>(checked: Effect.Effect<A, E, R>) =>
        Effect.match(checked, {
          onFailure: (failure) => (failure instanceof BadRequest ? failure.errors : []),
          onSuccess: () => []
        })

      const problemsOfChange = (id: string, changes: UpdatePost) =>
        itsProblems(namingBoards(transaction(planChange(id, changes, undefined))))

      const retry = Effect.fn("Posts.retry")(function* (text: string, asked: RetryPost) {
        yield* unheld("Sending a post again")
        const socialAccounts = asked.social_accounts ?? null
        yield* allowed(socialAccounts ?? [])
        const event = asked.force ? "force_retry" : "retry"
        const retryable: ReadonlyArray<TargetState> = statesBefore(event)
        const actor = yield* CurrentActor
        return yield* Effect.gen(function* () {
          const id = toPostId(text)
          const locked = id === null ? Option.none() : yield* repository.lock(actor.workspace_id, id)
          if (Option.isNone(locked)) return yield* noSuchPost(text)
          const row = locked.value
          const access = actor.social_accounts
          if (!seesSome(row, access)) return yield* noSuchPost(text)
          const failed = (yield* repository.lockTargets(row.id)).filter(
            ({ state, social_account_id }) =>
              retryable.includes(state) && sees(social_account_id, socialAccounts ?? access)
          )
          if (failed.length === 0) {
            return yield* problem(
              "nothing_to_retry",
              `No target of the post ${row.id} has failed${asked.force ? " or is unconfirmed" : ""}${socialAccounts === null ? "" : ` on ${socialAccounts.join(", ")}`}; its results say where each stands.` +
                (asked.force ? "" : " Unconfirmed ones are sent again only with force: true.")
            )
          }
          const accountIds = [...new Set(failed.map(({ social_account_id }) => social_account_id))]
          const again = {
            ...drafted(row),
            social_accounts: accountIds,
            account_configurations:
              row.account_configurations?.filter(({ account_id }) => accountIds.includes(account_id)) ?? null
          }
          yield* library.restartImports(actor.workspace_id, mediaIdsOf(again))
          // The same checks as for a new post: the account or the media may be gone since.
          yield* plan(again, { _tag: "now" }, [], { again: true })
          // What failed before its time, because its media could not be fetched, still goes out at its time.
          const now = yield* DateTime.now
          yield* repository.restart(
            row.id,
            failed.map((target) => target.id),
            event,
            DateTime.max(now, row.scheduled_at ?? now),
            now
          )
          yield* wakeup.notify
          const [restarted] = yield* repository.withTargets([row.id])
          const { post, targets } = restarted!
          yield* events.scheduled(actor.workspace_id, toPost(post, targets))
          return versioned(post, targets, access)
        }).pipe(transaction)
      })

      const remove = Effect.fn("Posts.delete")(function* (text: string, ifMatch: string | undefined) {
        return yield* Effect.gen(function* () {
          const { id } = yield* lockEditable(text, ifMatch)
          yield* repository.remove(id)
          return id
        }).pipe(transaction)
      })

      const toWaiting = (row: PostRow, targets: ReadonlyArray<TargetRow>): WaitingPost | null =>
        row.status === "draft" && row.approval?.status === "waiting"
          ? { ...versioned(row, targets), approval: row.approval }
          : null

      const waiting = Effect.gen(function* () {
        const actor = yield* CurrentActor
        const ids = yield* lists.waiting(actor.workspace_id, shownWaiting + 1)
        const found = yield* repository.withTargets(ids.slice(0, shownWaiting))
        return {
          data: found.flatMap(({ post, targets }) => toWaiting(post, targets) ?? []),
          more: ids.length > shownWaiting
        }
      })

      const forApproval = Effect.fn("Posts.forApproval")(function* (text: string) {
        const row = yield* owned(text)
        const targets = yield* repository.targetsOf(row.id)
        return { post: versioned(row, targets).post, waiting: toWaiting(row, targets) }
      })

      const refuse = Effect.fn("Posts.refuse")(function* (
        text: string,
        reason: string | null,
        ifMatch: string
      ) {
        yield* unheld("Refusing a post")
        return yield* Effect.gen(function* () {
          const row = yield* lockEditable(text, ifMatch)
          if (row.approval?.status !== "waiting") {
            return yield* problem(
              "stale_version",
              `The post ${row.id} does not wait for approval; read it again.`
            )
          }
          const now = yield* DateTime.now
          const refused: PostRow = {
            ...row,
            approval: { ...row.approval, status: "refused", decided_at: now, reason },
            warnings: row.warnings.filter((warning) => !isHeldWarning(warning))
          }
          yield* repository.decide(row.id, refused, now)
          return yield* get(row.id)
        }).pipe(transaction)
      })

      const results = Effect.fn("Posts.results")(function* (filter: PostResultFilter, page: Page) {
        const actor = yield* CurrentActor
        const { data, ...rest } = yield* lists.results(
          actor.workspace_id,
          actor.social_accounts,
          filter,
          page
        )
        return { data: data.map(toResult), ...rest }
      })

      const ownedTarget = Effect.fnUntraced(function* (text: string) {
        const actor = yield* CurrentActor
        const id = Schema.is(TargetId)(text) ? text : null
        const found = id === null ? Option.none() : yield* repository.result(actor.workspace_id, id)
        return Option.isNone(found) || !sees(found.value.social_account_id, actor.social_accounts)
          ? yield* problem("not_found", `There is no post result ${JSON.stringify(text)}.`)
          : found.value
      })

      const result = Effect.fn("Posts.result")((text: string) => Effect.map(ownedTarget(text), toResult))

      const confirm = Effect.fn("Posts.confirm")(function* (text: string, { published, url }: ConfirmResult) {
        const actor = yield* CurrentActor
        yield* unheld("Saying what became of a post")
        return yield* Effect.gen(function* () {
          const { id, post_id } = yield* ownedTarget(text)
          // The post's lock first, as the engine's settlements take it.
          const locked = yield* repository.lock(actor.workspace_id, post_id)
          if (Option.isNone(locked)) return yield* noSuchPost(post_id)
          const now = yield* DateTime.now
          const confirmed = yield* repository.confirm(
            id,
            published
              ? { event: "confirm_published", url: url ?? null }
              : { event: "confirm_not_published", error: seenMissing },
            now
          )
          if (!confirmed) {
            const { status } = yield* result(text)
            return yield* problem(
              "result_not_unconfirmed",
              `The post result ${id} is ${status}; only an unconfirmed one can be confirmed.`
            )
          }
          const targets = yield* repository.targetsOf(post_id)
          yield* repository.follow(post_id, postStatus(targets.map(({ state }) => state)), now)
          yield* events.settled([
            {
              id: post_id,
              workspace_id: actor.workspace_id,
              status_before: locked.value.status,
              targets: [id]
            }
          ])
          return yield* result(text)
        }).pipe(transaction)
      })

      return Posts.of({
        create,
        get,
        list,
        update,
        validate,
        problemsOf: (request) => itsProblems(validate(request)),
        problemsOfChange,
        retry,
        delete: remove,
        waiting,
        forApproval,
        refuse,
        results,
        result,
        confirm
      })
    })
  ).pipe(
    Layer.provide([PostRepository.layer, NewPostRepository.layer, PostListRepository.layer, PostEvents.layer])
  )
}

/** How many posts that wait for approval are listed at once. */
const shownWaiting = 50

interface DraftedPost extends Content {
  readonly social_accounts: ReadonlyArray<number>
  readonly processing_enabled: boolean
}

interface Planning {
  readonly imports?: ReadonlyArray<PlannedImport>
  /** Of targets that are there already: each has its board. */
  readonly again?: boolean
  /** The accounts as they were lately; whoever goes by that has to find them unchanged. */
  readonly known?: ReadonlyArray<SocialAccountRow> | null
  /** To let the post go out is to approve what an app wrote. */
  readonly approves?: boolean
}

/** Media that nobody can have looked at yet. */
const unseenMedia = (media: ReadonlyArray<MediaRow>): ReadonlyArray<ProblemItem> =>
  media
    .filter(({ importing }) => importing)
    .map(({ id }) => ({
      path: "media",
      code: "media_not_ready",
      message: `The media item ${id} is still being fetched from its URL; what an app wrote is approved with its media, so it can go out when they are there.`
    }))

const boardsFor = (draft: Content, account: SocialAccountRow) =>
  targetBoards(account, resolveContent(draft, account.platform, account.id).options)

const boardProblems = (
  draft: Content,
  accounts: ReadonlyArray<SocialAccountRow>
): ReadonlyArray<ProblemItem> =>
  accounts.flatMap((account) =>
    boardsFor(draft, account).length > 0
      ? []
      : [
          {
            path: resolveContent(draft, account.platform, account.id).optionPath("board_ids"),
            code: "board_required",
            message: `Pinterest (@${account.username}, account ${account.id}) has to be told a board: give board_ids, or choose the account's default board with PATCH /v1/social-accounts/${account.id}.`,
            account_id: account.id,
            platform: account.platform
          }
        ]
  )

const isBoardless = (failure: unknown): failure is BadRequest =>
  failure instanceof BadRequest && failure.errors.some(({ code }) => code === "board_required")

const emptyPost: Omit<DraftedPost, "social_accounts"> = {
  caption: null,
  media: [],
  platform_configurations: null,
  account_configurations: null,
  processing_enabled: true
}

const drafted = (post: DraftedPost): DraftedPost => ({
  social_accounts: post.social_accounts,
  caption: post.caption,
  media: post.media,
  platform_configurations: post.platform_configurations,
  account_configurations: post.account_configurations,
  processing_enabled: post.processing_enabled
})

type Defined<A> = { [K in keyof A]: NonNullable<A[K]> }

const withoutNulls = <A extends object>(fields: A) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Defined<A>

/** What a null in a change means: back to the empty value. */
const nulls = (changes: UpdatePost) =>
  Object.fromEntries(Object.entries(emptyPost).filter(([key]) => changes[key as keyof UpdatePost] === null))

/** A target that has just been inserted, as it would be read back. */
const beginning = (postId: PostId, { lead, ...target }: NewTarget): TargetRow => ({
  ...target,
  id: TargetId.make(target.id),
  platform: target.platform as TargetRow["platform"],
  post_id: postId,
  attempts: 0,
  error: null,
  platform_data: null,
  published_at: null
})

/** Why a target has failed of which a person says that it is not live. */
const seenMissing: ResultError = {
  code: "confirmed_not_published",
  class: "ambiguous",
  message:
    "The platform's reply was lost, and a person has seen that the post is not live; retry the post to send it again.",
  action: "none",
  retry_at: null
}

const encodePost = Schema.encodeSync(Post)

const editable = new Set(statesBefore("enqueue"))

const toPostId = (text: string): PostId | null => {
  const lower = text.toLowerCase()
  return Schema.is(PostId)(lower) ? lower : null
}

const noSuchPost = (id: string) => problem("not_found", `There is no post ${JSON.stringify(id)}.`)
