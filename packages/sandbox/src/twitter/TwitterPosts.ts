import { textLength, xAddresses } from "@carillon/domain"
import type { Schema } from "effect"
import type { Publication } from "../Ledger.ts"
import { sha256 } from "../Redaction.ts"
import { invalid } from "./TwitterAuthorization.ts"

export const usualLength = 280

export const weightOf = (text: string) => textLength(text, { unit: "x_weighted" })

export const mediaIdsOf = ({ details }: Publication): ReadonlyArray<string> =>
  Object(Object(details)["media"])["media_ids"] ?? []

export const parentOf = ({ details }: Publication): string | undefined =>
  Object(Object(details)["reply"])["in_reply_to_tweet_id"]

const shortened = (address: string) => `https://t.co/${sha256(address).slice(0, 10)}`

/** As X gives it back: in NFC, with short addresses and one for its files, and escaped. */
const wireText = (text: string, files: string) => {
  const composed = text.trim().normalize("NFC")
  let [shown, from] = ["", 0]
  for (const { 0: address, index } of xAddresses(composed)) {
    shown += composed.slice(from, index) + shortened(address)
    from = index + address.length
  }
  return `${shown}${composed.slice(from)}${files === "" ? "" : ` ${shortened(files)}`}`
    .trimStart()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
}

const fullText = (post: Publication) => wireText(post.text, mediaIdsOf(post).join())

const isLong = ({ text }: Publication) => weightOf(text) > usualLength

/** Of long posts the beginning. */
export const postText = (post: Publication) =>
  isLong(post) ? wireText(`${[...post.text].slice(0, 270).join("")}…`, post.id) : fullText(post)

/** https://docs.x.com/x-api/fundamentals/data-dictionary#tweet; `word` is in the names of some fields. */
const postResource = (post: Publication, word: "tweet" | "post", has: (field: string) => boolean) => {
  const { details = {}, id, published_at } = post
  const { media_keys, poll, reply_settings = "everyone" } = details
  const parent = parentOf(post)
  const fields: { readonly [name: string]: Schema.Json | false | undefined } = {
    id,
    text: postText(post),
    [`edit_history_${word}_ids`]: [id],
    created_at: has("created_at") && published_at,
    attachments:
      has("attachments") &&
      (media_keys === undefined ? poll !== undefined && { poll_ids: [`${id}1`.slice(-19)] } : { media_keys }),
    [`referenced_${word}s`]: has(`referenced_${word}s`) &&
      parent !== undefined && [{ type: "replied_to", id: parent }],
    [`note_${word}`]: has(`note_${word}`) && isLong(post) && { text: fullText(post) },
    reply_settings: has("reply_settings") && reply_settings
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== false)) as Schema.Json
}

/** https://docs.x.com/x-api/users/get-posts */
export const timeline = (posts: ReadonlyArray<Publication>, query: URLSearchParams) => {
  const most = query.get("max_results") ?? "10"
  const count = Number(most)
  if (!Number.isInteger(count) || count < 5 || count > 100) {
    return invalid(`The max_results query parameter is a number from 5 to 100, not ${most}.`)
  }
  const word = query.has("post.fields") ? "post" : "tweet"
  const fields = `${query.get(`${word}.fields`)},${query.get("expansions")}`.split(",")
  const within = (name: string, holds: (bound: string) => boolean) => {
    const bound = query.get(name)
    return bound === null || holds(bound)
  }
  const listed = posts.filter(
    (post) =>
      within("since_id", (id) => BigInt(post.id) > BigInt(id)) &&
      within("until_id", (id) => BigInt(post.id) < BigInt(id)) &&
      within("start_time", (time) => Date.parse(post.published_at) >= Date.parse(time)) &&
      within("end_time", (time) => Date.parse(post.published_at) < Date.parse(time)) &&
      within("exclude", (kinds) => !kinds.split(",").includes("replies") || parentOf(post) === undefined)
  )
  const start = Number(query.get("pagination_token") ?? "0")
  const page = listed.slice(start, start + count)
  const [newest, oldest] = [page[0], page.at(-1)]
  if (newest === undefined || oldest === undefined) return { meta: { result_count: 0 } }
  return {
    data: page.map((post) => postResource(post, word, (field) => fields.includes(field))),
    meta: {
      result_count: page.length,
      newest_id: newest.id,
      oldest_id: oldest.id,
      ...(start + count < listed.length ? { next_token: String(start + count) } : {})
    }
  }
}
