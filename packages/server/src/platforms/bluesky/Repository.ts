import { Duration, Effect, Schema } from "effect"
import { HttpBody } from "effect/http"
import { PublishError } from "../Platform.ts"
import { type PlatformHttp, shortAnswer } from "../PlatformHttp.ts"
import { refuse } from "./BlueskyErrors.ts"
import { Blob, type RecordWrite } from "./BlueskyHandle.ts"
import type { BlueskyCredentials } from "./BlueskyCredentials.ts"

const UploadedBlob = Schema.Struct({ blob: Blob })
const ResolvedHandle = Schema.Struct({ did: Schema.String })
const StoredRecord = Schema.Struct({ uri: Schema.String, cid: Schema.optionalKey(Schema.String) })
const Written = Schema.Struct({ results: Schema.optionalKey(Schema.Array(Schema.Struct({}))) })

/** An edited record may have any size that a server takes. */
const recordAnswer = 1024 * 1024

export const commitTimeout = Duration.seconds(30)

/** Reads and writes of an account's repository, and reads of others through its server. */
export const repository = (call: PlatformHttp) => {
  const find = (
    { service, accessJwt }: BlueskyCredentials,
    { repo, collection, rkey }: { readonly repo: string; readonly collection: string; readonly rkey: string }
  ) =>
    call({
      method: "GET",
      url: `${service}/xrpc/com.atproto.repo.getRecord`,
      query: { repo, collection, rkey },
      bearer: accessJwt,
      timeout: "10 seconds",
      maxAnswerBytes: recordAnswer,
      answer: StoredRecord,
      refuse
    }).pipe(nullWhen(({ code }) => code === "RecordNotFound"))

  return {
    /** Null where there is none. */
    find,

    uploadBlob: (
      { service, accessJwt }: BlueskyCredentials,
      body: HttpBody.HttpBody,
      timeout: Duration.Input = "2 minutes"
    ) =>
      call({
        method: "POST",
        url: `${service}/xrpc/com.atproto.repo.uploadBlob`,
        bearer: accessJwt,
        body,
        timeout,
        maxAnswerBytes: shortAnswer,
        answer: UploadedBlob,
        refuse
      }).pipe(Effect.map(({ blob }) => blob)),

    /** Null for a handle that nobody has. */
    didOf: ({ service, accessJwt }: BlueskyCredentials, handle: string) =>
      call({
        method: "GET",
        url: `${service}/xrpc/com.atproto.identity.resolveHandle`,
        query: { handle },
        bearer: accessJwt,
        maxAnswerBytes: shortAnswer,
        answer: ResolvedHandle,
        refuse: (refusal) =>
          refusal.status === 400 && refuse(refusal).token_expired !== true
            ? { class: "invalid", code: "handle_unknown", message: `No account has the handle ${handle}.` }
            : refuse(refusal)
      }).pipe(
        Effect.map(({ did }) => did),
        nullWhen(({ code }) => code === "handle_unknown")
      ),

    /**
     * Creates the records in one commit of the repository: all or none. A key that is taken refuses all of them, the
     * reference server with status 500; then the first record tells whether an earlier try has created them.
     */
    create: (
      credentials: BlueskyCredentials,
      writes: readonly [RecordWrite, ...ReadonlyArray<RecordWrite>]
    ) =>
      call({
        method: "POST",
        url: `${credentials.service}/xrpc/com.atproto.repo.applyWrites`,
        bearer: credentials.accessJwt,
        body: HttpBody.jsonUnsafe({
          repo: credentials.did,
          writes: writes.map((write) => ({ $type: "com.atproto.repo.applyWrites#create", ...write }))
        }),
        commit: true,
        timeout: commitTimeout,
        maxAnswerBytes: shortAnswer,
        answer: Written,
        refuse
      }).pipe(
        Effect.asVoid,
        Effect.catchIf(
          (failure) => failure.class === "invalid" || failure.code === "http_500",
          (failure) =>
            find(credentials, { repo: credentials.did, ...writes[0] }).pipe(
              // Without an answer the records may be there since an earlier try.
              Effect.mapError((unanswered) => (failure.class === "invalid" ? open(unanswered) : failure)),
              Effect.flatMap((found) => (found === null ? Effect.fail(failure) : Effect.void))
            )
        )
      )
  }
}

const open = (failure: PublishError) => new PublishError({ ...failure, class: "ambiguous" })

const nullWhen =
  (absent: (failure: PublishError) => boolean) =>
  <A, R>(effect: Effect.Effect<A, PublishError, R>): Effect.Effect<A | null, PublishError, R> =>
    Effect.catchIf(effect as Effect.Effect<A | null, PublishError, R>, absent, () => Effect.succeed(null))
