import {
  badRequest,
  type BadRequest,
  type ClientAnswer,
  type ClientReview,
  type Conflict,
  creatorOf,
  type CreateReviewLink,
  CurrentActor,
  type Forbidden,
  hasScope,
  mostClientReviews,
  mostReviewLinks,
  type NewReviewLink,
  type NotFound,
  oneLine,
  type PreconditionFailed,
  problem,
  type ReviewLink,
  reviewLinkLifetime,
  SocialAccountId,
  type TooManyRequests,
  type Unauthorized
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { actingCredential, Audit } from "../audit/Audit.ts"
import { memberActor } from "../auth/Admission.ts"
import { Members } from "../auth/Members.ts"
import { hashId } from "../crypto/hashId.ts"
import { Events } from "../events/Events.ts"
import { RateLimit } from "../http/RateLimit.ts"
import { PostAccess } from "../posts/PostAccess.ts"
import type { PostRow } from "../posts/PostColumns.ts"
import { contentOf } from "../posts/PostContent.ts"
import { Posts } from "../posts/Posts.ts"
import { makeResolvedPost } from "../posts/ResolvedPost.ts"
import { type OpenedLink, ReviewLinkRepository } from "./ReviewLinkRepository.ts"
import { clientView, type ClientView, isOpen } from "./ClientView.ts"

/**
 * Links with which somebody without an account sees a post and answers. Tokens are stored as hashes only.
 * docs/decisions/0115-client-reviews.md
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class ClientReviews extends Context.Service<
  ClientReviews,
  {
    links(
      postId: string
    ): Effect.Effect<ReadonlyArray<ReviewLink>, Forbidden | NotFound | Conflict, CurrentActor>
    createLink(
      postId: string,
      asked: CreateReviewLink
    ): Effect.Effect<NewReviewLink, Forbidden | NotFound | Conflict, CurrentActor>
    revokeLink(
      postId: string,
      id: string
    ): Effect.Effect<string, Forbidden | NotFound | Conflict, CurrentActor>
    /** Newest first. */
    all(postId: string): Effect.Effect<ReadonlyArray<ClientReview>, NotFound, CurrentActor>
    /** The link of a token, whose refusals are counted as those of any credential. */
    open(
      token: string
    ): Effect.Effect<OpenedLink, Unauthorized | TooManyRequests, HttpServerRequest.HttpServerRequest>
    /** The post as the client sees it. */
    show(link: OpenedLink): Effect.Effect<ClientView, NotFound>
    /** Keeps what the client says of the version that they saw. A yes approves where the workspace says so. */
    answer(
      link: OpenedLink,
      given: ClientAnswer
    ): Effect.Effect<void, BadRequest | NotFound | Conflict | PreconditionFailed>
  }
