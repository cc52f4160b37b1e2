import { DateTime, Effect, Option, Schema } from "effect"
import type { PublishError, PublishRequest, Taken } from "../Platform.ts"
import type { PlatformHttp } from "../PlatformHttp.ts"
import { boardOf, pinWords } from "./PinBody.ts"
import { refuseApi } from "./PinterestErrors.ts"

const words = Schema.optionalKey(Schema.NullOr(Schema.String))

const Pin = Schema.Struct({
  id: Schema.String,
  created_at: words,
  title: words,
  description: words,
  link: words
})
interface Pin extends Schema.Schema.Type<typeof Pin> {}

const Page = Schema.Struct({ items: Schema.Array(Pin), bookmark: words })

/** How many pins a page holds, and how many pages are read at most. */
const pageSize = 50
const pages = 20
/** A carousel of five pictures, each in several sizes and with its own words and link, comes to some 64 KiB. */
const pageAnswer = pageSize * 64 * 1024

/** The code of a refusal because there is no such board. */
export const boardGone = "board_not_found"

/** The allowed difference between Pinterest's clock and this one. */
const skew = { minutes: 5 }

/** `alike` in every word; `perhaps`: in some, as if Pinterest had changed the others; `other`: in none. */
export type Likeness = "alike" | "perhaps" | "other"

/** The pins on a board that this target may have made. */
export interface Found {
  readonly alike: ReadonlyArray<Pin>
  readonly perhaps: ReadonlyArray<Pin>
  /** Every pin of the time in question was seen. */
  readonly complete: boolean
}

/** Pinterest takes no key of ours, so a pin is found by its words alone. */
export const boardPins = (call: PlatformHttp, api: string) =>
  Effect.fnUntraced(function* (
    request: PublishRequest,
    bearer: string,
    seen: ReadonlyArray<string>,
    taken: Taken
  ): Effect.fn.Return<Found, PublishError> {
    const board = yield* boardOf(request)
    const since = DateTime.subtract(request.due_at, skew)
    const found: Array<Pin> = []
    let bookmark: string | undefined
    let complete = false
    for (let page = 0; page < pages && !complete; page++) {
      const answer = yield* call({
        method: "GET",
        url: `${api}/boards/${encodeURIComponent(board)}/pins`,
        query: { page_size: String(pageSize), ...(bookmark === undefined ? {} : { bookmark }) },
        bearer,
        maxAnswerBytes: pageAnswer,
        answer: Page,
        refuse: (refusal) =>
          refusal.status === 404 ? { ...refuseApi(refusal), code: boardGone } : refuseApi(refusal)
      })
      found.push(...answer.items)
      bookmark = answer.bookmark ?? undefined
      complete = bookmark === undefined || reachesBack(found, since)
    }
    const likeness = likenessTo(request)
    const candidates = found.filter(
      (pin) => !seen.includes(pin.id) && !isBefore(pin, since) && likeness(pin) !== "other"
    )
    const others = yield* taken(candidates.map(({ id }) => id))
    const free = candidates.filter(({ id }) => !others.has(id))
    return {
      alike: free.filter((pin) => likeness(pin) === "alike"),
      perhaps: free.filter((pin) => likeness(pin) === "perhaps"),
      complete
    }
  })

/** Some of the API's times come without a zone; they are UTC. */
const createdAt = ({ created_at }: Pin): Option.Option<DateTime.Utc> =>
  Option.map(
    DateTime.make(
      /(Z|[+-]\d{2}:?\d{2})$/.test(created_at ?? "") ? (created_at ?? "") : `${created_at ?? ""}Z`
    ),
    DateTime.toUtc
  )

const isBefore = (pin: Pin, since: DateTime.Utc) =>
  Option.exists(createdAt(pin), (at) => DateTime.isLessThan(at, since))

/** Only in a list with the newest first does an old pin mean that nothing new follows. */
const reachesBack = (pins: ReadonlyArray<Pin>, since: DateTime.Utc) => {
  const times = pins.map((pin) => Option.getOrUndefined(createdAt(pin))?.epochMilliseconds ?? Infinity)
  const ordered = times.every((time, index) => index === 0 || time <= times[index - 1]!)
  return ordered && (times.at(-1) ?? Infinity) < since.epochMilliseconds
}

const plain = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim()
const plainLink = (link: string | null | undefined) => plain(link).replace(/\/$/, "")

export const likenessTo = (request: PublishRequest) => {
  const { title, description, link } = pinWords(request).words
  const own = [plain(title), plain(description), plainLink(link)]
  return (pin: Omit<Pin, "id">): Likeness => {
    const theirs = [plain(pin.title), plain(pin.description), plainLink(pin.link)]
    if (own.every((text, index) => text === theirs[index])) return "alike"
    return own.some((text, index) => text !== "" && text === theirs[index]) ? "perhaps" : "other"
  }
}
