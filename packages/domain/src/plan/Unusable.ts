/** What somebody wrote of a post, and cannot be used: why, and what to do. */
export class Unusable extends Error {
  override readonly name = "Unusable"
  readonly advice: string | undefined
  /** It names something that is not there. */
  readonly isMissing: boolean
  /** What else cannot be used. */
  readonly others: ReadonlyArray<Unusable>

  constructor(
    message: string,
    advice?: string,
    { isMissing = false, others = [] }: Partial<Pick<Unusable, "isMissing" | "others">> = {}
  ) {
    super(message)
    this.advice = advice
    this.isMissing = isMissing
    this.others = others
  }
}

/** Runs parts of which each may find something unusable, and then says all of it. */
export class Findings {
  readonly #found: Array<Unusable> = []

  /** undefined: it was unusable. */
  async of<A>(part: () => A | Promise<A>): Promise<A | undefined> {
    try {
      return await part()
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      this.#found.push(error, ...error.others)
      return undefined
    }
  }

  throwAny(): void {
    const [first, ...others] = this.#found
    if (first === undefined) return
    const { advice, isMissing, message } = first
    throw new Unusable(message, advice, { isMissing, others })
  }
}
