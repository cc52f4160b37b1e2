import { badRequest, type BadRequest, CurrentActor, sees } from "@carillon/domain"
import { Effect } from "effect"
import { destinationsSentence } from "../accounts/Destinations.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { Destination } from "../platforms/Platform.ts"
import {
  asksForDestination,
  lacksDestination,
  namedOf,
  namesDestinations,
  type OfferedDestinations
} from "./Destinations.ts"
import type { PostContent } from "./PostContent.ts"

/** How long a request waits for all platforms that are asked for destinations. */
const platformsPatience = "8 seconds"

export const noDestinations: OfferedDestinations = new Map()

/** Asks platforms for the destinations of a post's accounts, so not inside a transaction. */
export const makePostDestinations = Effect.gen(function* () {
  const accounts = yield* SocialAccounts

  /** Those of the accounts that the post names some of. */
  const offered = (content: PostContent) =>
    namesDestinations(content) ? asked(content) : Effect.succeed(noDestinations)

  const asked = Effect.fnUntraced(function* (content: PostContent) {
    const actor = yield* CurrentActor
    const ids = content.social_accounts.filter((id) => sees(id, actor.social_accounts))
    const naming = (yield* accounts.find(actor.workspace_id, ids)).flatMap((account) => {
      const named = namedOf(content, account)
      return named.length === 0 ? [] : [[account.id, named] as const]
    })
    const found = new Map<number, ReadonlyArray<Destination> | null>(naming.map(([id]) => [id, null]))
    yield* Effect.forEach(
      naming,
      ([id, named]) => Effect.map(accounts.destinations(id, named), (list) => found.set(id, list)),
      { concurrency: 16, discard: true }
    ).pipe(Effect.timeoutOption(platformsPatience))
    return found as OfferedDestinations
  })

  /** Lists an account's destinations where one has to be chosen. */
  const listing = <A, E, R>(effect: Effect.Effect<A, E | BadRequest, R>) =>
    Effect.catchIf(effect, lacksDestination, (refused) =>
      Effect.gen(function* () {
        const items = yield* Effect.forEach(refused.errors, (item) =>
          asksForDestination(item)
            ? Effect.map(accounts.destinations(item.account_id), (found) => {
                const listed = destinationsSentence(item.platform, found)
                return {
                  ...item,
                  message: `${item.message} ${listed}`,
                  sentence: `${item.sentence} ${listed}`
                }
              })
            : Effect.succeed(item)
        )
        return yield* badRequest(items)
      })
    )

  return { offered, listing }
})
