import { platformRules } from "@carillon/domain"
import { Duration, Effect, Option, Schema } from "effect"
import type { HttpClient } from "effect/http"
import {
  type Platform,
  type Prepared,
  PublishError,
  type PublishRequest,
  type Reconciled
} from "../Platform.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { platformHttp, shortAnswer } from "../PlatformHttp.ts"
import { readHandleWith } from "../StoredHandle.ts"
import { boardGone, boardPins } from "./BoardPins.ts"
import { pinBody } from "./PinBody.ts"
import { refuseApi } from "./PinterestErrors.ts"
import { pinterestSignIn, readCredentials } from "./PinterestSignIn.ts"
import { videoUpload } from "./VideoUpload.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const Account = Schema.Struct({
  id: text,
  username: Schema.String,
  business_name: text,
  profile_image: text
})
const Named = Schema.Struct({ id: Schema.String, name: Schema.String })
const Board = Schema.Struct({ ...Named.fields, privacy: text })
const pageOf = <S extends Schema.Top>(item: S) => Schema.Struct({ items: Schema.Array(item), bookmark: text })
const Boards = pageOf(Board)
const Sections = pageOf(Named)
const Created = Schema.Struct({ id: Schema.String })

const PinHandle = Schema.Struct({
  /** Similar pins on the board before this one was sent; null where they could not be seen. */
  seen: Schema.NullOr(Schema.Array(Schema.String)),
  media_id: Schema.optionalKey(Schema.String),
  uploaded: Schema.optionalKey(Schema.Boolean),
  /** How often the video was still being processed. */
  looks: Schema.optionalKey(Schema.Int)
})
type PinHandle = typeof PinHandle.Type

const decodeHandle = Schema.decodeUnknownOption(PinHandle)
const readHandle = readHandleWith(decodeHandle, "Pinterest")

const pageSize = "250"
const boardPages = 8
/** 250 boards with descriptions and addresses of pictures, and 250 sections, which are names. */
const boardsAnswer = 4 * 1024 * 1024
const sectionsAnswer = 256 * 1024
/** A pin in its board's list. */
const pinAnswer = 256 * 1024
/** Sections are asked for this many boards. */
const boardsWithSections = 20

/** The time for a request with five images of 20 MB. */
const commitTimeout = Duration.minutes(4)

/**
 * Pinterest's API v5. Images are sent in the request that makes the pin, so Pinterest
 * need not reach this instance; videos go up before. A target is one pin on one board.
 */
