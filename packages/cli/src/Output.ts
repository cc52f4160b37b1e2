import type { LiveLines } from "./LiveLines.ts"
import type { Terminal } from "./Terminal.ts"
import type { Column } from "./Table.ts"
import { rendered } from "./Color.ts"

/** stdout has the result and nothing else: text for people, JSON for programs. Remarks and progress go to stderr. */
export class Output {
  readonly json: boolean
  readonly #quiet: boolean
  readonly #terminal: Terminal

  constructor(terminal: Terminal, { json, quiet }: { readonly json: boolean; readonly quiet: boolean }) {
    this.#terminal = terminal
    this.json = json
    this.#quiet = quiet
  }

  /** A remark for a person who watches. */
  note(text: string): void {
    if (!this.#quiet) this.#write(this.#terminal.stderr, text)
  }

  /** Something that the person has to do now: the command waits for it, so --quiet does not hide it. */
  ask(text: string): void {
    this.#write(this.#terminal.stderr, text)
  }

  /** The result: one JSON document, or its text. */
  result(value: unknown, text: () => string): void {
    if (this.json) this.#terminal.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`)
    else this.#write(this.#terminal.stdout, text())
  }

  /** One of many results, as it comes: a line of JSON or text. */
  event(value: unknown, text: () => string): void {
    if (this.json) this.#terminal.stdout.write(`${JSON.stringify(value)}\n`)
    else this.#write(this.#terminal.stdout, text())
  }

  /** A list: one JSON document, or a table. `empty` is printed when there is nothing in it. */
  async list<Row>(
    list: {
      readonly data: ReadonlyArray<Row>
      readonly meta: {
        readonly total: number
        readonly total_relation?: string
        readonly next: string | null
        readonly offset: number
      }
    },
    columns: ReadonlyArray<Column<Row>>,
    empty: string
  ): Promise<void> {
    await this.rows(list, list.data, columns, empty)
    const shown = list.meta.offset + list.data.length
    if (list.meta.next !== null) {
      const total = `${list.meta.total_relation === "at_least" ? "at least " : ""}${list.meta.total}`
      this.note(`Showing ${list.data.length} of ${total}; see more with --offset ${shown}`)
    }
  }

  /** `value` as JSON, or its rows as a table. */
  async rows<Row>(
    value: unknown,
    rows: ReadonlyArray<Row>,
    columns: ReadonlyArray<Column<Row>>,
    empty: string
  ): Promise<void> {
    if (this.json) return this.result(value, () => "")
    if (rows.length === 0) return this.note(empty)
    const { table } = await import("./Table.ts")
    const text = await table(rows, columns, this.#terminal.stdout.columns)
    this.result(value, () => text)
  }

  /** Lines that are redrawn while something goes on; undefined where nobody would see them. */
  async live(): Promise<LiveLines | undefined> {
    if (this.#quiet || !this.#terminal.stderr.isTTY) return undefined
    const { LiveLines } = await import("./LiveLines.ts")
    return new LiveLines(this.#terminal.stderr, this.#isColoured(this.#terminal.stderr))
  }

  #write(stream: NodeJS.WriteStream, text: string) {
    stream.write(`${rendered(text, this.#isColoured(stream))}\n`)
  }

  #isColoured(stream: NodeJS.WriteStream): boolean {
    const { NO_COLOR, TERM } = this.#terminal.env
    return stream.isTTY && !NO_COLOR && TERM !== "dumb"
  }
}