>()("@carillon/server/reviews/ClientReviews") {
  static readonly layer = Layer.effect(
    ClientReviews,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { publicUrl } = yield* AppConfig
      const repository = yield* ReviewLinkRepository
      const access = yield* PostAccess
      const posts = yield* Posts
      const members = yield* Members
      const limits = yield* RateLimit
      const events = yield* Events
      const audit = yield* Audit
      const resolve = yield* makeResolvedPost

      const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        sql.withTransaction(effect).pipe(Effect.catchTag("SqlError", Effect.die))

      /** A post about which the credential may ask. */
      const askedAbout = Effect.fnUntraced(function* (text: string, find: typeof access.find = access.find) {
        yield* access.personOnly("Asking a client about a post")
        const row = yield* find(text)
        yield* access.requireWhole(row)
        return row
      })

      const recorded = Effect.fnUntraced(function* (
        action: "review_link.created" | "review_link.revoked",
        { id }: PostRow
      ) {
        const { workspace_id } = yield* CurrentActor
        const subject = { type: "post", id, name: null } as const
        yield* audit.record({ workspace_id, actor: yield* actingCredential, action, subject })
      })

      const createLink = Effect.fn("ClientReviews.createLink")(function* (
        text: string,
        { expires_in, name }: CreateReviewLink
      ) {
        const actor = yield* CurrentActor
        // Locked, so that two at once are counted.
        const row = yield* askedAbout(text, access.lock)
        const now = yield* DateTime.now
        yield* repository.deleteExpired(row.id, now)
        if ((yield* repository.links(row.id, now)).length >= mostReviewLinks) {
          return yield* problem(
            "review_link_limit_reached",
            `The post ${row.id} has ${mostReviewLinks} review links that still work. Revoke one first.`
          )
        }
        const token = randomBytes(32).toString("base64url")
        const link = {
          id: SecureRandom.uuidV7Unsafe(),
          post_id: row.id,
          name: name ?? null,
          created_by: creatorOf(actor),
          created_at: now,
          expires_at: DateTime.add(now, { seconds: expires_in ?? reviewLinkLifetime }),
          last_opened_at: null
        }
        yield* repository.insert({
          ...link,
          workspace_id: actor.workspace_id,
          member_id: actor.member?.id ?? null,
          token_hash: hashId(token)
        })
        yield* recorded("review_link.created", row)
        // Browsers send no fragment: the token is in no address that a proxy logs, and in no Referer.
        return { ...link, url: `${publicUrl}/review#${token}` }
      }, transaction)

      const revokeLink = Effect.fn("ClientReviews.revokeLink")(function* (text: string, id: string) {
        const row = yield* askedAbout(text)
        const revoked = yield* repository.revoke(row.id, id)
        if (Option.isNone(revoked)) {
          return yield* problem(
            "not_found",
            `The post ${row.id} has no review link ${JSON.stringify(id.slice(0, 100))}.`
          )
        }
        yield* recorded("review_link.revoked", row)
        return revoked.value
      }, transaction)

      const links = Effect.fn("ClientReviews.links")(function* (text: string) {
        const { id } = yield* askedAbout(text)
        return yield* repository.links(id, yield* DateTime.now)
      })

      const all = Effect.fn("ClientReviews.all")(function* (text: string) {
        const { id } = yield* access.find(text)
        return (yield* repository.reviews(id)).map(({ link_id: _, version, ...review }) => ({
          ...review,
          version: String(version)
        }))
      })

      const found = Effect.fnUntraced(function* (token: string) {
        const link = isToken.test(token) ? yield* repository.byToken(hashId(token)) : Option.none()
        if (Option.isNone(link)) {
          return yield* problem(
            "review_link_invalid",
            "This review link does not work: it was revoked, its post was deleted, or it was not copied completely."
          )
        }
        const now = yield* DateTime.now
        const { expires_at, id, last_opened_at: last } = link.value
        if (DateTime.isLessThanOrEqualTo(expires_at, now)) {
          return yield* problem(
            "review_link_invalid",
            `This review link expired at ${DateTime.formatIso(expires_at)}.`
          )
        }
        if (last === null || DateTime.isGreaterThan(now, DateTime.add(last, { minutes: 1 }))) {
          yield* repository.opened(id, now)
        }
        return link.value
      })

      const show = Effect.fn("ClientReviews.show")(
        function* (link: OpenedLink) {
          const row = yield* access.find(link.post_id)
          const said = yield* repository.reviews(row.id)
          return clientView(link, row, yield* resolve(contentOf(row)), said)
        },
        (shown, link) => Effect.provideService(shown, CurrentActor, readerOf(link))
      )

      /** Keeps it, if the client has seen the present version; what the post is then. */
      const keep = Effect.fnUntraced(
        function* (link: OpenedLink, { answer, comment, name, version }: ClientAnswer) {
          const row = yield* access.lock(link.post_id)
          if (!isOpen(row)) return yield* problem("review_closed", "The post has gone out.")
          if (version !== String(row.version)) {
            return yield* problem("stale_version", "The post has changed since it was shown.")
          }
          if ((yield* repository.reviews(row.id)).length >= mostClientReviews) {
            return yield* problem(
              "review_limit_reached",
              `The post has ${mostClientReviews} answers and takes no more.`
            )
          }
          const review = {
            id: SecureRandom.uuidV7Unsafe(),
            name,
            answer,
            comment: comment?.trim() || null,
            created_at: yield* DateTime.now
          }
          yield* repository.insertReview({
            ...review,
            version: row.version,
            post_id: row.id,
            link_id: link.id
          })
          yield* events.append([
            {
              type: "post.reviewed",
              workspace_id: link.workspace_id,
              subject: row.id,
              data: {
                id: row.id,
                social_accounts: row.social_accounts.map((id) => SocialAccountId.make(id)),
                review: { ...review, version, link_name: link.name }
              }
            }
          ])
          return row
        },
        (kept, link) => transaction(Effect.provideService(kept, CurrentActor, readerOf(link)))
      )

      /** Approves in the name of the member who made the link, as far as that one may still do so. */
      const approve = Effect.fnUntraced(function* (link: OpenedLink, { id, version }: PostRow, name: string) {
        if (link.member_id === null) return
        const seat = yield* members.seat(link.member_id, link.workspace_id)
        if (Option.isNone(seat)) return
        const actor = memberActor(seat.value)
        if (!hasScope(actor.scopes, "posts:publish")) return
        const member = { ...actor.member!, name: `${name} (client)` }
        yield* posts.update(id, { approve: {} }, String(version)).pipe(
          Effect.provideService(CurrentActor, { ...actor, member }),
          // Its time has passed, or it cannot go out: the yes is kept, and a person decides.
          Effect.catch(({ code }) => Effect.logDebug("a client's yes approved nothing", { code }))
        )
      })

      const answer = Effect.fn("ClientReviews.answer")(function* (link: OpenedLink, given: ClientAnswer) {
        const name = oneLine(given.name).trim()
        if (name === "") {
          return yield* badRequest([
            { path: "name", code: "invalid_value", message: "name is empty; say who you are." }
          ])
        }
        const row = yield* keep(link, { ...given, name })
        if (given.answer === "yes" && link.client_approval && row.approval?.status === "waiting") {
          yield* approve(link, row, name)
        }
      })

      return ClientReviews.of({
        links,
        createLink,
        revokeLink,
        all,
        open: (token) => limits.guard(token, found(token)),
        show,
        answer
      })
    })
  ).pipe(Layer.provide([ReviewLinkRepository.layer, PostAccess.layer, Events.layer, RateLimit.layer]))
}

const isToken = /^[A-Za-z0-9_-]{43}$/

/** Reads for the page of a link, and changes nothing. */
const readerOf = ({ timezone, workspace_id }: OpenedLink): CurrentActor["Service"] => ({
  workspace_id,
  timezone,
  key_id: null,
  key_name: null,
  member: null,
  member_id: null,
  grant: null,
  instance: false,
  scopes: ["posts:read", "media:read", "accounts:read"],
  social_accounts: null
})
