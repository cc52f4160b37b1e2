import type {
  AccountLimits,
  ByteRange,
  ErrorClass,
  PermissionName,
  PlatformData,
  PlatformId,
  PlatformRules,
  PostId
} from "@carillon/domain"
import {
  Data,
  type DateTime,
  type Duration,
  type Effect,
  type Redacted,
  type Schema,
  type Stream
} from "effect"
import type { Handle } from "../engine/Handle.ts"

/**
 * The reason for a platform's failure, in the engine's terms.
 * `message` is for the user: what was wrong and what to do; it never holds a secret.
 */
export class PublishError extends Data.TaggedError("PublishError")<{
  readonly class: ErrorClass
  /** The platform's own code where it has one. */
  readonly code: string
  readonly message: string
  /** When the platform wants the next request. */
  readonly retry_at?: DateTime.Utc
  /** The token has expired but can be refreshed: the vault refreshes once and repeats the call. */
  readonly token_expired?: boolean
  /** The platform has lost the uploads of `prepare`: the engine forgets the handle and prepares from the start. */
  readonly discard_handle?: boolean
  /** The platform's words, shortened, for a person who debugs. */
  readonly platform_response?: string
}> {}

/** The credentials of an adapter for an account, as JSON; the vault encrypts them at rest. */
export type Credentials = Redacted.Redacted<{ readonly [key: string]: Schema.Json }>

/** An account on its platform. `remote_id` is the platform's stable id of it. */
export interface ConnectedAccount {
  readonly remote_id: string
  /** Its id before an upgrade of its server. An account that is stored under it keeps it. */
  readonly former_remote_id?: string
  readonly username: string
  readonly display_name: string | null
  readonly avatar_url: string | null
  readonly credentials: Credentials
  readonly token_expires_at: DateTime.Utc | null
  /** When the access can no longer be renewed; left out where the platform names no end. */
  readonly access_expires_at?: DateTime.Utc
  /** The default destination of posts that name none; it never replaces a person's choice. */
  readonly default_board_id?: string
  /** Its own limits, on networks whose accounts differ. */
  readonly limits?: AccountLimits
  /** What the platform granted, where options need more than publishing does. */
  readonly scopes?: ReadonlyArray<string>
  /** The service connected it itself, on the test network. */
  readonly demo?: true
}

/** A place in an account that a post can go to, such as a board. */
export interface Destination {
  readonly id: string
  readonly name: string
}

/** The values that bind one visit to a platform's consent page. */
export interface ConsentRequest {
  /** One of the platform's `logins`. */
  readonly login: string
  readonly redirect_uri: string
  readonly state: string
  /** RFC 7636; 64 unreserved characters. The adapter derives the challenge as its platform wants it. */
  readonly code_verifier: string
  /** As `servers.arrange` gave them. */
  readonly fields?: ConsentFields
  /** What to ask for besides what publishing needs. */
  readonly permissions?: ReadonlyArray<PermissionName>
}

/** The facts known before the visit: first the person's input, by the names of the platform's form. */
export type ConsentFields = Readonly<Record<string, string>>

/** Connecting on a platform's own consent page. */
export interface OAuthConnect {
  /** The ways to sign in that this instance is set up for, the usual one first. */
  readonly logins: ReadonlyArray<string>
  /** For platforms of many servers. Each has a redirect address of its own here, so that none gets a code of another. */
  readonly servers?: {
    /** The address of the server that the person named. */
    readonly named: (typed: ConsentFields) => Effect.Effect<string, PublishError>
    /** Makes sure that it lets this service in. What it gives is kept, encrypted, until the exchange. Repeatable. */
    readonly arrange: (server: string, redirect_uri: string) => Effect.Effect<ConsentFields, PublishError>
  }
  /** What the authorization server calls itself in `iss` (RFC 9207); left out where that is not known. */
  readonly issuer?: (fields: ConsentFields) => string
  readonly authorizeUrl: (request: ConsentRequest) => string
  /**
   * The accounts that the person may publish to, with the longest-lived tokens of the platform. Where one sign-in opens
   * several pages, the person chooses. Fails with `scopes_missing` as code when something that publishing needs was not
   * granted, and with `no_accounts` when there is nothing to connect.
   */
  readonly exchange: (
    request: ConsentRequest & { readonly code: string }
  ) => Effect.Effect<ReadonlyArray<ConnectedAccount>, PublishError>
}

/** The access to an account that a platform grants. */
export interface GrantedAccess {
  readonly platform: PlatformId
  readonly remote_id: string
  readonly credentials: Credentials
}

