/** One message of PostgreSQL's wire protocol. */
export interface Message {
  /** Its type byte; empty for those that open a connection, which have none. */
  readonly type: string
  readonly bytes: Buffer
}

const PROTOCOL_3 = 196_608

/** Cuts one direction of a connection into messages. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0)
  #opening: boolean

  /** `opening`: the first messages have no type, as those of a client do not. */
  constructor({ opening }: { readonly opening: boolean }) {
    this.#opening = opening
  }

  read(chunk: Uint8Array): Array<Message> {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk])
    const messages: Array<Message> = []
    while (true) {
      const head = this.#opening ? 0 : 1
      if (this.#rest.length < head + 4) return messages
      const length = head + this.#rest.readInt32BE(head)
      if (this.#rest.length < length) return messages
      const bytes = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      messages.push({ type: this.#opening ? "" : String.fromCharCode(bytes[0]!), bytes })
      if (this.#opening && bytes.readInt32BE(4) === PROTOCOL_3) this.#opening = false
    }
  }
}

const textAt = (bytes: Buffer, from: number) => bytes.toString("utf8", from, bytes.indexOf(0, from))

/** Knows which statement a client's message runs, prepared ones by their names. */
export class Statements {
  readonly #prepared = new Map<string, string>()
  readonly #portals = new Map<string, string>()

  /** The text of the statement that this message runs; undefined if it runs none. */
  runBy({ type, bytes }: Message): string | undefined {
    switch (type) {
      case "P": {
        const name = textAt(bytes, 5)
        this.#prepared.set(name, textAt(bytes, 5 + Buffer.byteLength(name) + 1))
        return undefined
      }
      case "B": {
        const portal = textAt(bytes, 5)
        const name = textAt(bytes, 5 + Buffer.byteLength(portal) + 1)
        this.#portals.set(portal, this.#prepared.get(name) ?? "")
        return undefined
      }
      case "E":
        return this.#portals.get(textAt(bytes, 5))
      case "Q":
        return textAt(bytes, 5)
      default:
        return undefined
    }
  }
}

/** A few words for a statement that writes, locks, begins or ends a transaction; undefined for one that reads. */
export const writeIn = (statement: string): string | undefined => {
  const text = statement.toLowerCase()
  const [first] = /\b(insert|update|delete|begin|commit|savepoint|notify|pg_notify)\b/.exec(text) ?? []
  if (first === undefined) return undefined
  const tables = [...text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)/g)]
    .map(([, table]) => table!)
    .filter((table) => !["set", "of", "skip"].includes(table))
  const changed = [...new Set(tables)]
  if (changed.length === 0) return first === "update" ? "lock rows" : first
  return `write ${changed.slice(0, 3).join(", ")}${changed.length > 3 ? " and more" : ""}`
}
