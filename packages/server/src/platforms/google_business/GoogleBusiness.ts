import { type PlatformData, platformRules } from "@carillon/domain"
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { Handle } from "../../engine/Handle.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { googleCredentials, googleIssuer, type GoogleNetwork, googleSignIn } from "../google/GoogleSignIn.ts"
import {
  Accepted,
  type GrantedAccess,
  inReview,
  type Platform,
  PublishError,
  type PublishRequest,
  type Reconciled,
  type Reviewed,
  withWarnings
} from "../Platform.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { readHandleWith } from "../StoredHandle.ts"
import { googleBusinessApi } from "./GoogleBusinessApi.ts"
import { commitTimeout, type LocalPost, localPosts } from "./LocalPosts.ts"
import { ownLocations } from "./Locations.ts"

const access: GoogleNetwork = { platform: "Google Business", needed: ["business.manage"] }

const readCredentials = decodeCredentials(
  Schema.Struct({
    ...googleCredentials,
    /** `accounts/1`, through which the location is reached. */
    account: Schema.String,
    /** The account of the person who signed in; left out where Google did not list it. */
    person: Schema.optionalKey(Schema.String)
  }),
  access.platform
)

const GoogleBusinessHandle = Schema.Struct({
  /** The names of posts, `locations/2/localPosts/3`, before this one was sent; null where they could not be seen. */
  seen: Schema.NullOr(Schema.Array(Schema.String)),
  /** The post that Google made, and how often it was asked about it. */
  name: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.NullOr(Schema.String)),
  looks: Schema.optionalKey(Schema.Int)
})
type GoogleBusinessHandle = typeof GoogleBusinessHandle.Type

const decodeHandle = Schema.decodeUnknownOption(GoogleBusinessHandle)
const readHandle = readHandleWith(decodeHandle, access.platform)
const toHandle = (handle: GoogleBusinessHandle): Handle => ({ ...handle })

/** After this many looks, two minutes, a post that Google still reviews counts as published: it has a name. */
const patience = 12

export interface GoogleBusinessSettings {
  /** How long after a lost reply Google may still be at work, and how long between two looks. */
  readonly settle_wait: Duration.Duration
}

