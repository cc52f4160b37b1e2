import { statesBefore, type TargetEvent, targetEvents, terminalStates, transition } from "@carillon/domain"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export const architecturePage = join(import.meta.dirname, "../../../docs/architecture.md")

const diagram = /```mermaid\nstateDiagram-v2\n.*?```/s

export const drawnDiagram = (page: string) => diagram.exec(page)?.[0]

/** The states of a target, with the events that lead from one to the next. */
export const targetDiagram = (): string => {
  const events = new Map<string, Array<TargetEvent>>()
  for (const event of targetEvents) {
    for (const from of statesBefore(event)) {
      const arrow = `${from} --> ${transition(from, event)!}`
      events.set(arrow, [...(events.get(arrow) ?? []), event])
    }
  }
  const reached = (state: string) => [...events.keys()].some((arrow) => arrow.endsWith(` ${state}`))
  return [
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> draft",
    "  [*] --> waiting",
    ...[...events].map(([arrow, names]) => `  ${arrow}: ${names.join("<br>")}`),
    ...[...terminalStates].filter(reached).map((state) => `  ${state} --> [*]`),
    "```"
  ].join("\n")
}

/** Draws the states in docs/architecture.md: `npx node packages/testing/src/TargetDiagram.ts`. */
if (import.meta.main) {
  writeFileSync(architecturePage, readFileSync(architecturePage, "utf8").replace(diagram, targetDiagram()))
}
