import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"

export interface Child {
  /** Reads lines until one of them satisfies the condition; all lines so far. Fails if the child ends first. */
  readonly linesUntil: (
    enough: (line: string, count: number) => boolean
  ) => Effect.Effect<ReadonlyArray<string>>
  /** SIGKILL; the lines the child still got out. */
  readonly kill: Effect.Effect<ReadonlyArray<string>>
  /** Exit code and everything it wrote to standard error. */
  readonly ended: Effect.Effect<{ readonly code: number | null; readonly stderr: string }>
}

/** A Node process that runs a file of this folder; killed with the scope. */
export const start = (
  file: string,
  args: ReadonlyArray<string>,
  env: Record<string, string> = {}
): Effect.Effect<Child, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ...env }
      })
    ),
    (child) => Effect.promise(() => kill(child))
  ).pipe(
    Effect.map((child) => {
      const lines: Array<string> = []
      const reader = createInterface({ input: child.stdout })
      const readerClosed = once(reader, "close")
      const listeners = new Set<() => void>()
      reader.on("line", (line) => {
        lines.push(line)
        listeners.forEach((listener) => listener())
      })
      let stderr = ""
      child.stderr.on("data", (chunk) => (stderr += chunk))
      const closed = once(child, "close")

      return {
        linesUntil: (enough) =>
          Effect.callback((resume) => {
            const check = () => {
              if (lines.some((line, index) => enough(line, index + 1))) resume(Effect.succeed([...lines]))
            }
            const failed = () => resume(Effect.die(new Error(`the child ended early: ${stderr}`)))
            listeners.add(check)
            child.once("close", failed)
            check()
            return Effect.sync(() => {
              listeners.delete(check)
              child.off("close", failed)
            })
          }),
        kill: Effect.promise(async () => {
          await kill(child)
          await readerClosed
          return [...lines]
        }),
        ended: Effect.promise(async () => {
          await closed
          return { code: child.exitCode, stderr }
        })
      }
    })
  )

const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  child.kill("SIGKILL")
  await exited
}
