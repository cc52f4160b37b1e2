import { type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { RemoteFetch } from "../../http/RemoteFetch.ts"
import {
  Accepted,
  type Platform,
  PublishError,
  type PublishRequest,
  type Reconciled,
  type Taken,
  withWarnings
} from "../Platform.ts"
import type { Refused } from "../PlatformHttp.ts"
import { versionWarning } from "./ApiVersion.ts"
import { authorPosts } from "./AuthorPosts.ts"
import { duplicateOf, refuseApi } from "./LinkedInErrors.ts"
import { type LinkedInHandle, readHandle, startedHandle, storedHandle } from "./LinkedInHandle.ts"
import { linkedInRest } from "./LinkedInRest.ts"
import { type LinkedInApps, linkedInSignIn, readCredentials } from "./LinkedInSignIn.ts"
import { isOrganization, postBody } from "./PostBody.ts"
import { postComments } from "./PostComments.ts"
import { linkedInPreparation } from "./Preparation.ts"
import { linkedInUploads } from "./Uploads.ts"

const Created = Schema.Struct({ headers: Schema.Struct({ "x-restli-id": Schema.String }) })

const commitTimeout = Duration.seconds(60)

export interface LinkedInSettings {
  readonly apps: LinkedInApps
  /** The address of one of LinkedIn's hosts. */
  readonly at: (host: string) => string
  readonly stand_in: boolean
  /** The version of the API, as in `202607`. */
  readonly version: string
  readonly settle_wait: Duration.Duration
  /** Fetches the pages of link cards, from public addresses only. */
  readonly download: RemoteFetch["Service"]["download"]
}

/** LinkedIn's Posts API, for profiles and pages: https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
export const makeLinkedIn = (
  httpClient: HttpClient.HttpClient,
  { apps, at, download, settle_wait, stand_in, version }: LinkedInSettings
): Platform => {
  const api = linkedInRest(httpClient, at("api.linkedin.com"), version)
  const posts = authorPosts(api)
  const { prepare, standing } = linkedInPreparation(linkedInUploads(api), { download, grace: settle_wait })

  const dataOf = (request: PublishRequest, { card }: LinkedInHandle, urn: string): PlatformData =>
    withWarnings({ id: urn, url: permalink(urn), username: request.username }, card?.warnings ?? [])

  const permalink = (urn: string) => `${at("www.linkedin.com")}/feed/update/${urn}/`

  /** The post that it made, or the one of the same content for which LinkedIn refused it. */
  const create = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: LinkedInHandle,
    bearer: string
  ): Effect.fn.Return<
    { readonly urn: string } | { readonly duplicate: string; readonly refused: Refused },
    PublishError
  > {
    let duplicate: { readonly duplicate: string; readonly refused: Refused } | undefined
    return yield* api
      .rest({
        method: "POST",
        path: "posts",
        bearer,
        json: postBody(request, handle),
        commit: true,
        timeout: commitTimeout,
        format: "whole",
        answer: Created,
        refuse: (refusal) => {
          const refused = refuseApi(refusal)
          const urn = duplicateOf(refusal)
          if (urn !== undefined) duplicate = { duplicate: urn, refused }
          return refused
        }
      })
      .pipe(
        Effect.map(({ headers }) => ({ urn: headers["x-restli-id"] })),
        Effect.catchIf(
          () => duplicate !== undefined,
          () => Effect.succeed(duplicate!)
        )
      )
  })

  /**
   * A person's posts cannot be read, so the post is sent once more: either it is published now, or LinkedIn names the one that
   * was. Whoever loses this reply too cannot know.
   */
  const probe = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: LinkedInHandle,
    bearer: string,
    taken: Taken
  ): Effect.fn.Return<Reconciled, PublishError> {
    const made = yield* create(request, handle, bearer).pipe(
      Effect.catchIf(
        (failure) => failure.class === "ambiguous",
        () => Effect.void
      )
    )
    if (made === undefined) return { _tag: "unknown" }
    if ("urn" in made) return { _tag: "published", data: dataOf(request, handle, made.urn) }
    const others = yield* taken([made.duplicate, permalink(made.duplicate)])
    return others.size > 0
      ? { _tag: "refused", failure: new PublishError(made.refused) }
      : { _tag: "published", data: dataOf(request, handle, made.duplicate) }
  })

  const lookUp = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: LinkedInHandle,
    bearer: string,
    taken: Taken
  ): Effect.fn.Return<Reconciled, PublishError> {
    const { alike, complete } = yield* posts.find(request, handle, bearer, taken)
    const [first, ...others] = alike
    const { duplicate } = handle
    if (duplicate !== undefined) {
      return alike.includes(duplicate)
        ? { _tag: "published", data: dataOf(request, handle, duplicate) }
        : complete
          ? { _tag: "refused", failure: duplicated(duplicate) }
          : { _tag: "unknown" }
    }
    if (first === undefined) return complete ? { _tag: "not_published" } : { _tag: "unknown" }
    // It may be older than the post if the earlier ones could not be seen.
    return others.length === 0 && handle.seen !== null
      ? { _tag: "published", data: dataOf(request, handle, first) }
      : { _tag: "unknown" }
  })

  return {
    id: "linkedin",
    rules: platformRules.linkedin,
    stand_in,
    warning: stand_in
      ? Effect.succeed(null)
      : Effect.map(DateTime.now, (now) => versionWarning(version, now) ?? null),
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      prepare_ahead: Duration.hours(1),
      settle_wait,
      lookup_apart: settle_wait,
      concurrent_commits: 32,
      commit_timeout: commitTimeout
    },
    secret_handle_fields: ["upload"],

    ...linkedInSignIn(apps, api),

    prepare: Effect.fn("LinkedIn.prepare")(function* (request, credentials, saved, save) {
      const { access_token } = yield* readCredentials(credentials)
      const handle = startedHandle(saved)
      if (!isOrganization(request) || handle.seen != null)
        return yield* prepare(request, access_token, handle, save)
      // No failure here stops the post.
      const seen = yield* posts.newest(request.remote_id, access_token).pipe(
        Effect.catchIf(
          ({ token_expired }) => token_expired !== true,
          () => Effect.succeed(null)
        )
      )
      return yield* prepare(request, access_token, { ...handle, seen }, save)
    }),

    poll: Effect.fn("LinkedIn.poll")(function* (request, credentials, saved) {
      const { access_token } = yield* readCredentials(credentials)
      return yield* standing(request, access_token, yield* readHandle(saved))
    }),

    commit: Effect.fn("LinkedIn.commit")(function* (request, credentials, saved) {
      const { access_token } = yield* readCredentials(credentials)
      const handle = yield* readHandle(saved)
      const made = yield* create(request, handle, access_token)
      if ("urn" in made) return dataOf(request, handle, made.urn)
      // A look-up may have missed what an earlier try has made; a person's earlier try was probed before this one.
      return isOrganization(request)
        ? new Accepted({
            handle: storedHandle({ ...handle, duplicate: made.duplicate }),
            ask_after: settle_wait
          })
        : yield* new PublishError(made.refused)
    }),

    reconcile: Effect.fn("LinkedIn.reconcile")(function* (request, credentials, saved, taken) {
      const { access_token } = yield* readCredentials(credentials)
      const ask = isOrganization(request) ? lookUp : probe
      return yield* ask(request, yield* readHandle(saved), access_token, taken)
    }),

    confirm: (_request, _credentials, _handle, data) => Effect.succeed(data),

    comments: postComments(api)
  }
}

const duplicated = (urn: string) =>
  new PublishError({
    class: "invalid",
    code: "DUPLICATE_POST",
    message: `LinkedIn already has a post of the same content from this account: ${urn}. Change the text.`
  })
