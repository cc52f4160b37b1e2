import { Schema } from "effect"
import { CreatedBy } from "./CreatedBy.ts"
import { PostId, SocialAccountId } from "./Ids.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"
import { success } from "./Success.ts"

/** How many links of a post work at a time. */
export const mostReviewLinks = 10
/** How many answers a post takes, over all of its links. */
export const mostClientReviews = 200

const day = 86_400
const lifetime = { minimum: 3600, maximum: 90 * day }
export const reviewLinkLifetime = 30 * day

const name = (most: number) => Text.check(Schema.isBetweenLength(1, most))

const reviewLink = {
  id: field("A UUID, for the path of `DELETE`. It opens nothing.", Schema.String),
  post_id: field("The id of the post that the link shows.", PostId),
  name: field("Whom it is for, in words for people; null: nobody said.", Schema.NullOr(Schema.String)),
  created_by: field("The credential that made it.", CreatedBy),
  created_at: field("When it was made, in UTC.", Timestamp),
  expires_at: field("When it stops working, in UTC.", Timestamp),
  last_opened_at: field(
    "When somebody last opened it, in UTC and to the minute; null: nobody has.",
    Schema.NullOr(Timestamp)
  )
}

/** A link with which somebody without an account sees a post and answers. */
export const ReviewLink = Schema.Struct(reviewLink).annotate({ identifier: "ReviewLink" })
export interface ReviewLink extends Schema.Schema.Type<typeof ReviewLink> {}

/** The only answer that ever holds the address. */
export const NewReviewLink = Schema.Struct({
  ...reviewLink,
  url: field(
    "The address to send to the client. Who has it sees the post and answers. It is never shown again.",
    Schema.String
  )
}).annotate({ identifier: "NewReviewLink" })
export interface NewReviewLink extends Schema.Schema.Type<typeof NewReviewLink> {}

/** `POST /v1/posts/{id}/review-links`. */
export const CreateReviewLink = Schema.Struct({
  name: field(
    "Whom it is for, 1 to 100 characters, to tell links apart. null or absent: nobody is named.",
    Schema.optionalKey(Schema.NullOr(name(100)))
  ),
  expires_in: field(
    "For how many seconds it works: 3,600 (an hour) to 7,776,000 (90 days). null or absent: 30 days.",
    Schema.optionalKey(Schema.NullOr(Schema.Int.check(Schema.isBetween(lifetime))))
  )
}).annotate({ identifier: "CreateReviewLink" })
export interface CreateReviewLink extends Schema.Schema.Type<typeof CreateReviewLink> {}

export const ReviewLinkList = Schema.Struct({
  data: field(
    "The links of the post that still work, newest first.",
    Schema.Array(ReviewLink).check(Schema.isMaxLength(mostReviewLinks))
  )
}).annotate({ identifier: "ReviewLinkList" })

export const ReviewLinkRevoked = Schema.Struct({
  success,
  id: field("The id of the link that opens nothing any more. What was said with it stays.", Schema.String)
}).annotate({ identifier: "ReviewLinkRevoked" })

/** What a client said of a post. */
export const ClientReview = Schema.Struct({
  id: field("A version 7 UUID: later ones are greater.", Schema.String),
  name: field(
    "The name that the client gave. Nothing proves it: whoever has the link can give any.",
    Schema.String
  ),
  answer: field(
    "`yes` or `no`; null: a comment alone. Of one client the latest counts.",
    Schema.NullOr(Schema.Literals(["yes", "no"]))
  ),
  comment: field("What the client wrote; null: nothing.", Schema.NullOr(Schema.String)),
  version: field("The `version` of the post that the client saw.", Schema.String),
  link_name: field(
    "The `name` of the link that it came by; null: the link had none, or was revoked.",
    Schema.NullOr(Schema.String)
  ),
  created_at: field("When the client sent it, in UTC.", Timestamp)
}).annotate({ identifier: "ClientReview" })
export interface ClientReview extends Schema.Schema.Type<typeof ClientReview> {}

export const ClientReviewList = Schema.Struct({
  data: field(
    "What clients said of the post, newest first.",
    Schema.Array(ClientReview).check(Schema.isMaxLength(mostClientReviews))
  )
}).annotate({ identifier: "ClientReviewList" })

/** What a client sends from the page of a link. */
export const ClientAnswer = Schema.Struct({
  name: name(80),
  answer: Schema.NullOr(Schema.Literals(["yes", "no"])),
  comment: Schema.NullOr(name(2000)),
  /** The version that the client saw. */
  version: Schema.String.check(Schema.isMaxLength(20))
}).check(
  Schema.makeFilter(
    ({ answer, comment }) => (answer ?? comment) !== null || "says nothing: give an answer, a comment or both"
  )
)
export interface ClientAnswer extends Schema.Schema.Type<typeof ClientAnswer> {}

/** Which post a client answered about, and what they said. */
export const ReviewedPost = Schema.Struct({
  id: field("The id of the post.", PostId),
  social_accounts: field(
    "The ids of the accounts that it is for.",
    Schema.Array(SocialAccountId).check(Schema.isMaxLength(200))
  ),
  review: field("What the client said.", ClientReview)
})
