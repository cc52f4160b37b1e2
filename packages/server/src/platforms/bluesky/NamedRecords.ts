import type { RecordAddress } from "@carillon/domain"
import { Effect } from "effect"
import { PublishError } from "../Platform.ts"
import type { repository } from "./Repository.ts"
import type { BlueskyCredentials } from "./BlueskyCredentials.ts"

interface Kind {
  readonly read: (address: string) => RecordAddress | undefined
  readonly collection: string
  readonly what: "post" | "list"
}

/** Finds the record that a person names by its address. A record that others hold is named by its author's DID. */
export const recordsNamed = ({ didOf, find }: Pick<ReturnType<typeof repository>, "didOf" | "find">) =>
  Effect.fnUntraced(function* (credentials: BlueskyCredentials, kind: Kind, address: string) {
    const named = kind.read(address)
    if (named === undefined) return yield* notFound(kind, address)
    const did = named.repo.startsWith("did:") ? named.repo : yield* didOf(credentials, named.repo)
    if (did === null) return yield* notFound(kind, address)
    const { collection } = kind
    const found = yield* find(credentials, { repo: did, collection, rkey: named.rkey }).pipe(
      // Servers have different words for a repository that they do not hold.
      Effect.catchIf(
        ({ class: failure }) => failure === "invalid",
        () => Effect.succeed(null)
      )
    )
    if (found?.cid === undefined) return yield* notFound(kind, address)
    return { uri: `at://${did}/${collection}/${named.rkey}`, cid: found.cid }
  })

const notFound = ({ what }: Kind, address: string) =>
  new PublishError({
    class: "invalid",
    code: `${what}_not_found`,
    message: `Bluesky has no ${what} "${address}". Check its address; it may have been deleted.`
  })
