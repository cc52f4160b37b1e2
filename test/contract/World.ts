import { Context, Effect, Layer } from "effect"
import { InProcessService } from "./InProcessService.ts"
import { Tenant } from "./Tenant.ts"

/**
 * Two workspaces of one service that must not see each other, each with one thing of every kind. Pages of every origin
 * may call it, so that what is refused to one of them is refused by more than CORS.
 */
export class World extends Context.Service<World, { readonly mine: Tenant; readonly theirs: Tenant }>()(
  "@carillon/test/contract/World"
) {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const { url, run, workspace, makeKey } = yield* InProcessService
      return yield* Effect.promise(async () => {
        const mine = await Tenant.make(url, await makeKey(workspace, ["admin"]), "mine")
        // Far apart, so that a number in an answer can be told from any other.
        await run((sql) => sql`alter table social_accounts alter column id restart with 70000001`)
        const elsewhere = await mine.call("POST", "/v1/workspaces", { name: "Elsewhere" })
        const theirs = await Tenant.make(url, elsewhere.api_key.key, "theirs")
        return World.of({ mine, theirs })
      })
    })
  ).pipe(Layer.provideMerge(InProcessService.layer({ CORS_ORIGINS: "*" })))
}
