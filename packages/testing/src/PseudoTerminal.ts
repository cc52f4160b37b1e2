import { type IPty, spawn } from "@lydell/node-pty"
import { Effect } from "effect"

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly columns?: number
}

/** A program that believes that a person sits before it. */
export interface PseudoTerminal {
  /** Every byte so far, with what moves the cursor and colours. */
  readonly raw: () => string
  /** The text on the screen now. */
  readonly screen: () => string
  readonly type: (keys: string) => void
  readonly kill: (signal: NodeJS.Signals) => void
  /** Until the text has appeared, at any time. */
  readonly until: (text: string) => Effect.Effect<void>
  /** The exit code; null after a signal. */
  readonly ended: Effect.Effect<number | null>
}

const patience = 150_000

export const onTerminal = (
  program: string,
  args: ReadonlyArray<string>,
  { columns = 100, cwd, env }: TerminalOptions
) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => spawn(program, [...args], { cols: columns, rows: 40, cwd, env: { ...env } })),
      (pty) => Effect.sync(() => quietly(pty))
    ),
    (pty): PseudoTerminal => {
      let raw = ""
      const heard: Array<() => void> = []
      const end = Promise.withResolvers<number | null>()
      pty.onData((data) => {
        raw += data
        for (const hear of heard.splice(0)) hear()
      })
      pty.onExit(({ exitCode, signal }) => {
        end.resolve(signal ? null : exitCode)
        for (const hear of heard.splice(0)) hear()
      })
      const until = async (text: string) => {
        const limit = performance.now() + patience
        let over = false
        void end.promise.then(() => (over = true))
        while (!raw.includes(text)) {
          if (over || performance.now() > limit)
            throw new Error(`${JSON.stringify(text)} is not in ${JSON.stringify(raw)}`)
          await Promise.race([
            new Promise<void>((resolve) => void heard.push(resolve)),
            new Promise((resolve) => setTimeout(resolve, 1000).unref())
          ])
        }
      }
      return {
        raw: () => raw,
        screen: () => screenOf(raw),
        type: (keys) => pty.write(keys),
        kill: (signal) => pty.kill(signal),
        until: (text) => Effect.promise(() => until(text)),
        ended: Effect.promise(() => end.promise)
      }
    }
  )

const quietly = (pty: IPty) => {
  try {
    pty.kill("SIGKILL")
  } catch {
    // It has ended already.
  }
}

/** A terminal's screen after a program's output, for the escape sequences that the command line and Node's prompt use. */
const screenOf = (raw: string): string => {
  const lines: Array<string> = [""]
  let row = 0
  let column = 0
  // oxlint-disable-next-line no-control-regex
  for (const [piece, count, order] of raw.matchAll(/\u001b\[(\d*)([A-Za-z])|\r|\n|[^\u001b\r\n]+/g)) {
    const line = lines[row]!
    if (piece === "\r") column = 0
    else if (piece === "\n") {
      row += 1
      lines[row] ??= ""
    } else if (order === undefined) {
      lines[row] = line.padEnd(column).slice(0, column) + piece + line.slice(column + piece.length)
      column += piece.length
    } else if (order === "A") row = Math.max(0, row - Number(count || 1))
    else if (order === "G") column = Number(count || 1) - 1
    else if (order === "K") lines[row] = count === "2" ? "" : line.slice(0, column)
    else if (order === "J") {
      lines.length = row + 1
      lines[row] = line.slice(0, column)
    } else if (order !== "m") throw new Error(`the terminal does not know ${JSON.stringify(piece)}`)
  }
  return lines
    .map((one) => one.trimEnd())
    .join("\n")
    .trimEnd()
}
