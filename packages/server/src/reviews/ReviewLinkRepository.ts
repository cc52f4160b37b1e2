import { ClientReview, CreatedBy, mostClientReviews, PostId, WorkspaceId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"

const listed = {
  id: Schema.String,
  post_id: PostId,
  name: Schema.NullOr(Schema.String),
  created_by: CreatedBy,
  created_at: Instant,
  expires_at: Instant,
  last_opened_at: Schema.NullOr(Instant)
}

const OpenedLink = Schema.Struct({
  ...listed,
  /** In whose name a yes approves. */
  member_id: Schema.NullOr(Schema.String),
  workspace_id: WorkspaceId,
  workspace_name: Schema.String,
  timezone: Schema.String,
  client_approval: Schema.Boolean
})
/** A link that somebody came by, with its workspace. */
export interface OpenedLink extends Schema.Schema.Type<typeof OpenedLink> {}

const NewLink = Schema.Struct({
  ...listed,
  member_id: Schema.NullOr(Schema.String),
  workspace_id: WorkspaceId,
  token_hash: Schema.Uint8Array
})

const ReviewRow = Schema.Struct({
  ...ClientReview.fields,
  version: Schema.Int,
  created_at: Instant,
  link_id: Schema.NullOr(Schema.String)
})

const NewReview = Schema.Struct({
  id: Schema.String,
  post_id: PostId,
  link_id: Schema.String,
  name: Schema.String,
  answer: ClientReview.fields.answer,
  comment: Schema.NullOr(Schema.String),
  version: Schema.Int,
  created_at: Instant
})

export class ReviewLinkRepository extends Context.Service<ReviewLinkRepository>()(
  "@carillon/server/reviews/ReviewLinkRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const columns = sql.literal(
        "l.id, l.post_id, l.name, l.created_by, l.created_at, l.expires_at, l.last_opened_at"
      )

      const insert = SqlSchema.void({
        Request: NewLink,
        execute: (link) =>
          sql`insert into review_links ${sql.insert({ ...link, created_by: sql.json(link.created_by) })}`
      })

      const links = SqlSchema.findAll({
        Request: Schema.Struct({ post_id: PostId, now: Instant }),
        Result: Schema.Struct(listed),
        execute: ({ now, post_id }) => sql`
          select ${columns} from review_links l where l.post_id = ${post_id} and l.expires_at > ${now}
          order by l.created_at desc, l.id desc`
      })

      const byToken = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: OpenedLink,
        execute: (hash) => sql`
          select ${columns}, l.member_id, l.workspace_id, w.name as workspace_name, w.timezone, w.client_approval
          from review_links l join workspaces w on w.id = l.workspace_id where l.token_hash = ${hash}`
      })

      const insertReview = SqlSchema.void({
        Request: NewReview,
        execute: (review) => sql`insert into client_reviews ${sql.insert(review)}`
      })

      const reviews = SqlSchema.findAll({
        Request: PostId,
        Result: ReviewRow,
        execute: (postId) => sql`
          select r.id, r.name, r.answer, r.comment, r.version, r.created_at, r.link_id, l.name as link_name
          from client_reviews r left join review_links l on l.id = r.link_id where r.post_id = ${postId}
          order by r.created_at desc, r.id desc limit ${mostClientReviews}`
      })

      const at = (time: DateTime.Utc) => DateTime.toDateUtc(time)

      return {
        insert: (link: typeof NewLink.Type) => Effect.orDie(insert(link)),
        /** Those that still work. */
        links: (post_id: PostId, now: DateTime.Utc) => Effect.orDie(links({ post_id, now })),
        byToken: (hash: Uint8Array) => Effect.orDie(byToken(hash)),
        opened: (id: string, now: DateTime.Utc) =>
          Effect.orDie(
            Effect.asVoid(sql`update review_links set last_opened_at = ${at(now)} where id = ${id}`)
          ),
        revoke: (postId: PostId, id: string) =>
          Effect.orDie(
            Effect.map(
              sql<{ id: string }>`
                delete from review_links where post_id = ${postId} and id::text = ${id.toLowerCase()} returning id`,
              ([row]) => Option.fromUndefinedOr(row?.id)
            )
          ),
        deleteExpired: (postId: PostId, now: DateTime.Utc) =>
          Effect.orDie(
            Effect.asVoid(
              sql`delete from review_links where post_id = ${postId} and expires_at <= ${at(now)}`
            )
          ),
        insertReview: (review: typeof NewReview.Type) => Effect.orDie(insertReview(review)),
        /** Newest first. */
        reviews: (postId: PostId) => Effect.orDie(reviews(postId))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
