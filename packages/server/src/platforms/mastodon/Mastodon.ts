import { mastodonText, type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { bytesOf, measured, multipartForm, sentName } from "../MultipartForm.ts"
import {
  type Credentials,
  type Platform,
  type Prepared,
  PublishError,
  type PublishMedia,
  type PublishRequest,
  type Reconciled,
  withWarnings
} from "../Platform.ts"
import { platformHttp, shortAnswer, uploadTime } from "../PlatformHttp.ts"
import { publishOptions, type PublishOptions } from "../PublishOptions.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { keyed, mastodonConnect, type MastodonHosts } from "./MastodonConnect.ts"
import { refuseMastodon } from "./MastodonErrors.ts"
import {
  decodeHandle,
  handleOf,
  idsOf,
  type MastodonHandle,
  readHandle,
  toPrepared
} from "./MastodonHandle.ts"
import { hasQuotes, MastodonCredentials, readInstance, readServer, statusesAnswer } from "./MastodonServer.ts"
import {
  Attachment,
  mostPages,
  namesOf,
  OwnStatus,
  pageAt,
  pageSize,
  pathsOf,
  slack,
  Status
} from "./OwnStatuses.ts"
import { isTestServer } from "../TestNetwork.ts"
import { localId, noQuotes, quotable, QuotedStatus } from "./Quotes.ts"
import { parentGone, parentOf, parentUnknown } from "./ThreadParent.ts"

const optionsOf = publishOptions("mastodon")

const Look = Schema.Union([
  Schema.Struct({ status: Schema.Literal(404) }),
  Schema.Struct({ status: Schema.Int, body: QuotedStatus })
])

const decodeStored = decodeCredentials(MastodonCredentials, "Mastodon")

/** "Keys are stored for up to 1 hour", less the time that a repeated call may take. */
const keyHolds = Duration.minutes(50)
const commitTimeout = Duration.minutes(1)
/**
 * Mastodon, and servers that speak its API (https://docs.joinmastodon.org). Files go up before the status. Mastodon answers a repeated
 * key with the status that is there; others take the key and ignore it, so there the account's newest statuses tell.
 */
export const makeMastodon = (
  /** For the servers of accounts, whose addresses are strangers'. */
  guarded: HttpClient.HttpClient,
  hosts: MastodonHosts
): Platform => {
  const { test_network } = hosts
  const strangers = platformHttp(guarded, "The server")
  const played = test_network && platformHttp(test_network.client, "The server")

  /** How a server is called. */
  const reach = (server: string) =>
    played !== undefined && test_network !== undefined && isTestServer(server)
      ? { call: played, base: test_network.at(new URL(server).hostname) }
      : { call: strangers, base: server }

  const get = readServer(reach)

  const upload = Effect.fnUntraced(function* (
    { server, access_token }: MastodonCredentials,
    request: PublishRequest,
    item: PublishMedia,
    index: number
  ) {
    const thumbnail = item.kind === "video" ? request.cover : null
    const [fact, pictureFact] = yield* measured(thumbnail === null ? [item] : [item, thumbnail])
    const sent = fact!
    const { call, base } = reach(server)
    const { alt_text, focus } = optionsOf(request)
    const description = item.alt_text ?? ofFile(alt_text, index) ?? ""
    const point = ofFile(focus, index)?.replace(" ", "")
    // snac keeps a file under its name, and a second one of that name takes its place.
    const name = `${request.target_id}-${item.id}`
    const { id, url } = yield* call({
      method: "POST",
      url: `${base}/api/v2/media`,
      bearer: access_token,
      body: multipartForm(
        {
          ...(description === "" ? {} : { description }),
          ...(point === undefined ? {} : { focus: point })
        },
        [
          { ...sent, name: "file", filename: sentName({ name }, sent, index), content: bytesOf(item, sent) },
          ...(thumbnail === null || pictureFact === undefined
            ? []
            : [
                {
                  ...pictureFact,
                  name: "thumbnail",
                  filename: sentName({ name: `${name}-thumbnail` }, pictureFact, index),
                  content: bytesOf(thumbnail, pictureFact)
                }
              ])
        ]
      ),
      timeout: uploadTime(sent.size_bytes + (pictureFact?.size_bytes ?? 0)),
      maxAnswerBytes: shortAnswer,
      answer: Attachment,
      refuse: refuseMastodon
    })
    return { id, url: url ?? null, ready: url !== null && url !== undefined }
  })

  /** What is at an address: https://docs.joinmastodon.org/methods/search/#v2. Some servers also find what has the address in its text. */
  const find = <S extends Schema.ConstraintDecoder<unknown>>(
    access: MastodonCredentials,
    address: string,
    status: S
  ) =>
    get(access, "/api/v2/search", Schema.Struct({ statuses: Schema.Array(status) }), {
      query: { q: address, type: "statuses", resolve: "true", limit: String(pageSize) }
    }).pipe(Effect.map(({ statuses }) => statuses))

  /** The post that an item of a thread answers, where a person confirmed it by an address without an id. */
  const answeredBy = Effect.fnUntraced(function* (
    access: MastodonCredentials,
    request: PublishRequest,
    known: MastodonHandle | undefined
  ): Effect.fn.Return<Pick<MastodonHandle, "answered">, PublishError> {
    const address = request.thread?.parent?.id
    if (address === undefined) return {}
    if (parentOf(access, request, known?.answered) !== undefined)
      return known?.answered === undefined ? {} : { answered: known.answered }
    const statuses = yield* find(access, address, OwnStatus).pipe(
      Effect.catchIf(isNotOffered, () => parentUnknown(address))
    )
    const found = statuses.find(
      ({ account, uri, url }) => account.id === access.account_id && [url, uri].includes(address)
    )
    return found === undefined ? yield* parentUnknown(address) : { answered: { address, id: found.id } }
  })

  /** The post that is to be quoted, where there is one, on a server that has quotes. */
  const quotedBy = Effect.fnUntraced(function* (
    access: MastodonCredentials,
    request: PublishRequest,
    known: MastodonHandle | undefined
  ): Effect.fn.Return<Pick<MastodonHandle, "quotes" | "quoted">, PublishError> {
    const { quote: address, quote_policy } = optionsOf(request)
    if (address == null && quote_policy == null) return {}
    const quotes = known?.quotes ?? hasQuotes(yield* readInstance(reach(access.server)))
    if (address == null) return { quotes }
    if (known?.quoted?.address === address) return { quotes, quoted: known.quoted }
    if (!quotes) return yield* noQuotes
    const own = localId(access.server, address)
    const found =
      own === undefined
        ? (yield* find(access, address, QuotedStatus))[0]
        : yield* get(access, `/api/v1/statuses/${own}`, Look, { also: [404] }).pipe(
            Effect.map((look) => ("body" in look ? look.body : undefined))
          )
    return { quotes, quoted: { address, id: yield* quotable(address, found) } }
  })

  /** What has the same words before this post is sent: a person may have said it by hand. A file tells without. */
  const seenBefore = Effect.fnUntraced(function* (
    access: MastodonCredentials,
    request: PublishRequest,
    known: MastodonHandle
  ): Effect.fn.Return<Pick<MastodonHandle, "seen">, PublishError> {
    if (known.seen !== undefined) return { seen: known.seen }
    const begins = DateTime.subtractDuration(request.due_at, slack)
    const isTold = request.remote_id.startsWith(keyed) || request.media.length > 0
    if (isTold || DateTime.isLessThan(yield* DateTime.now, begins)) return {}
    return yield* Effect.forEach(pathsOf(access, request), (path) =>
      pageAt(get, access, request, known, path)
    ).pipe(
      Effect.map((pages) => ({ seen: pages.flatMap(({ alike }) => alike.map(({ id }) => id)) })),
      Effect.catchIf(
        (failure) => failure.class !== "reconnect",
        () => Effect.succeed({ seen: null })
      )
    )
  })

  return {
    id: "mastodon",
    rules: platformRules.mastodon,
    capabilities: {
      reconcile: ({ remote_id, due_at }, now) =>
        // It was not sent before it was due.
        remote_id.startsWith(keyed) && DateTime.isLessThan(now, DateTime.addDuration(due_at, keyHolds))
          ? "replay"
          : "lookup",
      prepare_ahead: Duration.minutes(10),
      settle_wait: Duration.seconds(5),
      by_words: true,
      lookup_apart: Duration.seconds(10),
      concurrent_commits: 64,
      commit_timeout: commitTimeout
    },

    ...mastodonConnect(reach, hosts),

    serverOf: (stored) => Effect.map(decodeStored(stored), ({ server }) => server),

    // Tokens have no end.
    refresh: (credentials) => Effect.succeed({ credentials, token_expires_at: null }),

    prepare: Effect.fn("Mastodon.prepare")(function* (request, stored, saved, save): Effect.fn.Return<
      Prepared,
      PublishError
    > {
      const access = yield* decodeStored(stored)
      const known = Option.getOrUndefined(decodeHandle(saved))
      const found = {
        ...(yield* answeredBy(access, request, known)),
        ...(yield* quotedBy(access, request, known))
      }
      const files = { ...known?.files }
      for (const [index, item] of request.media.entries()) {
        if (files[item.id] !== undefined) continue
        files[item.id] = yield* upload(access, request, item, index)
        yield* save(handleOf({ files: { ...files }, ...found }))
      }
      const seen = yield* seenBefore(access, request, {
        files,
        ...found,
        ...(known?.seen === undefined ? {} : { seen: known.seen })
      })
      return toPrepared({ files, ...found, ...seen })
    }),

    poll: Effect.fn("Mastodon.poll")(function* (_request, stored: Credentials, saved) {
      const access = yield* decodeStored(stored)
      const known = yield* readHandle(saved)
      const files = { ...known.files }
      for (const [media, file] of Object.entries(known.files)) {
        if (file.ready) continue
        // Some servers do not know a file that they have just taken; with an address it is ready.
        const { status } = yield* get(access, `/api/v1/media/${encodeURIComponent(file.id)}`, Look, {
          also: [404]
        })
        files[media] = { ...file, ready: status !== 206 }
      }
      return toPrepared({ ...known, files })
    }),

    commit: Effect.fn("Mastodon.commit")(function* (request, stored, saved) {
      const access = yield* decodeStored(stored)
      const known = yield* readHandle(saved)
      const media_ids = yield* idsOf(request, known.files)
      const { call, base } = reach(access.server)
      const status = yield* call({
        method: "POST",
        url: `${base}/api/v1/statuses`,
        bearer: access.access_token,
        headers: { "idempotency-key": request.target_id },
        body: HttpBody.jsonUnsafe(statusOf(access, request, media_ids, known)),
        commit: true,
        timeout: commitTimeout,
        maxAnswerBytes: statusesAnswer,
        answer: Status,
        refuse: (refusal) =>
          refusal.status === 404 && request.thread?.parent != null ? parentGone : refuseMastodon(refusal)
      })
      return published(access, request, known, status)
    }),

    reconcile: Effect.fn("Mastodon.reconcile")(function* (request, stored, saved, taken): Effect.fn.Return<
      Reconciled,
      PublishError
    > {
      const access = yield* decodeStored(stored)
      const known = yield* readHandle(saved)
      const { seen } = known
      yield* idsOf(request, known.files)
      for (const path of pathsOf(access, request)) {
        const alike: Array<OwnStatus> = []
        let isComplete = false
        let before: string | undefined
        for (let page = 0; page < mostPages && !isComplete; page++) {
          const found = yield* pageAt(get, access, request, known, path, before)
          // A server that does not turn pages.
          if (page > 0 && found.last === before) break
          alike.push(...found.alike.filter(({ id }) => seen?.includes(id) !== true))
          isComplete = found.complete
          before = found.last
        }
        const others = yield* taken(alike.flatMap(namesOf))
        const ours = alike.find((status) => !namesOf(status).some((name) => others.has(name)))
        if (ours !== undefined) {
          // Without a look before, it may be a person's.
          return seen === null
            ? { _tag: "unknown" }
            : { _tag: "published", data: published(access, request, known, ours) }
        }
        if (!isComplete) return { _tag: "unknown" }
      }
      return { _tag: "not_published" }
    }),

    confirm: (_request, _credentials, _handle, data) => Effect.succeed(data)
  }
}

const published = (
  access: MastodonCredentials,
  request: PublishRequest,
  { quotes }: MastodonHandle,
  { id, url, uri, poll, quote }: typeof Status.Type
): PlatformData => {
  const options = optionsOf(request)
  return withWarnings({ id, url: [url, uri].find(isPage) ?? access.server, username: request.username }, [
    ...(quotes === false && options.quote_policy != null
      ? ["quote_policy was left out: the account's server does not support quotes."]
      : []),
    ...(options.poll != null && poll == null
      ? [
          "The account's server left out the poll: it does not support polls, or does not accept them from Carillon."
        ]
      : []),
    ...(quote?.state === "pending" ? ["The quoted post appears once its author approves the quote."] : [])
  ])
}

/** Whether people can follow it: it is shown as a link. */
const isPage = (address: string | null | undefined): address is string =>
  address != null && address.length <= 2048 && /^https?:\/\//i.test(address) && URL.canParse(address)

/** A server without a search answers 404. */
const isNotOffered = ({ class: errorClass }: PublishError) => errorClass === "config"

/** One for all files, or one for each. */
const ofFile = (given: PublishOptions<"mastodon">["alt_text" | "focus"], index: number): string | undefined =>
  typeof given === "string" ? given : given?.[index]

const statusOf = (
  access: MastodonCredentials,
  request: PublishRequest,
  media_ids: ReadonlyArray<string>,
  { answered, quoted, quotes }: MastodonHandle
) => {
  const { language, poll, quote_policy, sensitive, spoiler_text, visibility } = optionsOf(request)
  const parent = parentOf(access, request, answered)
  return {
    status: mastodonText(request),
    ...(parent === undefined ? {} : { in_reply_to_id: parent }),
    ...(media_ids.length === 0 ? {} : { media_ids }),
    ...(poll == null
      ? {}
      : {
          poll: {
            options: poll.options,
            expires_in: (poll.duration_hours ?? 24) * 3600,
            multiple: poll.multiple ?? false,
            ...(poll.hide_totals === true ? { hide_totals: true } : {})
          }
        }),
    ...(visibility == null ? {} : { visibility }),
    ...(spoiler_text == null || spoiler_text === "" ? {} : { spoiler_text }),
    ...(sensitive == null ? {} : { sensitive }),
    ...(language == null ? {} : { language }),
    ...(quoted === undefined ? {} : { quoted_status_id: quoted.id }),
    ...(quote_policy == null || quotes !== true ? {} : { quote_approval_policy: quote_policy })
  }
}
