import { Schema } from "effect"
import { Text } from "../Text.ts"

/** A record by its address. `repo` is a DID or a handle. */
export interface RecordAddress {
  readonly repo: string
  readonly rkey: string
}

const repo = String.raw`(did:[a-z]+:[\w.:%-]+|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*)`
const key = String.raw`([\w.~:-]{1,512})`

const addressesOf = (collection: string, page: string) => {
  const forms = [
    new RegExp(`^at://${repo}/${collection.replaceAll(".", String.raw`\.`)}/${key}$`, "i"),
    new RegExp(`^https://bsky\\.app/profile/${repo}/${page}/${key}/?(?:[?#].*)?$`, "i")
  ]
  return (address: string): RecordAddress | undefined => {
    const found = forms.map((form) => form.exec(address)).find((match) => match !== null)
    return found === undefined ? undefined : { repo: found[1]!, rkey: found[2]! }
  }
}

/** Reads `at://…/app.bsky.feed.post/…` and `https://bsky.app/profile/…/post/…`. */
export const blueskyPost = addressesOf("app.bsky.feed.post", "post")

/** Reads `at://…/app.bsky.graph.list/…` and `https://bsky.app/profile/…/lists/…`. */
export const blueskyList = addressesOf("app.bsky.graph.list", "lists")

/** An address that is read so. */
export const addressOf = (read: (address: string) => RecordAddress | undefined, what: string) =>
  Text.check(
    Schema.isMaxLength(1000),
    Schema.makeFilter(
      (value: string) =>
        read(value) !== undefined || `is neither the bsky.app URL of ${what} nor its at:// URI`,
      {
        expected: `the bsky.app URL or at:// URI of ${what}`,
        toJsonSchema: () => ({ format: "uri", maxLength: 1000 })
      }
    )
  )
