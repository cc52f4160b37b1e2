/**
 * Loaded into a service (`node --import`): its clock begins at CLOCK_BEGINS and goes sixty times slower than the machine's, so
 * that all that happens within an hour bears the same minute. Timers wait as long as ever.
 */
const begins = Date.parse(process.env["CLOCK_BEGINS"]!)
const uptime = performance.now.bind(performance)
performance.now = () => uptime() / 60

const Slow = class extends Date {
  constructor(...given: ReadonlyArray<never>) {
    super(...(given.length === 0 ? ([Slow.now()] as const) : (given as unknown as [number])))
  }
  static override now = () => Math.floor(begins + performance.now())
}
globalThis.Date = Slow as DateConstructor
