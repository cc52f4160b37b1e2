import { Clock, Effect, type Schema } from "effect"
import type { Seen } from "../Exchange.ts"
import { isoTime, Ledger } from "../Ledger.ts"
import { Bluesky, didOf, nameOf } from "./Bluesky.ts"
import { cidOf, type FeedPost, filesOf, linksOf, type Ref, tidOf, type Writes } from "./Records.ts"
import { refused } from "./Sessions.ts"

export interface Written {
  readonly commit: { readonly cid: string; readonly rev: string }
  readonly results: ReadonlyArray<{
    readonly uri: string
    readonly cid: string
    readonly validationStatus: "valid"
  }>
  /** The first publication that was made or that got a gate. */
  readonly publication: string
}

interface NewPost {
  readonly value: FeedPost
  readonly cid: string
}

/** What a post's gates say, by their names in its publication. */
type Gates = Readonly<Record<string, Schema.Json>>

export const invalid = (message: string) => refused(400, "InvalidRequest", message)

/** As the reference server says it of a key that is taken: test/real shows it. */
const keyTaken = refused(500, "InternalServerError", "Internal Server Error")

/** The repositories of the accounts: posts are publications of the ledger, and gates are details of them. */
export const repositories = Effect.gen(function* () {
  const bluesky = yield* Bluesky
  const ledger = yield* Ledger
  let lastKey = 0
  /** The keys of records that come without one ascend. */
  const newKey = (now: number) => tidOf((lastKey = Math.max(lastKey + 1, now * 1000)))

  /** The post with this address, of whichever account. */
  const published = (uri: string) => {
    const name = nameOf(uri.split("/")[2] ?? "")
    return name === undefined ? undefined : bluesky.post(name, uri)
  }

  /** Creates all records or none. */
  const write = Effect.fnUntraced(function* (account: string, asked: Writes, seen: Seen) {
    // From here on nothing else happens until all is written.
    const now = yield* Clock.currentTimeMillis
    if (nameOf(asked.repo) !== account)
      return yield* refused(401, "AuthenticationRequired", "The repository is another account's")
    const writes = asked.writes.map(({ collection, rkey = newKey(now), value }) => ({
      collection,
      rkey,
      value,
      uri: `at://${didOf(account)}/${collection}/${rkey}`,
      cid: cidOf(value)
    }))
    const posts = new Map<string, NewPost>()
    const gated = new Map<string, Gates>()
    const isThere = ({ cid, uri }: Ref) => (posts.get(uri)?.cid ?? published(uri)?.details?.["cid"]) === cid
    for (const { cid, collection, rkey, uri, value } of writes) {
      if (value.$type !== collection) return yield* invalid(`Invalid $type: expected ${collection}`)
      if (value.$type === "app.bsky.feed.post") {
        if (posts.has(uri) || published(uri) !== undefined) return yield* keyTaken
        const { reply } = value
        if (reply !== undefined && !(isThere(reply.root) && isThere(reply.parent)))
          return yield* invalid("The test network has no post with what reply names")
        const lost = linksOf(value).find((link) => bluesky.file(account, link) === undefined)
        if (lost !== undefined) return yield* refused(400, "BlobNotFound", `Could not find blob: ${lost}`)
        posts.set(uri, { value, cid })
      } else {
        const live = bluesky.post(account, value.post)
        if ((live === undefined && !posts.has(value.post)) || !value.post.endsWith(`/${rkey}`))
          return yield* invalid(
            "The test network takes a gate of a post that is there or comes with it, under its key"
          )
        const [name, rules] =
          value.$type === "app.bsky.feed.threadgate"
            ? (["threadgate", value.allow] as const)
            : (["postgate", value.embeddingRules] as const)
        const gates = gated.get(value.post) ?? {}
        if (name in gates || live?.details?.[name] !== undefined) return yield* keyTaken
        gated.set(value.post, { ...gates, [name]: rules ?? null })
      }
    }
    const made = [...posts].map(([uri, { cid, value }]) => {
      const { $type: _, text, ...record } = value
      const publication = {
        platform: "bluesky",
        account,
        title: null,
        text,
        media: filesOf(value).map(({ alt, link }) => ({
          ...bluesky.file(account, link)!,
          alt_text: alt === "" ? null : alt
        })),
        idempotency_key: null,
        client_reference: null,
        received_at: seen.received_at,
        published_at: isoTime(now),
        details: { uri, cid, ...record, ...gated.get(uri) }
      } as const
      return ledger.publish(publication, seen.id).id
    })
    const told = [...gated]
      .filter(([uri]) => !posts.has(uri))
      .map(([uri, gates]) => {
        const { id } = bluesky.post(account, uri)!
        ledger.tell(id, gates)
        return id
      })
    return {
      commit: { cid: writes[0]!.cid, rev: newKey(now) },
      results: writes.map(({ cid, uri }) => ({ uri, cid, validationStatus: "valid" as const })),
      publication: [...made, ...told][0]!
    } satisfies Written
  })

  return { published, write }
})
