import { Effect, type Scope } from "effect"
import type { Refused } from "../Exchange.ts"
import { noObject } from "../meta/GraphErrors.ts"
import type { Ledger } from "../Ledger.ts"
import type { MediaStore } from "../MediaStore.ts"
import type { NewContainer, Threads } from "./Threads.ts"
import { listOf, threadsDraft } from "./ThreadsDraft.ts"
import { invalid, noContainer } from "./ThreadsErrors.ts"
import { picture, video } from "./ThreadsFile.ts"

interface Network {
  readonly ledger: Ledger["Service"]
  readonly store: MediaStore["Service"]
  readonly threads: Threads["Service"]
}

/** A `POST /{user}/threads` with its file fetched. */
export const threadsContainer = Effect.fnUntraced(function* (
  { ledger, store, threads }: Network,
  account: string,
  given: URLSearchParams
): Effect.fn.Return<NewContainer, Refused, Scope.Scope> {
  const {
    alt_text = null,
    allowlisted_country_codes: countries,
    children: ids,
    image_url,
    is_carousel_item: child = false,
    text = "",
    video_url,
    ...sent
  } = yield* threadsDraft(given)
  const { media_type, quote_post_id, reply_to_id } = sent
  if (quote_post_id !== undefined && ledger.find("threads", quote_post_id) === undefined)
    return yield* noObject(quote_post_id)
  if (reply_to_id !== undefined && ledger.find("threads", reply_to_id)?.account !== account)
    return yield* noObject(reply_to_id)
  const details = {
    ...sent,
    ...(countries === undefined ? {} : { allowlisted_country_codes: listOf(countries) })
  } as unknown as NewContainer["details"]
  const container = { account, child, text, alt_text, details, media: null, children: [], fails_with: null }

  switch (media_type) {
    case "TEXT":
      return container
    case "IMAGE":
      if (image_url === undefined) return yield* invalid("Param image_url is required")
      return { ...container, media: yield* picture(store, image_url) }
    case "VIDEO":
      if (video_url === undefined) return yield* invalid("Param video_url is required")
      return yield* Effect.match(video(store, video_url), {
        onFailure: (fails_with) => ({ ...container, fails_with }),
        onSuccess: (media) => ({ ...container, media })
      })
    case "CAROUSEL": {
      const children = listOf(ids)
      if (children.length < 2 || children.length > 20)
        return yield* invalid("Param children must have between 2 and 20 containers")
      for (const id of children) {
        const found = threads.container(account, id)
        const isReady = found?.child === true && (yield* threads.status(found)) === "FINISHED"
        if (!isReady) return yield* noContainer(id)
      }
      return { ...container, children }
    }
  }
})
