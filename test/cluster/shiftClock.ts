/**
 * Loaded into a service (`node --import`), shifts its clock from the machine's by as many milliseconds as the file
 * named by CLOCK_SHIFT says, read again every tenth of a second. Node offers the wall clock through `Date` and
 * `performance.timeOrigin` alone.
 */
import { readFileSync } from "node:fs"

const file = process.env["CLOCK_SHIFT"]!
const now = Date.now
const shift = () => Number(readFileSync(file, "utf8"))
let current = shift()
setInterval(() => (current = shift()), 100).unref()

const Shifted = class extends Date {
  constructor(...given: ReadonlyArray<never>) {
    super(...(given.length === 0 ? ([Shifted.now()] as const) : (given as unknown as [number])))
  }
  static override now = () => now() + current
}
globalThis.Date = Shifted as DateConstructor
const { timeOrigin } = performance
Object.defineProperty(performance, "timeOrigin", { get: () => timeOrigin + current })
