import {
  badRequest,
  type CreatePost,
  creatorOf,
  CurrentActor,
  makerOf,
  hasScope,
  isHeld,
  isKeptByDrafts,
  MediaId,
  mediaIdsOf,
  type PostId,
  type ProblemItem,
  type UpdatePost,
  warnedAccount,
  warningsFor
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Result } from "effect"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { AppConfig } from "../AppConfig.ts"
import { earliestFor } from "../auth/EarliestTime.ts"
import { missingScope } from "../auth/MissingScope.ts"
import { Imports, type PlannedImport } from "../media/imports/Imports.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import { unfetchedItem, unfetchedWarning } from "../media/imports/FetchWarning.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { claimLead } from "../publishing/Publish.ts"
import { Queue } from "../queue/Queue.ts"
import {
  approvalAfterEdit,
  approvalOnCreate,
  approvalOnUpdate,
  asDraft,
  askerOf,
  decisionOf,
  heldWarning,
  isHeldWarning,
  isRequested
} from "./ApprovalHold.ts"
import { destinationProblems, type OfferedDestinations, withDestinationIds } from "./Destinations.ts"
import type { StoredApproval } from "./StoredApproval.ts"
import type { NewTarget } from "./NewTarget.ts"
import { requireAccounts } from "./PostAccess.ts"
import { isDeepStrictEqual } from "node:util"
import { changedContent, newContent, overridesLost, type PostContent } from "./PostContent.ts"
import { awaited, makePostChecks, unseenMedia } from "./PostChecks.ts"
import { makePostDestinations, noDestinations } from "./PostDestinations.ts"
import { newPostId } from "./PostIds.ts"
import type { PostRow } from "./PostColumns.ts"
import { newTargets } from "./PostTargets.ts"
import {
  atSlot,
  type InQueue,
  isScheduledAnew,
  keptDraft,
  lateWarnings,
  missingTime,
  overdueProblems,
  passedPlan,
  type PostChange,
  queueConflicts,
  queueProblems,
  readTime,
  reschedule,
  schedule,
  storedTime,
  tooSoon,
  type When
} from "./PostTimes.ts"

/** A create request as it was read, with the problems and warnings found so far. */
export interface ParsedRequest {
  readonly content: PostContent
  readonly when: When | InQueue
  readonly imports: ReadonlyArray<PlannedImport>
  readonly destinations: OfferedDestinations
  readonly approval: StoredApproval | null
  readonly warnings: ReadonlyArray<string>
  readonly problems: ReadonlyArray<ProblemItem>
  readonly now: DateTime.Utc
}

/** A post that can be written. */
export interface PlannedPost {
  readonly row: PostRow
  readonly targets: ReadonlyArray<NewTarget>
  readonly mediaIds: ReadonlyArray<string>
  /** Media behind URLs, still to be stored and fetched. */
  readonly imports: ReadonlyArray<PlannedImport>
  /** What keeps a draft from going out. */
  readonly problems: ReadonlyArray<ProblemItem>
}

interface Checks {
  readonly destinations?: OfferedDestinations
  readonly imports?: ReadonlyArray<PlannedImport>
  /** The accounts, where they need not be read. */
  readonly accounts?: ReadonlyArray<SocialAccountRow> | null
  /** The media that the post has already: one that could not be fetched stays on it until its time. */
  readonly keeps?: ReadonlyArray<string>
  /** The targets are there already, so no destination has to be chosen. */
  readonly hasTargets?: boolean
  /** The post waits for approval, which going out gives. */
  readonly approves?: boolean
  /** It need not be able to go out, only to be stored. */
  readonly keepsProblems?: boolean
  /** It goes out at the time and to the accounts that it had before. */
  readonly keepsTime?: boolean
  /** How many items of its thread are live everywhere. */
  readonly liveItems?: number
  /** The stored post whose plan this one takes the place of. */
  readonly replaced?: PostId | null
}

/**
 * What a request makes of a post: its time, accounts, media and targets. A plan locks the media and takes a slot of the
 * queue if it needs one, so it is made in the transaction that writes the post.
 */
