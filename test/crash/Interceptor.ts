/** A boundary of the work: one write to the database, or one call to the platform. */
export interface Point {
  /** The message in flight, and its number among messages of its kind, which work in the background does not shift. */
  readonly step: string
  /** `before`: it has not left. `done`: it took effect, the answer is withheld. `after`: the answer is there. */
  readonly position: "before" | "done" | "after"
}

/** The action at the point. False: the sender is gone, and everything that it has sent is dropped. */
export type Action = () => Promise<boolean>

/** Counts what passes through the proxies of one process, and does something to it at one point. */
export class Interceptor {
  #armed: { readonly point: Point | undefined; readonly act: Action } | undefined
  #counts = new Map<string, number>()
  #incarnation = 0
  /** The steps that were counted since it was armed, up to the point, in order. */
  passed: ReadonlyArray<string> = []
  /** The point was reached. */
  triggered = false

  /** Counts from now on; without a point, to see what there is. */
  arm(point: Point | undefined, act: Action): void {
    this.#armed = { point, act }
    this.#counts = new Map()
    this.passed = []
    this.triggered = false
  }

  disarm(): void {
    this.#armed = undefined
  }

  /** Whether the process that is there now still is. */
  watch(): () => boolean {
    const incarnation = this.#incarnation
    return () => incarnation === this.#incarnation
  }

  /** The process is gone: what it has sent and is still on the way is dropped. */
  cut(): void {
    this.#incarnation++
  }

  /** Counts a step. */
  pass(what: string): string {
    const number = (this.#counts.get(what) ?? 0) + 1
    this.#counts.set(what, number)
    const step = `${what} #${number}`
    if (this.#armed !== undefined && !this.triggered) this.passed = [...this.passed, step]
    return step
  }

  /** Whether this is where something is to happen. */
  isAt(step: string, position: Point["position"]): boolean {
    const point = this.#armed?.point
    return !this.triggered && point?.step === step && point.position === position
  }

  async reach(step: string, position: Point["position"]): Promise<boolean> {
    if (!this.isAt(step, position)) return true
    this.triggered = true
    return await this.#armed!.act()
  }
}
