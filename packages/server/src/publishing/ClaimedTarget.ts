import {
  AccountConfiguration,
  PlatformConfigurations,
  PlatformId,
  ResultError,
  SocialAccountStatus,
  TargetState,
  WorkspaceId
} from "@carillon/domain"
import { Schema } from "effect"
import { Instant, Int8 } from "../sql/Rows.ts"

/** A target in the hands of this process, with everything that publishing it needs. */
export const ClaimedTarget = Schema.Struct({
  id: Schema.String,
  fence: Schema.Int,
  /** `claimed`, or `unknown` when its commit may have worked already. */
  state: TargetState,
  taken_over: Schema.Boolean,
  post_id: Schema.String,
  workspace_id: WorkspaceId,
  lateness_limit_seconds: Schema.Int,
  social_account_id: Int8,
  platform: PlatformId,
  board_id: Schema.NullOr(Schema.String),
  due_at: Instant,
  /** When its first step may start. */
  prepare_at: Instant,
  marked_at: Schema.NullOr(Instant),
  /** When the platform was asked after the last commit and knew nothing of it. */
  looked_up_at: Schema.NullOr(Instant),
  handle: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
  step: Schema.Literals(["prepare", "poll", "commit"]),
  attempts: Schema.Int,
  error: Schema.NullOr(ResultError),
  caption: Schema.NullOr(Schema.String),
  media: Schema.Array(Schema.String),
  platform_configurations: Schema.NullOr(PlatformConfigurations),
  account_configurations: Schema.NullOr(Schema.Array(AccountConfiguration)),
  processing_enabled: Schema.Boolean,
  remote_id: Schema.String,
  username: Schema.String,
  account_status: SocialAccountStatus,
  paused_until: Schema.NullOr(Instant),
  /** Encrypted; null once disconnected. */
  credentials: Schema.NullOr(Schema.Uint8Array)
})
export interface ClaimedTarget extends Schema.Schema.Type<typeof ClaimedTarget> {}
