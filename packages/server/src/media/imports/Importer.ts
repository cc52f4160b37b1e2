import { Duration, Effect, Layer, Option } from "effect"
import { type Held, runLoop } from "../../engine/Loop.ts"
import { Wakeup } from "../../sql/Wakeup.ts"
import { FetchMedia } from "./FetchMedia.ts"
import { ImportRepository, lease } from "./ImportRepository.ts"

/** How many fetches one process runs for one workspace: a slow server must not hold up the others. */
const maximumOfWorkspace = 8

const busy = (held: Held) =>
  [...held].flatMap(([workspace, count]) => (count < maximumOfWorkspace ? [] : [workspace]))

/** The loop that fetches media from URLs. */
export const ImporterLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const imports = yield* ImportRepository
    const media = yield* FetchMedia
    yield* runLoop({
      name: "media import",
      signal: (yield* Wakeup).imports,
      longestSleep: Duration.seconds(5),
      capacity: 32,
      minRoom: 1,
      lease,
      id: ({ media_id }) => media_id,
      group: ({ workspace_id }) => workspace_id,
      claim: (held) =>
        Effect.map(imports.claim(busy(held)), (claimed) => ({
          items: Option.toArray(claimed),
          more: Option.isSome(claimed)
        })),
      nextAt: (held) => imports.nextTryAt(busy(held)),
      looksAfterEach: true,
      run: media.fetch,
      release: imports.release,
      renew: imports.renew,
      recover: imports.recover
    })
  })
).pipe(Layer.provide([FetchMedia.layer, ImportRepository.layer]))