export const makePinterest = (
  client: HttpClient.HttpClient,
  app: ConnectedApp,
  { settle_wait = Duration.seconds(10) }: { readonly settle_wait?: Duration.Duration } = {}
): Platform => {
  const call = platformHttp(client, "Pinterest")
  const signIn = pinterestSignIn(client, app)
  const api = `${app.at("api.pinterest.com")}/v5`
  const upload = videoUpload(call, api)
  const pinsOf = boardPins(call, api)

  const get = <S extends Schema.ConstraintDecoder<unknown>>(
    path: string,
    bearer: string,
    maxAnswerBytes: number,
    answer: S,
    query: Readonly<Record<string, string>> = {}
  ) => call({ method: "GET", url: api + path, query, bearer, maxAnswerBytes, answer, refuse: refuseApi })

  const boardsOf = Effect.fnUntraced(function* (bearer: string) {
    const boards: Array<typeof Board.Type> = []
    let bookmark: string | undefined
    for (let page = 0; page < boardPages; page++) {
      const answer = yield* get("/boards", bearer, boardsAnswer, Boards, {
        page_size: pageSize,
        ...(bookmark === undefined ? {} : { bookmark })
      })
      boards.push(...answer.items)
      bookmark = answer.bookmark ?? undefined
      if (bookmark === undefined) break
    }
    return boards
  })

  const pinAt = (request: PublishRequest, id: string) => ({
    id,
    url: `${app.at("www.pinterest.com")}/pin/${id}/`,
    username: request.username
  })

  /** The state of a video that has been sent. */
  const standing = (status: string, handle: PinHandle): Effect.Effect<Prepared, PublishError> => {
    switch (status) {
      case "succeeded":
        return Effect.succeed({ _tag: "ready", handle: { ...handle } })
      case "failed":
        return Effect.fail(
          new PublishError({
            class: "media_rejected",
            code: "video_failed",
            message:
              "Pinterest could not process the video and gave no reason. Encode it again as MP4 with H.264 and AAC."
          })
        )
      default: {
        const looks = handle.looks ?? 0
        return Effect.succeed({
          _tag: "wait",
          handle: { ...handle, looks: looks + 1 },
          poll_after: Duration.seconds(Math.min(60, 2 * 2 ** Math.min(looks, 5)))
        })
      }
    }
  }

  return {
    id: "pinterest",
    stand_in: app.stand_in,
    rules: platformRules.pinterest,
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      prepare_ahead: Duration.hours(1),
      settle_wait,
      lookup_apart: Duration.seconds(20),
      concurrent_commits: 16,
      commit_timeout: commitTimeout
    },

    oauth: {
      logins: ["pinterest"],
      authorizeUrl: signIn.authorizeUrl,
      exchange: Effect.fn("Pinterest.exchange")(function* (consent) {
        const { access_token, credentials, expiry } = yield* signIn.exchange(consent)
        const account = yield* get("/user_account", access_token, shortAnswer, Account)
        // They only give the default board, which a person can choose later.
        const [only, ...others] = yield* boardsOf(access_token).pipe(Effect.orElseSucceed(() => []))
        return [
          {
            remote_id: account.id ?? account.username,
            username: account.username,
            display_name: account.business_name?.trim() ? account.business_name : null,
            avatar_url: account.profile_image?.trim() ? account.profile_image : null,
            credentials,
            ...expiry,
            // With one board there is nothing to choose.
            ...(only === undefined || others.length > 0 ? {} : { default_board_id: only.id })
          }
        ]
      })
    },

    refresh: Effect.fn("Pinterest.refresh")(signIn.refresh),

    choices: Effect.fn("Pinterest.choices")(function* (credentials) {
      const { access_token } = yield* readCredentials(credentials)
      const boards = yield* boardsOf(access_token)
      const sections = yield* Effect.forEach(
        boards.slice(0, boardsWithSections),
        ({ id }) =>
          get(`/boards/${id}/sections`, access_token, sectionsAnswer, Sections, { page_size: pageSize }).pipe(
            // A board can be chosen without its sections.
            Effect.catchIf(
              ({ token_expired }) => token_expired !== true,
              () => Effect.succeed({ items: [] })
            )
          ),
        { concurrency: 4 }
      )
      return {
        board_ids: boards.map(({ id, name, privacy = null }, index) => ({
          id,
          name,
          privacy,
          ...(sections[index] === undefined
            ? {}
            : { sections: sections[index].items.map((section) => ({ id: section.id, name: section.name })) })
        }))
      }
    }),

    destinations: Effect.fn("Pinterest.destinations")(function* (credentials) {
      const { access_token } = yield* readCredentials(credentials)
      return yield* boardsOf(access_token)
    }),

    prepare: Effect.fn("Pinterest.prepare")(function* (request, credentials, saved, save) {
      const { access_token: bearer } = yield* readCredentials(credentials)
      let handle = Option.getOrUndefined(decodeHandle(saved))
      if (handle === undefined || handle.seen === null) {
        // This also shows ahead of time that the board is gone. No other failure here stops the pin.
        const seen = yield* pinsOf(request, bearer, [], () => Effect.succeed(new Set())).pipe(
          Effect.map(({ alike }) => alike.map(({ id }) => id)),
          Effect.catchIf(
            ({ code, token_expired }) => token_expired !== true && code !== boardGone,
            () => Effect.succeed(null)
          )
        )
        handle = { ...handle, seen }
      }
      const video = request.media.find(({ kind }) => kind === "video")
      if (video === undefined) {
        yield* Effect.forEach(request.media, ({ image }) => image, { discard: true })
        return { _tag: "ready", handle: { ...handle } }
      }
      if (request.cover !== null) yield* request.cover.image

      const before =
        handle.media_id === undefined ? "registered" : yield* upload.look(handle.media_id, bearer)
      if (before !== "registered" || handle.uploaded === true) return yield* standing(before, handle)
      // A broken upload cannot continue, and its form is a secret that is not kept.
      const registered = yield* upload.register(bearer)
      handle = { seen: handle.seen, media_id: registered.media_id }
      yield* save({ ...handle })
      yield* upload.send(registered, video)
      handle = { ...handle, uploaded: true }
      yield* save({ ...handle })
      return yield* standing(yield* upload.look(registered.media_id, bearer), handle)
    }),

    poll: Effect.fn("Pinterest.poll")(function* (_request, credentials, saved) {
      const { access_token: bearer } = yield* readCredentials(credentials)
      const handle = yield* readHandle(saved)
      if (handle.media_id === undefined) return { _tag: "ready", handle: { ...handle } }
      return yield* standing(yield* upload.look(handle.media_id, bearer), handle)
    }),

    commit: Effect.fn("Pinterest.commit")(function* (request, credentials, saved) {
      const { access_token: bearer } = yield* readCredentials(credentials)
      const { media_id } = yield* readHandle(saved)
      const { id } = yield* call({
        method: "POST",
        url: `${api}/pins`,
        bearer,
        body: yield* pinBody(request, media_id),
        commit: true,
        timeout: commitTimeout,
        maxAnswerBytes: pinAnswer,
        answer: Created,
        refuse: refuseApi
      })
      return pinAt(request, id)
    }),

    reconcile: Effect.fn("Pinterest.reconcile")(
      function* (request, credentials, saved, taken): Effect.fn.Return<Reconciled, PublishError> {
        const { access_token: bearer } = yield* readCredentials(credentials)
        const { seen } = yield* readHandle(saved)
        const { alike, perhaps, complete } = yield* pinsOf(request, bearer, seen ?? [], taken)
        const [pin, ...others] = alike
        if (pin !== undefined) {
          // It may be older than the post if the earlier pins could not be seen.
          return others.length === 0 && seen !== null
            ? { _tag: "published", data: pinAt(request, pin.id) }
            : { _tag: "unknown" }
        }
        return perhaps.length === 0 && complete ? { _tag: "not_published" } : { _tag: "unknown" }
      }
    ),

    confirm: (_request, _credentials, _handle, data) => Effect.succeed(data)
  }
}
