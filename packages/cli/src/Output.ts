import type { Column } from "./Table.ts"
import { printable } from "./Text.ts"
import type { Terminal } from "./Session.ts"

/** stdout is the result and nothing else: text for people, JSON for programs. Remarks go to stderr. */
export class Output {
  readonly json: boolean
  readonly #terminal: Terminal

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.json = json
  }

  /** A remark for the person who watches. */
  note(text: string): void {
    this.#terminal.stderr.write(`${printable(text)}\n`)
  }

  /** A line of the result; not part of the JSON. */
  line(text: string): void {
    if (!this.json) this.#terminal.stdout.write(`${printable(text)}\n`)
  }

  /** The result: one JSON document, or what `text` makes of it. */
  result(value: unknown, text: () => string): void {
    this.#terminal.stdout.write(
      this.json ? `${JSON.stringify(value, undefined, 2)}\n` : `${printable(text())}\n`
    )
  }

  /** A list: one JSON document, or a table. `empty` is said when there is nothing in it. */
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
    if (!this.json && list.data.length === 0) return this.note(empty)
    const { table } = await import("./Table.ts")
    this.result(list, () => table(list.data, columns, this.#terminal.stdout.columns))
    const shown = list.meta.offset + list.data.length
    if (list.meta.next !== null) {
      const total = `${list.meta.total_relation === "at_least" ? "at least " : ""}${list.meta.total}`
      this.note(`${list.data.length} of ${total} shown; more with --offset ${shown}`)
    }
  }
}
