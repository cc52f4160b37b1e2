#!/usr/bin/env node
/**
 * A video, four pictures and a thread, due at one instant, to every network of the test network that takes them:
 * `node bench/everywhere.ts [rounds]`. The baseline is each network alone with the same posts, in the same round.
 */
import { NodeRuntime } from "@effect/platform-node"
import { accountsEverywhere, files, networks, postOf, posts, upload } from "@carillon/testing/PostsEverywhere"
import { create, inSeconds, settled, ServiceWithSandbox } from "@carillon/testing/Publishing"
import { Console, Effect } from "effect"
import { figure, median, table } from "./Figures.ts"

const rounds = Number(process.argv[2] ?? 3)
/** All posts are stored by then. */
const ahead = 5

type Network = (typeof networks)[number]

const program = Effect.gen(function* () {
  const directory = yield* files
  const accounts = yield* accountsEverywhere("bench")
  const media = new Map<string, ReadonlyArray<string>>()
  for (const post of posts) media.set(post.what, yield* upload(directory, post))

  let asked = 0
  /** Of its own words: X refuses the same twice. */
  const unlike = ({ caption, thread, ...post }: (typeof posts)[number]) => {
    asked += 1
    return { ...post, caption: `${caption} ${asked}`, thread: thread.map((item) => `${item} ${asked}`) }
  }

  /** For each network the seconds from the instant until the last of its posts was live. */
  const publish = Effect.fnUntraced(function* (wanted: ReadonlyArray<Network>) {
    const due = inSeconds(ahead)
    const created = yield* Effect.forEach(posts, (post) => {
      const takers = wanted.filter((network) => network in post.asked)
      return takers.length === 0
        ? Effect.succeed([])
        : Effect.map(
            create({
              ...postOf(unlike(post), media.get(post.what)!),
              social_accounts: takers.map((network) => accounts.get(network)),
              scheduled_at: due
            }),
            ({ id }) => [id]
          )
    })
    const seconds = new Map<string, number>()
    for (const id of created.flat()) {
      const { results, status } = yield* settled(id)
      if (status !== "published") return yield* Effect.die(new Error(JSON.stringify(results)))
      for (const { platform, published_at } of results) {
        const lasted = (Date.parse(published_at) - Date.parse(due)) / 1000
        seconds.set(platform, Math.max(lasted, seconds.get(platform) ?? 0))
      }
    }
    return seconds
  })

  const alone = new Map<string, Array<number>>()
  const together = new Map<string, Array<number>>()
  const add = (to: Map<string, Array<number>>, seconds: ReadonlyMap<string, number>) =>
    seconds.forEach((value, network) => to.set(network, [...(to.get(network) ?? []), value]))
  for (let round = 0; round < rounds; round++) {
    add(together, yield* publish(networks))
    for (const network of networks) add(alone, yield* publish([network]))
  }
  const slowest = (of: Map<string, Array<number>>) =>
    Math.max(...[...of.values()].map((each) => median(each)))
  yield* Console.log(
    table([
      ["seconds from the instant", "all at once", "alone", "ratio"],
      ...networks.map((network) => {
        const [both, one] = [together, alone].map((of) => median(of.get(network)!)) as [number, number]
        return [network, figure(both), figure(one), figure(both / one)]
      }),
      [
        "the last of all",
        figure(slowest(together)),
        figure(slowest(alone)),
        figure(slowest(together) / slowest(alone))
      ]
    ])
  )
})

NodeRuntime.runMain(Effect.scoped(Effect.provide(program, ServiceWithSandbox())))
