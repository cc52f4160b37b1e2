import { Effect, Schema } from "effect"
import { PublishError } from "../Platform.ts"
import type { GoogleBusinessApi } from "./GoogleBusinessApi.ts"

const words = Schema.optionalKey(Schema.String)
const Account = Schema.Struct({
  name: Schema.String.check(Schema.isPattern(/^accounts\/[\w-]+$/u)),
  type: words
})
const Accounts = Schema.Struct({
  accounts: Schema.optionalKey(Schema.Array(Account)),
  nextPageToken: words
})
const Location = Schema.Struct({
  name: Schema.String.check(Schema.isPattern(/(?:^|\/)locations\/[\w-]+$/u)),
  title: words,
  storefrontAddress: Schema.optionalKey(
    Schema.Struct({ addressLines: Schema.optionalKey(Schema.Array(Schema.String)), locality: words })
  ),
  metadata: Schema.optionalKey(Schema.Struct({ canOperateLocalPost: Schema.optionalKey(Schema.Boolean) }))
})
const Locations = Schema.Struct({
  locations: Schema.optionalKey(Schema.Array(Location)),
  nextPageToken: words
})

const mostAccounts = 200
/** A page may be empty and not the last. */
const mostAccountPages = 20
const mostLocations = 1000
/** Whole accounts with their organization's address, and locations with what the mask names. */
const pageAnswer = 1024 * 1024

/** A location for which the person may post. */
export interface OwnLocation {
  /** `locations/1`: the same in whichever account it is seen. */
  readonly id: string
  /** `accounts/1`, through which it was seen. */
  readonly account: string
  readonly title: string
  /** With its address, because shops of one company have one title. */
  readonly described: string
}

/**
 * The person's own account, and the locations of all their accounts that can have posts:
 * https://developers.google.com/my-business/reference/businessinformation/rest/v1/accounts.locations/list
 */
export const ownLocations = Effect.fnUntraced(function* (
  { get, hosts }: GoogleBusinessApi,
  bearer: string
): Effect.fn.Return<
  { readonly person: string | undefined; readonly locations: ReadonlyArray<OwnLocation> },
  PublishError
> {
  const accounts: Array<typeof Account.Type> = []
  let token: string | undefined
  let pages = 0
  do {
    const page = yield* get({
      url: `${hosts.accounts}/v1/accounts`,
      query: { pageSize: "20", ...(token === undefined ? {} : { pageToken: token }) },
      bearer,
      maxAnswerBytes: pageAnswer,
      answer: Accounts
    })
    accounts.push(...(page.accounts ?? []))
    token = page.nextPageToken
    pages += 1
  } while (token !== undefined && token !== "" && accounts.length < mostAccounts && pages < mostAccountPages)

  const found = new Map<string, OwnLocation>()
  let read = 0
  for (const { name: account } of accounts) {
    token = undefined
    do {
      const page: typeof Locations.Type = yield* get({
        url: `${hosts.information}/v1/${account}/locations`,
        query: {
          readMask: "name,title,storefrontAddress,metadata",
          pageSize: "100",
          ...(token === undefined ? {} : { pageToken: token })
        },
        bearer,
        maxAnswerBytes: pageAnswer,
        answer: Locations
      })
      const locations = page.locations ?? []
      read += Math.max(1, locations.length)
      for (const location of locations) {
        const id = location.name.slice(location.name.lastIndexOf("locations/"))
        if (location.metadata?.canOperateLocalPost === true && !found.has(id))
          found.set(id, { id, account, ...namesOf(location, id) })
      }
      token = page.nextPageToken
    } while (token !== undefined && token !== "" && read < mostLocations)
  }
  if (found.size === 0) return yield* noLocations
  return {
    person: accounts.find(({ type }) => type === "PERSONAL")?.name,
    locations: [...found.values()]
  }
})

const namesOf = ({ storefrontAddress, title }: typeof Location.Type, id: string) => {
  const named = title?.trim() || id
  const { addressLines = [], locality } = storefrontAddress ?? {}
  const parts = [named, addressLines[0], locality].map((part) => part?.trim())
  return { title: named, described: parts.filter((part) => part !== undefined && part !== "").join(", ") }
}

const noLocations = new PublishError({
  class: "forbidden",
  code: "no_accounts",
  message:
    "This Google account manages no location that can have posts. Verify the Business Profile, or ask its owner to make you a manager, then connect again."
})