/** Revokes a person's consent at the platform. */
export interface Revocation {
  /** Whether revoking the one would end the other too; true also where that is unknown. */
  readonly shared: (one: GrantedAccess, other: GrantedAccess) => boolean
  /** Other platforms whose accounts the same consent may cover: they are asked about, too. */
  readonly beside?: ReadonlyArray<PlatformId>
  /** `not_offered` where the platform has no such call for these credentials. */
  readonly revoke: (credentials: Credentials) => Effect.Effect<"revoked" | "not_offered", PublishError>
}

/** The platform's data of the post, with warnings for the parts that it refused. */
export const withWarnings = (data: PlatformData, warnings: ReadonlyArray<string>): PlatformData =>
  warnings.length === 0 ? data : { ...data, warnings }

/** The warning of a post whose review goes on. It is taken back when that ends. */
export const inReview = "The post is in review: the network may still reject it."

/** An image ready to send: converted and scaled to the platform's rules unless the post forbids it. */
export interface FittedImage {
  readonly bytes: Uint8Array
  readonly mime_type: string
  readonly width: number
  readonly height: number
}

export interface PublishMedia {
  readonly id: string
  readonly kind: "image" | "video" | "document"
  readonly name: string
  readonly mime_type: string
  readonly size_bytes: number
  readonly width: number | null
  readonly height: number | null
  readonly duration_ms: number | null
  readonly sha256: string
  readonly alt_text: string | null
  /** Images only. Fails with `invalid` or `media_rejected`. */
  readonly image: Effect.Effect<FittedImage, PublishError>
  /** The stored bytes, or those of a converted video; the other fields describe the same bytes. */
  readonly content: Stream.Stream<Uint8Array, PublishError>
  /** A part of them. */
  readonly part: (range: ByteRange) => Stream.Stream<Uint8Array, PublishError>
  /**
   * An address from which the platform can fetch the item without a credential for 24 hours or more: ASCII, no redirect,
   * `HEAD` and byte ranges. An image has the bytes of `image`, the same for each request. Fails as `image` does,
   * and with `platform_cannot_fetch` (class `config`) where the platform does not reach this instance.
   */
  readonly public_url: Effect.Effect<string, PublishError>
}

/** One of the posts that follow a post. */
export interface FollowingItem {
  readonly caption: string
  readonly media: ReadonlyArray<PublishMedia>
}

/**
 * The place of a request in a thread. Platforms whose rules have `chains` get it, and their adapters publish:
 *
 * - with `chains.at_once`: the request's own caption and media and all of `rest` in one commit, all or nothing. It answers
 *   with `WholeThread`. `prepare` uploads the media of `rest` too. `index` is always 0.
 * - without: this one item, as an answer to `parent`. The engine makes a request for each item when the one before is live,
 *   with a marker, a handle and tries of its own, so `prepare`, `commit` and `reconcile` know nothing of the others.
 */
export interface PlaceInThread {
  /** 0 is the post itself. */
  readonly index: number
  /** How many items the thread has. */
  readonly count: number
  /** The first item, and the one to answer; null for the first. `id` is the address where a person confirmed it. */
  readonly root: PlatformData | null
  readonly parent: PlatformData | null
  /** The items that follow; empty where each is a request of its own. */
  readonly rest: ReadonlyArray<FollowingItem>
}

/** One target, resolved: overrides applied, media at hand. A thread that goes out item by item has one for each item. */
export interface PublishRequest {
  /**
   * What to call this commit at the platform, where it takes a key or a reference. It is the same at every try. Each item
   * of a thread has its own: the target's id, and for the items after the first `-1`, `-2` and so on behind it.
   */
  readonly target_id: string
  readonly remote_id: string
  readonly username: string
  /** The destination of this target, where an account of the platform has several. */
  readonly board_id: string | null
  /** The account's audience of posts that name none. */
  readonly default_privacy_level: string | null
  readonly caption: string
  readonly media: ReadonlyArray<PublishMedia>
  /** The image of an option (`cover_image`, `thumbnail`). */
  readonly cover: PublishMedia | null
  /**
   * The frame at `video_cover_timestamp_ms`, where the platform's rules say that it is sent as an image and no
   * option names one. Cut at its first use, and kept for two days.
   */
  readonly cover_frame: Effect.Effect<Pick<FittedImage, "bytes" | "mime_type">, PublishError> | null
  /** The post's `platform_configurations` entry for this platform, decoded. */
  readonly options: { readonly [key: string]: unknown }
  /** Null: not a thread. The options are the same for all items, except those of `chains.first_only`. */
  readonly thread: PlaceInThread | null
  readonly due_at: DateTime.Utc
}

/** `ready`: the commit can follow. `wait`: poll again after the time given. */
export type Prepared =
  | { readonly _tag: "ready"; readonly handle: Handle }
  | { readonly _tag: "wait"; readonly handle: Handle; readonly poll_after: Duration.Duration }

