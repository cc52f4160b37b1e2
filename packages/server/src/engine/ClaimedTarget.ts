import {
  AccountLimits,
  PlatformData,
  PlatformId,
  ResultError,
  SocialAccountStatus,
  TargetState,
  type WorkspaceId
} from "@carillon/domain"
import { DateTime, Result, Schema, Struct } from "effect"
import { schemasOf } from "../sql/Columns.ts"
import { contentDocuments, emptyContent, type StoredContent } from "./ContentColumns.ts"
import type { Handle } from "./Handle.ts"

const steps = ["prepare", "poll", "commit"] as const

/** A claim. With another fence it is no longer ours. */
export interface ClaimRef {
  readonly id: string
  readonly fence: number
}

/** A target that this process holds, with everything for publishing it. */
export interface ClaimedTarget extends StoredContent {
  readonly id: string
  readonly fence: number
  /** `claimed`, or `unknown` when its commit may have worked already. */
  readonly state: TargetState
  readonly taken_over: boolean
  readonly post_id: string
  readonly workspace_id: WorkspaceId
  readonly lateness_limit_seconds: number
  readonly social_account_id: number
  readonly platform: PlatformId
  readonly board_id: string | null
  readonly due_at: DateTime.Utc
  /** When its first step may start. */
  readonly prepare_at: DateTime.Utc
  readonly marked_at: DateTime.Utc | null
  /** When the platform was last asked about the commit and did not know it. */
  readonly looked_up_at: DateTime.Utc | null
  readonly handle: Handle | null
  readonly step: (typeof steps)[number]
  readonly attempts: number
  readonly error: ResultError | null
  /** How many items its thread has; null: not a thread. */
  readonly item_count: number | null
  /** Those that are live. The next step is about the item that follows; null: a person has seen it, and gave no address. */
  readonly items: ReadonlyArray<PlatformData | null>
  readonly remote_id: string
  readonly username: string
  readonly default_privacy_level: string | null
  readonly limits: AccountLimits | null
  readonly account_status: SocialAccountStatus
  /** The service connected the account itself, on the test network. */
  readonly is_demo: boolean
  readonly paused_until: DateTime.Utc | null
  /** Encrypted; null once disconnected. */
  readonly credentials: Uint8Array | null
}

/** The key of a commit at the platform: the target's id, and the item's place after the first item of a thread. */
export const commitKey = ({ id }: Pick<ClaimedTarget, "id">, index: number) =>
  index === 0 ? id : `${id}-${index}`

type Instants = "due_at" | "prepare_at" | "marked_at" | "looked_up_at" | "paused_until"
type Words = "state" | "platform" | "step" | "account_status"
type Documents = "handle" | "error" | "items" | "limits" | keyof typeof contentDocuments

/** A row as the driver gives it. Column types are certain; words and documents may be another release's. */
export type ClaimedRow = Omit<ClaimedTarget, Instants | Words | Documents | "social_account_id"> & {
  readonly social_account_id: bigint
} & { readonly [Name in Instants]: null extends ClaimedTarget[Name] ? Date | null : Date } & {
  readonly [Name in Words]: string
} & { readonly [Name in Documents]: unknown }

const decodeDocuments = Schema.decodeUnknownSync(
  Schema.Struct({
    handle: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
    error: Schema.NullOr(ResultError),
    items: Schema.Array(Schema.NullOr(PlatformData)),
    limits: Schema.NullOr(AccountLimits),
    ...schemasOf(contentDocuments)
  })
)
const documentNames = Struct.keys(contentDocuments)
const none = {
  handle: null,
  error: null,
  items: [],
  limits: null,
  ...Struct.pick(emptyContent, documentNames)
}

/** Most targets have none. */
const documentsOf = (row: ClaimedRow) =>
  row.handle === null &&
  row.error === null &&
  row.item_count === null &&
  row.limits === null &&
  documentNames.every((name) => row[name] === null)
    ? none
    : decodeDocuments(row)

const oneOf = <Word extends string>(name: Words, words: ReadonlyArray<Word>) => {
  const known: ReadonlySet<string> = new Set(words)
  return (row: ClaimedRow): Word => {
    if (!known.has(row[name]))
      throw new TypeError(`${name} is ${row[name]}, which this release does not know`)
    return row[name] as Word
  }
}
const stateOf = oneOf("state", TargetState.literals)
const platformOf = oneOf("platform", PlatformId.literals)
const stepOf = oneOf("step", steps)
const accountStatusOf = oneOf("account_status", SocialAccountStatus.literals)

const instant = (at: Date | null) => (at === null ? null : DateTime.fromDateUnsafe(at))

/**
 * Read column by column and not by a schema: this runs for each target of a backlog, and a schema of 27 fields took a
 * twelfth of the process's time.
 */
export const readClaimed = (row: ClaimedRow): Result.Result<ClaimedTarget, unknown> =>
  Result.try(() => ({
    ...row,
    ...documentsOf(row),
    state: stateOf(row),
    platform: platformOf(row),
    step: stepOf(row),
    account_status: accountStatusOf(row),
    social_account_id: Number(row.social_account_id),
    due_at: DateTime.fromDateUnsafe(row.due_at),
    prepare_at: DateTime.fromDateUnsafe(row.prepare_at),
    marked_at: instant(row.marked_at),
    looked_up_at: instant(row.looked_up_at),
    paused_until: instant(row.paused_until)
  }))
