import { Effect, Layer } from "effect"
import { AccountEvents } from "../accounts/AccountEvents.ts"
import { RemotePosts } from "../engine/RemotePosts.ts"
import { Settled } from "../engine/Settled.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"
import { PostEvents } from "./PostEvents.ts"

/** The engine's tables; settlements become events of posts and accounts. */
export const EngineLayer = Layer.merge(TargetQueue.layer, RemotePosts.layer).pipe(
  Layer.provide(
    Layer.effect(
      Settled,
      Effect.gen(function* () {
        const posts = yield* PostEvents
        const accounts = yield* AccountEvents
        return Settled.of({ posts: posts.settled, needsReconnect: accounts.needsReconnect })
      })
    )
  ),
  Layer.provide([PostEvents.layer, AccountEvents.layer])
)