export class PostPlan extends Context.Service<PostPlan>()("@carillon/server/posts/PostPlan", {
  make: Effect.gen(function* () {
    const accounts = yield* SocialAccounts
    const library = yield* MediaLibrary
    const fetches = yield* Imports
    const platforms = yield* Platforms
    const queue = yield* Queue
    const { publicUrl } = yield* AppConfig
    const checks = yield* makePostChecks
    const { offered, listing } = yield* makePostDestinations
    const ahead = (platform: SocialAccountRow["platform"], hasMedia: boolean) =>
      Option.match(platforms.get(platform), {
        onNone: () => claimLead,
        onSome: ({ capabilities: { prepare_ahead, prepare_text_ahead = claimLead } }) =>
          hasMedia ? prepare_ahead : prepare_text_ahead
      })

    const plan = Effect.fnUntraced(function* (
      named: PostContent,
      asked: When | InQueue,
      items: ReadonlyArray<ProblemItem>,
      {
        imports = [],
        accounts: known = null,
        destinations = noDestinations,
        keeps = [],
        hasTargets = false,
        approves = false,
        keepsProblems = false,
        keepsTime = false,
        liveItems = 0,
        replaced = null
      }: Checks = {}
    ) {
      const actor = yield* CurrentActor
      yield* requireAccounts(named.social_accounts)
      if (asked._tag === "now" && items.length === 0 && !hasScope(actor.scopes, "posts:publish")) {
        return yield* missingScope(
          actor,
          "posts:publish",
          publicUrl,
          "Without scheduled_at and is_draft the post is published at once, which"
        )
      }
      const found = known ?? (yield* accounts.find(actor.workspace_id, named.social_accounts))
      const going = withDestinationIds(named, found, destinations)
      const { content } = going
      const mediaIds = mediaIdsOf(content)
      const media = [
        // A service's method is a span, which costs a request something even where nothing is traced.
        ...(mediaIds.length === 0 ? [] : yield* library.lockForUse(actor.workspace_id, mediaIds)),
        ...imports.map(({ row }) => row)
      ]
      const unfetched =
        approves || keepsProblems || asked._tag === "now"
          ? []
          : media.filter(({ id, error }) => error !== null && keeps.includes(id))
      const now = yield* DateTime.now
      const earliest = keepsTime ? null : earliestFor(actor, now)
      const early = tooSoon(asked, earliest, publicUrl)
      const taken =
        asked._tag === "queue" &&
        early.length === 0 &&
        !items.some(({ code }) => code === "schedule_conflict")
          ? yield* Effect.result(queue.take(asked, earliest))
          : null
      const due =
        asked._tag === "queue"
          ? taken !== null && Result.isSuccess(taken)
            ? taken.success.scheduled_at
            : null
          : asked._tag === "now"
            ? now
            : asked.instant
      const priced = checks.pricing(content, media, due, now, liveItems)
      const costOf = checks.costOfTarget(priced)
      const problems = [
        ...items,
        ...(items.some(({ path }) => path === "scheduled_at") ? [] : early),
        ...(keepsProblems && asked._tag === "draft" && !items.some(({ path }) => path === "scheduled_at")
          ? passedPlan(asked.instant, now)
          : []),
        ...(taken === null ? [] : queueProblems(taken)),
        ...checks.problems(
          content,
          found,
          media.map((row) => (unfetched.includes(row) ? awaited(row) : row)),
          liveItems
        ),
        ...going.problems,
        ...(approves && asked._tag !== "draft" ? unseenMedia(content, media) : []),
        ...(hasTargets ? [] : destinationProblems(content, found)),
        // A draft costs nothing until it is scheduled.
        ...(asked._tag === "draft" || due === null
          ? []
          : yield* checks.overBudget(priced, found, due, replaced))
      ]
      const refused = keepsProblems ? problems.filter((item) => !isKeptByDrafts(item)) : problems
      if (refused.length > 0) return yield* badRequest(refused)
      const { when, warnings } =
        asked._tag === "queue" ? atSlot(yield* Effect.fromResult(taken!)) : { when: asked, warnings: [] }
      const inOrder = content.social_accounts.map((id) => found.find((one) => one.id === id)!)
      return {
        content,
        mediaIds,
        time: storedTime(when),
        timeWarnings: warnings,
        contentWarnings: [
          ...(yield* checks.warnings(content, found, media, priced)),
          ...going.warnings,
          ...(when._tag === "at" ? unfetched.map(({ id, error }) => unfetchedWarning(id, error!)) : [])
        ],
        cost: found.reduce((sum, account) => sum + (costOf(account) ?? 0), 0),
        targets: newTargets(content, inOrder, when, now, { ahead, cost: costOf }),
        problems
      }
    })

    /** The media that a request names, followed by those behind its URLs. */
    const readMedia = Effect.fnUntraced(function* ({ media, media_urls }: UpdatePost) {
      const { workspace_id } = yield* CurrentActor
      if (!media_urls?.length) return { imports: [], media: media ?? [], problems: [] }
      const { imports, problems } = yield* fetches.plan(workspace_id, media_urls)
      return {
        imports,
        media: [...(media ?? []), ...imports.map(({ row }) => row.id)],
        problems: problems.map(({ index, ...item }) => ({ path: `media_urls[${index}]`, ...item }))
      }
    })

    const parseRequest = Effect.fnUntraced(function* (request: CreatePost) {
      const actor = yield* CurrentActor
      const now = yield* DateTime.now
      const held = isHeld(actor)
      const time = readTime(request.scheduled_at ?? null, actor.timezone, now)
      const { media, imports, problems } = yield* readMedia(request)
      const content = newContent(request, media)
      const when = schedule(request, time.instant, held, now)
      const timeWarnings = [...time.warnings, ...lateWarnings(when)]
      return {
        content,
        destinations: yield* offered(content),
        when,
        imports,
        approval: held ? approvalOnCreate(request, askerOf(actor), now) : null,
        warnings:
          held && request.is_draft !== true ? [...timeWarnings, heldWarning(publicUrl)] : timeWarnings,
        problems: [...time.problems, ...queueConflicts(request), ...problems],
        now
      } satisfies ParsedRequest
    })

    /** `inFull`: a draft too is checked as if it were to go out. */
    const create = Effect.fnUntraced(function* (
      { content, destinations, when, imports, approval, warnings, problems, now }: ParsedRequest,
      known: ReadonlyArray<SocialAccountRow> | null = null,
      inFull = false
    ) {
      const planned = yield* plan(content, when, problems, {
        imports,
        accounts: known,
        destinations,
        keepsProblems: !inFull && isIncomplete(when, approval)
      })
      const actor = yield* CurrentActor
      const row: PostRow = {
        ...planned.content,
        ...planned.time,
        id: newPostId(now),
        media: planned.content.media.map((id) => MediaId.make(id)),
        warnings: [...warnings, ...planned.timeWarnings, ...planned.contentWarnings],
        approval,
        repairs: null,
        created_by: { ...creatorOf(actor), maker: makerOf(actor) },
        updated_by: null,
        version: 1,
        created_at: now,
        updated_at: now,
        published_at: null
      }
      const { cost, targets, mediaIds, problems: kept } = planned
      return { row, cost, targets, mediaIds, imports, problems: kept }
    })

    /** Of the post as it will be changed, before it is locked. */
    const destinationsAfter = (before: PostRow, asked: UpdatePost) => offered(changedContent(before, asked))

    /** The change of a locked post. */
    const update = Effect.fnUntraced(function* (
      before: PostRow,
      asked: PostChange,
      destinations: OfferedDestinations
    ) {
      const actor = yield* CurrentActor
      const now = yield* DateTime.now
      const asksApproval = asked.asksApproval === true || isHeld(actor)
      // An answer that was lost is asked for again: what changes nothing leaves an approved post on its way.
      const repeats = isHeld(actor) && before.status === "scheduled" && changesNothing(before, asked)
      const changes = asksApproval && !repeats ? asDraft(asked) : asked
      const { media, imports, problems } = yield* readMedia(changes)
      const content = changedContent(before, changes.media_urls?.length ? { ...changes, media } : changes)
      const lost = yield* accounts.find(actor.workspace_id, overridesLost(before, changes))
      const time = readTime(changes.scheduled_at ?? null, actor.timezone, now)
      const when = reschedule(before, changes, time.instant, now)
      const overdue = time.problems.length > 0 ? [] : overdueProblems(before, changes, when, now)
      const approval = !asksApproval
        ? approvalAfterEdit(before.approval, asked, when._tag !== "draft", decisionOf(actor, now))
        : repeats
          ? before.approval
          : approvalOnUpdate(asked, before, askerOf(actor), now)
      const saysWhen = asksApproval && isRequested(before.approval)
      const timeless = saysWhen || asked.asksApproval ? [] : missingTime(before, asked)
      const planned = yield* plan(
        content,
        when,
        [
          ...time.problems,
          ...overdue,
          ...timeless,
          ...(saysWhen ? [] : keptDraft(before, asked)),
          ...queueConflicts(asked),
          ...problems
        ],
        {
          imports,
          destinations,
          replaced: before.id,
          keeps: mediaIdsOf(before),
          approves: !asksApproval && isRequested(before.approval),
          keepsTime:
            when._tag === "at" &&
            !isScheduledAnew(before, { status: "scheduled", scheduled_at: when.instant }) &&
            content.social_accounts.every((id) => before.social_accounts.includes(id)),
          keepsProblems: isIncomplete(when, approval)
        }
      )
      const keepsTime = changes.scheduled_at === undefined && (when._tag === "at" || when._tag === "draft")
      const row: PostRow = {
        ...before,
        ...planned.content,
        ...planned.time,
        approval,
        media: planned.content.media.map((id) => MediaId.make(id)),
        warnings: [
          ...(keepsTime
            ? // Those about an account or a media item are found anew.
              warningsFor(before.warnings, []).filter(
                (warning) => !isHeldWarning(warning) && unfetchedItem(warning) === undefined
              )
            : [...time.warnings, ...lateWarnings(when), ...planned.timeWarnings]),
          ...planned.contentWarnings,
          ...lost.map(
            ({ id, platform, username }) =>
              `${warnedAccount(platform, id)} left the post, so the entry of account_configurations for @${username} was removed.`
          ),
          ...(approval?.status === "waiting" ? [heldWarning(publicUrl)] : [])
        ],
        updated_by: { ...creatorOf(actor), at: now },
        version: before.version + 1,
        updated_at: now
      }
      const { targets, mediaIds, problems: kept } = planned
      return { row, targets, mediaIds, imports, problems: kept } satisfies PlannedPost
    })

    /** When a new post would go out, whatever else is wrong with it, and what its time warns of. */
    const timeOf = Effect.fnUntraced(function* (request: CreatePost) {
      const actor = yield* CurrentActor
      const now = yield* DateTime.now
      const { instant, warnings } = readTime(request.scheduled_at ?? null, actor.timezone, now)
      const when = schedule(request, instant, isHeld(actor), now)
      const slot =
        when._tag === "queue"
          ? yield* Effect.option(queue.take(when, earliestFor(actor, now))).pipe(Effect.map(Option.getOrNull))
          : null
      return {
        scheduled_at:
          when._tag === "queue" ? (slot?.slot ?? null) : when._tag === "now" ? null : when.instant,
        warnings: [...warnings, ...lateWarnings(when)]
      }
    })

    /** The checks of a new post, for targets that go out again: the account or the media may be gone since. */
    const recheck = (content: PostContent, liveItems: number) =>
      plan(content, { _tag: "now" }, [], { hasTargets: true, liveItems })

    return {
      mayPassBudget: passesBudget(platforms),
      parseRequest,
      timeOf,
      create,
      destinationsAfter,
      update,
      recheck,
      problemsOfDraft: checks.ofDraft,
      listingDestinations: listing
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** Whether a post may be incomplete: a draft that nobody is asked to let go out. */
const isIncomplete = ({ _tag }: When | InQueue, approval: StoredApproval | null) =>
  _tag === "draft" && approval?.status !== "waiting"

/** Whether a post to these accounts, or to accounts that are not known yet, may pass a budget. */
const passesBudget =
  ({ all }: Platforms["Service"]) =>
  (known: ReadonlyArray<SocialAccountRow> | null) =>
    all.some(
      ({ charges, id }) =>
        charges?.isLimited === true && (known === null || known.some(({ platform }) => platform === id))
    )

/** Whether a scheduled post has all that is asked for already. */
const changesNothing = (before: PostRow, asked: PostChange) =>
  asked.is_draft !== true &&
  !asked.use_queue &&
  !asked.publish &&
  !asked.media_urls?.length &&
  (asked.scheduled_at === undefined ||
    (before.scheduled_at !== null &&
      Date.parse(asked.scheduled_at ?? "") === DateTime.toEpochMillis(before.scheduled_at))) &&
  isDeepStrictEqual(changedContent(before, asked), changedContent(before, {}))
