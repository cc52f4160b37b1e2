import { mastodonText } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import type { PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"
import { keyed } from "./MastodonConnect.ts"
import type { MastodonHandle } from "./MastodonHandle.ts"
import { type MastodonCredentials, type ReadServer, RemoteId } from "./MastodonServer.ts"
import { plainWords } from "../PlainWords.ts"
import { ShownQuote } from "./Quotes.ts"
import { parentOf } from "./ThreadParent.ts"

const optionsOf = publishOptions("mastodon")

const nullable = Schema.optionalKey(Schema.NullOr(Schema.String))
export const Attachment = Schema.Struct({ id: RemoteId, url: nullable })
export const Status = Schema.Struct({
  id: RemoteId,
  url: nullable,
  uri: nullable,
  poll: Schema.optionalKey(Schema.Unknown),
  quote: ShownQuote
})
export const OwnStatus = Schema.Struct({ ...Status.fields, account: Schema.Struct({ id: Schema.String }) })
export interface OwnStatus extends Schema.Schema.Type<typeof OwnStatus> {}
const Statuses = Schema.Array(
  Schema.Struct({
    ...OwnStatus.fields,
    created_at: Schema.String,
    content: Schema.String,
    /** The file as it was sent, which some servers return next to their own version. */
    text: nullable,
    in_reply_to_id: nullable,
    media_attachments: Schema.Array(Attachment)
  })
)
const Listed = Schema.Struct({
  headers: Schema.Struct({ date: Schema.optionalKey(Schema.String) }),
  body: Statuses
})

export const pageSize = 20
/** How many pages are read back from the newest status. */
export const mostPages = 5
/** A clock is set right between a post and the look for it, and an answer takes its time. */
export const slack = Duration.minutes(1)

/** A page of what the account shows, the newest first, and those of it that may be this post. */
export const pageAt = Effect.fnUntraced(function* (
  get: ReadServer,
  access: MastodonCredentials,
  request: PublishRequest,
  { answered, files }: MastodonHandle,
  path: string,
  max_id?: string
) {
  const { body: statuses, headers } = yield* get(access, path, Listed, {
    query: {
      limit: String(pageSize),
      exclude_reblogs: "true",
      ...(max_id === undefined ? {} : { max_id })
    },
    also: []
  })
  const due = byClockOf(headers.date, request.due_at, yield* DateTime.now)
  const later = statuses.filter(({ created_at }) => isSince(due, created_at))
  const parent = parentOf(access, request, answered)
  const last = statuses.at(-1)
  return {
    alike: later.filter(
      (status) => status.account.id === access.account_id && isOurs(request, files, parent, status)
    ),
    // It is not behind what it answers.
    complete:
      statuses.length < pageSize ||
      later.some(({ id }) => id === parent) ||
      (last !== undefined && !isSince(due, last.created_at)),
    last: last?.id
  }
})

/** Where posts of the account are listed. snac lists public ones alone there, and every one in the home timeline. */
export const pathsOf = (access: MastodonCredentials, request: PublishRequest): ReadonlyArray<string> => {
  const own = `/api/v1/accounts/${encodeURIComponent(access.account_id)}/statuses`
  const { visibility } = optionsOf(request)
  const isListed = request.remote_id.startsWith(keyed) || visibility == null || visibility === "public"
  return isListed ? [own] : [own, "/api/v1/timelines/home"]
}

/** What the engine may know a status by: a person gives its address. */
export const namesOf = ({ id, uri, url }: typeof Status.Type) =>
  [id, url, uri].filter((name): name is string => name != null)

/** The same moment by the server's clock, which names the times of its posts; it may be far from ours. */
const byClockOf = (date: string | undefined, moment: DateTime.Utc, now: DateTime.Utc) =>
  Option.match(DateTime.make(date ?? ""), {
    onNone: () => moment,
    onSome: (theirs) => DateTime.addDuration(moment, DateTime.distance(now, theirs))
  })

const isSince = (due: DateTime.Utc, created: string) =>
  Option.match(DateTime.make(created), {
    onNone: () => true,
    onSome: (at) => DateTime.isGreaterThanOrEqualTo(at, DateTime.subtractDuration(due, slack))
  })

/** Whether a status of the account is the one of this post. */
const isOurs = (
  request: PublishRequest,
  files: MastodonHandle["files"],
  parent: string | undefined,
  { content, in_reply_to_id, media_attachments, text }: (typeof Statuses.Type)[number]
) => {
  const sent = mastodonText(request)
  if (request.media.length === 0)
    return (
      // Items of a thread may have the same text.
      (in_reply_to_id === undefined || in_reply_to_id === (parent ?? null)) &&
      (text === sent || (media_attachments.length === 0 && plainWords(content, "html") === plainWords(sent)))
    )
  // snac names the file of a status by another id than the same file when it was sent.
  const ours = request.media.flatMap((item) => files[item.id] ?? [])
  return media_attachments.some(({ id, url }) =>
    ours.some((file) => file.id === id || (url != null && file.url === url))
  )
}