/**
 * The answer to a commit when the platform accepts the post and works on it before it is live or refused: `reconcile`
 * asks for the outcome with this handle, after the given time.
 */
export class Accepted extends Data.TaggedClass("Accepted")<{
  readonly handle: Handle
  readonly ask_after: Duration.Duration
}> {}

/** The platform's data of every item of a thread published in one call, in order. They are complete: `confirm` is not asked. */
export class WholeThread extends Data.TaggedClass("WholeThread")<{
  readonly items: ReadonlyArray<PlatformData>
}> {}

/**
 * `thread_published`: the same as `published`, for a thread published in one call.
 * `working`: the platform has it and is not done; it is asked again with this handle after the given time.
 * `refused`: certainly nothing was published, for this reason.
 * `exact`: with `by_words`, the platform itself named this post when it answered the commit, or the post shows a file that was
 * sent for it alone, so that no other can be it.
 */
export type Reconciled =
  | { readonly _tag: "published"; readonly data: PlatformData; readonly exact?: true }
  | { readonly _tag: "thread_published"; readonly thread: WholeThread }
  | { readonly _tag: "not_published" }
  | { readonly _tag: "working"; readonly handle: Handle; readonly ask_after: Duration.Duration }
  | { readonly _tag: "refused"; readonly failure: PublishError }
  | { readonly _tag: "unknown" }

/**
 * A published post of the account whose review is asked for.
 * `data` is as `commit` and `confirm` gave it, with what earlier reviews found.
 */
export interface ReviewedPost {
  readonly data: PlatformData
  /** The account, as in `PublishRequest`. */
  readonly remote_id: string
}

/** `reason` is in the platform's own words; null: it gives none. */
export type Reviewed =
  | { readonly _tag: "pending" }
  | { readonly _tag: "approved" }
  | { readonly _tag: "rejected"; readonly reason: string | null }

/** A comment below a live post of the account's own. */
export interface FirstComment {
  readonly text: string
  readonly post: PlatformData
  /** The account, as in `PublishRequest`. */
  readonly remote_id: string
  readonly username: string
}

/**
 * Which of these posts, by the platform's ids or by their addresses, belong to another post of this instance: one that it
 * published, or that a person confirmed. Call it once, with all that was found: a moment before there may have been fewer, and
 * where one is known to be this post, all others are not.
 */
