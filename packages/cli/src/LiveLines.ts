import { cut } from "./Table.ts"
import { rendered } from "./Color.ts"

const leastInterval = 100

/** Lines at the end of a terminal that change in place. */
export class LiveLines {
  readonly #stream: NodeJS.WriteStream
  readonly #coloured: boolean
  #drawn = 0
  #last = 0

  constructor(stream: NodeJS.WriteStream, coloured: boolean) {
    this.#stream = stream
    this.#coloured = coloured
  }

  /** Replaces the lines that are shown, at most ten times a second unless they must be seen `now`. */
  draw(lines: () => ReadonlyArray<string>, now = false): void {
    if (!now && performance.now() - this.#last < leastInterval) return
    this.#last = performance.now()
    // A line wider than the terminal would take two, and the next drawing would land in the wrong place.
    const fitting = lines().map((line) => cut(line, (this.#stream.columns || 80) - 1))
    this.#stream.write(
      this.#back() + fitting.map((line) => `\u001b[2K${rendered(line, this.#coloured)}\n`).join("")
    )
    this.#drawn = fitting.length
  }

  /** Removes the lines. */
  clear(): void {
    if (this.#drawn > 0) this.#stream.write(`${this.#back()}\u001b[J`)
    this.#drawn = 0
  }

  #back(): string {
    return this.#drawn === 0 ? "" : `\u001b[${this.#drawn}A\r`
  }
}
