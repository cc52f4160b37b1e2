import { CreatedBy, PostId, PostStatus, TargetId, UpdatedBy, WorkspaceId } from "@carillon/domain"
import { Schema, Struct } from "effect"
import { contentColumns } from "../engine/ContentColumns.ts"
import { column, namesOf, schemasOf } from "../sql/Columns.ts"
import { Instant, Int8 } from "../sql/Rows.ts"
import { StoredApproval } from "./StoredApproval.ts"
import { repairsOfPost } from "./RepairColumns.ts"

const approval = Schema.NullOr(StoredApproval)
const updatedBy = Schema.NullOr(UpdatedBy)
const { caption, ...content } = contentColumns

/** The columns of a post in the order in which statements list them. */
const columns = {
  id: column("uuid", PostId),
  status: column("text", PostStatus),
  caption,
  scheduled_at: column("timestamptz", Schema.NullOr(Instant)),
  /** The queue slot that the post holds. Jitter may put `scheduled_at` after it. */
  queue_slot: column("timestamptz", Schema.NullOr(Instant)),
  social_accounts: column("bigint[]", Schema.Array(Int8)),
  ...content,
  warnings: column("text[]", Schema.Array(Schema.String)),
  approval: column("jsonb", approval, Schema.encodeSync(approval)),
  /** `maker`: by `makerOf`; absent: it was created before this was recorded. */
  created_by: column(
    "jsonb",
    Schema.NullOr(Schema.Struct({ ...CreatedBy.fields, maker: Schema.optionalKey(Schema.String) }))
  ),
  updated_by: column("jsonb", updatedBy, Schema.encodeSync(updatedBy)),
  version: column("int", Schema.Int),
  created_at: column("timestamptz", Instant),
  updated_at: column("timestamptz", Instant),
  published_at: column("timestamptz", Schema.NullOr(Instant))
}

const { id, ...others } = columns

/** Those of which a new post says something. `updated_at` is `created_at` then. */
export const newPostColumns = {
  id,
  workspace_id: column("uuid", WorkspaceId),
  ...Struct.omit(others, ["updated_by", "updated_at", "published_at"])
}

/** Those that an edit writes; it raises `version` too. */
export const editedColumns = Struct.omit(others, [
  "created_by",
  "version",
  "created_at",
  "updated_at",
  "published_at"
])

export const PostRow = Schema.Struct({
  ...schemasOf(columns),
  /** The failed results that it goes out instead of; null: it is no repair. */
  repairs: Schema.NullOr(Schema.Array(Schema.Struct({ social_account_id: Schema.Int, target_id: TargetId })))
})
export interface PostRow extends Schema.Schema.Type<typeof PostRow> {}

/** What `select` names of a post `p`, for a `PostRow`. */
export const postColumns = `${namesOf(columns, "p")}, ${repairsOfPost}`

const contentsColumns = { id, ...Struct.omit(contentColumns, ["processing_enabled"]) }

/** What a post consists of, without its time and what became of it. */
export const ContentRow = Schema.Struct(schemasOf(contentsColumns))
export interface ContentRow extends Schema.Schema.Type<typeof ContentRow> {}

export const contentRowColumns = namesOf(contentsColumns, "p")
