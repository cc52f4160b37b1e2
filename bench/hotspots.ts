#!/usr/bin/env node
/**
 * Reads what --cpu-prof wrote: `node bench/hotspots.ts <profile.cpuprofile> [from seconds] [to seconds]`. Shares are of
 * the time in which the process did something.
 */
import { readFile } from "node:fs/promises"
import { table } from "./Figures.ts"

interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly children?: ReadonlyArray<number>
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

const [file, from = "0", to = "Infinity"] = process.argv.slice(2)
if (file === undefined) throw new Error("Give the .cpuprofile that --cpu-prof wrote.")
const profile: Profile = JSON.parse(await readFile(file, "utf8"))
const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
const parents = new Map(
  profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id]))
)

/** `node_modules/.pnpm/effect@4.1.0/node_modules/effect/dist/Schema.js`: `effect/Schema`. */
const place = (url: string): string =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:dist\/|src\/)?(.+?)(?:\.[cm]?[jt]s)?$/
    .exec(url)
    ?.slice(1)
    .join("/") ??
  /packages\/.+$/.exec(url)?.[0] ??
  url

const room = (id: number): string => {
  const { functionName, url } = nodes.get(id)!.callFrame
  if (url === "") return functionName.startsWith("(") ? functionName : "(native)"
  if (url.startsWith("node:")) return "node"
  return place(url).replace(/^(packages\/\w+)\/.*/, "$1")
}

const name = (id: number): string => {
  const { functionName, url, lineNumber } = nodes.get(id)!.callFrame
  return `${functionName || "(anonymous)"}  ${place(url)}:${lineNumber + 1}`
}

const selfByRoom = new Map<string, number>()
const selfByName = new Map<string, number>()
const withCallees = new Map<string, number>()
let clock = 0
let busy = 0
for (const [index, sample] of profile.samples.entries()) {
  const micros = profile.timeDeltas[index]!
  clock += micros
  const seconds = clock / 1e6
  if (
    seconds < Number(from) ||
    seconds > Number(to) ||
    nodes.get(sample)!.callFrame.functionName === "(idle)"
  )
    continue
  busy += micros
  const add = (sums: Map<string, number>, key: string) => sums.set(key, (sums.get(key) ?? 0) + micros)
  add(selfByRoom, room(sample))
  add(selfByName, name(sample))
  const stack = new Set<string>()
  for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) stack.add(name(id))
  for (const each of stack) add(withCallees, each)
}

const print = (title: string, sums: ReadonlyMap<string, number>, count: number) => {
  const rows = [...sums]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([key, micros]) => [key, `${((100 * micros) / busy).toFixed(1)} %`])
  console.log(`${table([[title, "share"], ...rows])}\n`)
}

console.log(`busy ${(busy / 1e6).toFixed(1)} s of ${(clock / 1e6).toFixed(1)} s\n`)
print("own time, by module", selfByRoom, 25)
print("own time, by function", selfByName, 35)
print("with what it calls", withCallees, 70)