export type Taken = (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>

/** What the operator lets a platform charge. */
export interface Charges {
  /** There is a budget, so that a post that may pass it is planned in a transaction. */
  readonly isLimited: boolean
  /** Looks for what will stop posts within a day; `warning` says it then. */
  readonly look: Effect.Effect<void>
  /**
   * Why a post that is due then and costs so much would pass the budget, in millionths of a US dollar; null: it would not.
   * Until the transaction ends nobody else is told that there is room. `except`: the post that is planned anew.
   */
  readonly refuses: (
    due: DateTime.Utc,
    cost: number,
    except: PostId | null
  ) => Effect.Effect<{ readonly sentence: string; readonly limit: number; readonly value: number } | null>
}

/**
 * The interface of every platform. An adapter translates: it stores nothing, retries nothing, logs no secret.
 * All failures are `PublishError`; a transport failure or 5xx on `commit` is `ambiguous`, anywhere else `transient`.
 */
export interface Platform {
  readonly id: PlatformId
  readonly rules: PlatformRules
  /** It is the test network's stand-in, which fetches from this machine whatever PUBLIC_URL is. */
  readonly stand_in?: boolean
  /** What will stop the posts of all its accounts unless the operator acts; null: nothing. */
  readonly warning?: Effect.Effect<string | null>
  /** Where the platform's calls cost the operator money. */
  readonly charges?: Charges
  /** The address of an account's own server, on networks of many: some of them are the test network's. */
  readonly serverOf?: (credentials: Credentials) => Effect.Effect<string, PublishError>
  readonly capabilities: {
    /**
     * `replay`: the same commit again has the same effect (a key or a chosen id), so it may be repeated.
     * `lookup`: the platform can be asked whether a commit worked. `none`: neither. A key may hold for some minutes only.
     */
    readonly reconcile: (
      target: Pick<PublishRequest, "username" | "remote_id" | "due_at">,
      now: DateTime.Utc
    ) => "replay" | "lookup" | "none"
    /**
     * A look-up may know a post by what it says, not by a key. The engine then remembers the id of every post that it
     * publishes, and believes in a post that was found only when no other commit to the account can still turn out to be it.
     */
    readonly by_words?: boolean
    /** How long before the due time `prepare` may start: its uploads must still be there at the due time. */
    readonly prepare_ahead: Duration.Duration
    /** The same for text alone, where that is better not done at the last moment. */
    readonly prepare_text_ahead?: Duration.Duration
    /** How long after a lost reply the platform may still be at work; an earlier lookup proves nothing. */
    readonly settle_wait: Duration.Duration
    /** The pause after a lookup that found nothing; only the second one is believed. */
    readonly lookup_apart: Duration.Duration
    /** How many commits may be under way at once. */
    readonly concurrent_commits: number
    /** The longest time for one commit call. */
    readonly commit_timeout: Duration.Duration
  }
  /** Fields of handles that let a holder act, such as an upload's address: stored encrypted. */
  readonly secret_handle_fields?: ReadonlyArray<string>
  /** For platforms with a consent page of their own. */
  readonly oauth?: OAuthConnect
  /** Where the platform offers revoking an account's access. */
  readonly revocation?: Revocation
  /**
   * Checks credentials that a person typed. Fails with `credentials_rejected` as code when they are wrong. Missing
   * where accounts are connected on the consent page alone.
   */
  readonly connect?: (credentials: unknown) => Effect.Effect<ConnectedAccount, PublishError>
  /**
   * The account's present choices, under the names of their options: audiences, boards, playlists. They are for the
   * options endpoint and decide nothing.
   */
  readonly choices?: (
    credentials: Credentials,
    remote_id: string
  ) => Effect.Effect<{ readonly [name: string]: Schema.Json }, PublishError>
  /** The account's present destinations, for platforms whose rules have `destinations`. */
  readonly destinations?: (
    credentials: Credentials
  ) => Effect.Effect<ReadonlyArray<Destination>, PublishError>
  /** The account's own limits, on networks whose accounts differ. */
  readonly limits?: (credentials: Credentials) => Effect.Effect<AccountLimits, PublishError>
  /** New tokens for old ones. `reconnect` only when the platform refuses the refresh itself. */
  readonly refresh: (credentials: Credentials) => Effect.Effect<
    {
      readonly credentials: Credentials
      readonly token_expires_at: DateTime.Utc | null
      /** Left out: as it was. */
      readonly access_expires_at?: DateTime.Utc
    },
    PublishError
  >
  /**
   * Everything before the commit, with no visible effect: uploads, containers. `handle` is from an earlier run,
   * or null; `save` stores a handle before the next call uses it. Repeatable.
   */
  readonly prepare: (
    request: PublishRequest,
    credentials: Credentials,
    handle: Handle | null,
    save: (handle: Handle) => Effect.Effect<void, PublishError>
  ) => Effect.Effect<Prepared, PublishError>
  /** Asks whether the platform has processed the uploads of `prepare`. */
  readonly poll: (
    request: PublishRequest,
    credentials: Credentials,
    handle: Handle
  ) => Effect.Effect<Prepared, PublishError>
  /** The one irreversible call. `WholeThread` only for a thread of `chains.at_once`, `Accepted` only where `capabilities.reconcile` is `lookup`. */
  readonly commit: (
    request: PublishRequest,
    credentials: Credentials,
    handle: Handle
  ) => Effect.Effect<PlatformData | WholeThread | Accepted, PublishError>
  /**
   * Asks whether a commit worked, after a lost reply or while the platform works on it. With `by_words` it leaves out
   * what is `taken`, reads on until the due time within a bound, and answers `unknown` where that was not enough. A network
   * that shows no posts but refuses duplicates is asked by the same commit once more.
   */
  readonly reconcile: (
    request: PublishRequest,
    credentials: Credentials,
    handle: Handle,
    taken: Taken
  ) => Effect.Effect<Reconciled, PublishError>
  /**
   * Where the platform reviews posts after they were published: what it has found. It changes nothing. Asked of posts, not of
   * threads, whose data from `commit` or `reconcile` has a `review`: again and again while that is `pending`, once more a day
   * after it was `approved`, and for seven days at most. null: the post is there no more.
   */
  readonly review?: (
    post: ReviewedPost,
    credentials: Credentials
  ) => Effect.Effect<Reviewed | null, PublishError>
  /** First comments, where the rules have them. The server posts one when the post is live, and looks for it after a lost reply. */
  readonly comments?: {
    /** Irreversible, and as ambiguous as `commit`. Gives the platform's id of the comment. */
    readonly create: (comment: FirstComment, credentials: Credentials) => Effect.Effect<string, PublishError>
    /** `unknown` where the platform lets nobody read it. */
    readonly find: (
      comment: FirstComment,
      credentials: Credentials
    ) => Effect.Effect<{ readonly id: string } | "not_published" | "unknown", PublishError>
  }
  /** Completes the data of a published post (permalink). Its failure changes nothing. */
  readonly confirm: (
    request: PublishRequest,
    credentials: Credentials,
    handle: Handle,
    data: PlatformData
  ) => Effect.Effect<PlatformData, PublishError>
}