/** Posts of Google Business Profile: https://developers.google.com/my-business/content/posts-data */
export const makeGoogleBusiness = (
  client: HttpClient.HttpClient,
  app: ConnectedApp,
  { settle_wait }: GoogleBusinessSettings
): Platform => {
  const signIn = googleSignIn(client, app, access)
  const api = googleBusinessApi(client, app)
  const posts = localPosts(api)

  const dataOf = (request: PublishRequest, handle: GoogleBusinessHandle, review: Reviewed["_tag"]) => {
    const { name, url = null } = handle
    const data: PlatformData = { id: name!, url, username: request.username, review }
    return review === "approved" ? data : withWarnings(data, [inReview])
  }

  /** How it stands with a post that Google has named. */
  const standing = (
    request: PublishRequest,
    before: GoogleBusinessHandle,
    { name, searchUrl, state }: LocalPost
  ): Extract<Reconciled, { readonly _tag: "published" | "working" | "refused" }> => {
    const handle = { ...before, name, url: searchUrl ?? before.url ?? null, looks: (before.looks ?? 0) + 1 }
    const { _tag: review } = reviewed(state)
    if (review === "rejected") return { _tag: "refused", failure: rejected }
    return review === "approved" || handle.looks > patience
      ? { _tag: "published", data: dataOf(request, handle, review), exact: true }
      : { _tag: "working", handle: toHandle(handle), ask_after: settle_wait }
  }

  return {
    id: "google_business",
    stand_in: app.stand_in,
    rules: platformRules.google_business,
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      prepare_ahead: Duration.minutes(10),
      settle_wait,
      // Until then, a post of the same words may be one that Google has named and still reviews.
      lookup_apart: Duration.times(settle_wait, patience),
      // 300 calls a minute are allowed: https://developers.google.com/my-business/content/limits
      concurrent_commits: 16,
      commit_timeout: commitTimeout
    },

    oauth: {
      issuer: () => googleIssuer,
      logins: ["google_business"],
      authorizeUrl: signIn.authorizeUrl,
      exchange: Effect.fn("GoogleBusiness.exchange")(function* (consent) {
        const { access_token, credentials, expiry } = yield* signIn.exchange(consent)
        const { locations, person } = yield* ownLocations(api, access_token)
        return locations.map(({ account, described, id, title }) => ({
          remote_id: id,
          username: title,
          display_name: described,
          avatar_url: null,
          credentials: Redacted.make({
            ...Redacted.value(credentials),
            account,
            ...(person === undefined ? {} : { person })
          }),
          ...expiry
        }))
      })
    },

    revocation: { shared: samePerson, revoke: Effect.fn("GoogleBusiness.revoke")(signIn.revoke) },

    refresh: Effect.fn("GoogleBusiness.refresh")(signIn.refresh),

    prepare: Effect.fn("GoogleBusiness.prepare")(function* (request, credentials, saved) {
      const { access_token, account } = yield* readCredentials(credentials)
      const [picture] = request.media
      // A later attempt keeps what was there before the first one.
      const { seen } = Option.getOrElse(decodeHandle(saved), () => ({ seen: null }))
      // The picture is fitted now. Its address ends within a day, and the commit may wait for longer.
      if (picture !== undefined) yield* picture.public_url
      return {
        _tag: "ready",
        handle: toHandle({
          // No failure here stops the post.
          seen:
            seen ??
            (yield* posts.newest(`${account}/${request.remote_id}`, access_token).pipe(
              Effect.catchIf(
                ({ token_expired }) => token_expired !== true,
                () => Effect.succeed(null)
              )
            ))
        })
      }
    }),

    poll: (_request, _credentials, handle) => Effect.succeed({ _tag: "ready", handle }),

    commit: Effect.fn("GoogleBusiness.commit")(function* (request, credentials, saved) {
      const { access_token, account } = yield* readCredentials(credentials)
      const handle = yield* readHandle(saved)
      const [picture] = request.media
      const photo = picture === undefined ? undefined : yield* picture.public_url
      const post = yield* posts.create(request, `${account}/${request.remote_id}`, access_token, photo)
      const made = standing(request, handle, post)
      switch (made._tag) {
        case "refused":
          return yield* made.failure
        case "working":
          return new Accepted({ handle: made.handle, ask_after: made.ask_after })
        default:
          return made.data
      }
    }),

    reconcile: Effect.fn("GoogleBusiness.reconcile")(
      function* (request, credentials, saved, taken): Effect.fn.Return<Reconciled, PublishError> {
        const { access_token, account } = yield* readCredentials(credentials)
        const handle = yield* readHandle(saved)
        const { name } = handle
        if (name !== undefined) {
          // A failed look says nothing against a post that Google has named.
          const post = yield* posts.get(account, name, access_token).pipe(
            Effect.catchIf(
              ({ token_expired }) => token_expired !== true,
              () => Effect.succeed({ name })
            )
          )
          return standing(request, handle, post)
        }
        const parent = `${account}/${request.remote_id}`
        const { alike, complete } = yield* posts.find(request, parent, handle.seen ?? [], access_token, taken)
        const [first, ...others] = alike
        if (first === undefined) return { _tag: complete ? "not_published" : "unknown" }
        // It may be older than the post if the earlier ones could not be seen.
        if (others.length > 0 || handle.seen === null) return { _tag: "unknown" }
        const { _tag: review } = reviewed(first.state)
        return review === "rejected"
          ? { _tag: "refused", failure: rejected }
          : {
              _tag: "published",
              data: dataOf(request, { ...handle, name: first.name, url: first.searchUrl ?? null }, review)
            }
      }
    ),

    review: Effect.fn("GoogleBusiness.review")(function* ({ data }, credentials) {
      const { access_token, account } = yield* readCredentials(credentials)
      return yield* posts.get(account, data.id, access_token).pipe(
        Effect.map(({ state }) => reviewed(state)),
        Effect.catchIf(
          ({ code }) => code === "NOT_FOUND",
          () => Effect.succeed(null)
        )
      )
    }),

    confirm: Effect.fn("GoogleBusiness.confirm")(function* (_request, credentials, _handle, data) {
      if (data.url !== null) return data
      const { access_token, account } = yield* readCredentials(credentials)
      const { searchUrl } = yield* posts.get(account, data.id, access_token)
      return { ...data, url: searchUrl ?? null }
    })
  }
}

/** Google ends all that a person allowed a client at once. */
const samePerson = (one: GrantedAccess, other: GrantedAccess) => {
  const [mine, theirs] = [one, other].map(({ credentials }) => Redacted.value(credentials)["person"])
  return mine === undefined || theirs === undefined || mine === theirs
}

/** No document has a reason for a rejection. */
const reviewed = (state: string | undefined): Reviewed => {
  switch (state) {
    case "LIVE":
      return { _tag: "approved" }
    case "REJECTED":
      return { _tag: "rejected", reason: null }
    default:
      return { _tag: "pending" }
  }
}

const rejected = new PublishError({
  class: "invalid",
  code: "REJECTED",
  message:
    "Google's review rejected the post. Google does not say why. Look at the post in Google Business Profile, change what breaks Google's policy for posts, such as a telephone number in the text, and post it again."
})
