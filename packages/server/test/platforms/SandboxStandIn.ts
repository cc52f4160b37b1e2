import { type Fault, type PlatformId, type Publication, SandboxProcess } from "@carillon/sandbox/testing"
import { Effect } from "effect"
import type { StandIn } from "./contract.ts"

/** How the test network plays a network in the contract of adapters; its adapter and accounts are the test's own. */
export const onTestNetwork = (
  network: PlatformId,
  idOf: (publication: Publication) => string
): Effect.Effect<Omit<StandIn, "platform" | "account">, never, SandboxProcess> =>
  Effect.map(SandboxProcess, ({ on }) => {
    const { publications, requests, script, waitForPublications } = on(network)
    return {
      script: (username, operation, faults) =>
        script(
          username,
          faults.map((fault) => ({ on: operation, ...fault }) as Fault)
        ),
      awaitPosts: (username, count) =>
        count === 0 ? Effect.void : Effect.orDie(waitForPublications(username, count)),
      posts: (username) => Effect.map(publications(username), (posts) => posts.map(idOf)),
      calls: (username, operation) =>
        Effect.map(requests(username), (all) => all.filter((one) => one.operation === operation).length)
    }
  })

/** The id that the network gave the message, where that is not the test network's own. */
export const messageId = ({ details }: Publication) => String(details?.["message_id"])
