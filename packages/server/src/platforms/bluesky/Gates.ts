import type { RecordWrite } from "./BlueskyHandle.ts"

/** Who may reply to a post and who may quote it; undefined: everyone. */
export interface Gates {
  readonly reply: ReadonlyArray<{ readonly $type: string; readonly list?: string }> | undefined
  readonly noQuotes: boolean
}

const rules = {
  mentioned: "app.bsky.feed.threadgate#mentionRule",
  followers: "app.bsky.feed.threadgate#followerRule",
  following: "app.bsky.feed.threadgate#followingRule"
}

/** The rules of a reply gate: none of them is nobody. `lists` are at:// addresses with a DID. */
export const replyRules = (
  mayReply: ReadonlyArray<keyof typeof rules | "everyone" | "nobody">,
  lists: ReadonlyArray<string>
): Gates["reply"] => {
  const given = [
    ...mayReply.flatMap((who) => (who === "everyone" || who === "nobody" ? [] : [{ $type: rules[who] }])),
    ...lists.map((list) => ({ $type: "app.bsky.feed.threadgate#listRule", list }))
  ]
  return given.length > 0 || mayReply.includes("nobody") ? given : undefined
}

/** The gates of a post lie under its own key (lexicons `app.bsky.feed.threadgate` and `app.bsky.feed.postgate`). */
export const gateWrites = (
  { noQuotes, reply }: Gates,
  { createdAt, rkey, uri }: { readonly uri: string; readonly rkey: string; readonly createdAt: string }
): ReadonlyArray<RecordWrite> => [
  ...(reply === undefined
    ? []
    : [write("app.bsky.feed.threadgate", rkey, { post: uri, createdAt, allow: reply })]),
  ...(noQuotes
    ? [
        write("app.bsky.feed.postgate", rkey, {
          post: uri,
          createdAt,
          embeddingRules: [{ $type: "app.bsky.feed.postgate#disableRule" }]
        })
      ]
    : [])
]

const write = (
  collection: string,
  rkey: string,
  value: { readonly [key: string]: unknown }
): RecordWrite => ({
  collection,
  rkey,
  value: { $type: collection, ...value } as RecordWrite["value"]
})
