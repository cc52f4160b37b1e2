import { Data, Effect } from "effect"
import { spawn } from "node:child_process"
import { constants, setPriority } from "node:os"

/** `words`: the end of its output, without names of files. */
export class FfmpegFailed extends Data.TaggedError("FfmpegFailed")<{
  readonly reason: "not_started" | "refused" | "killed"
  readonly words: string
}> {}

const heldOutput = 256 * 1024
const heldErrors = 4096

/** Runs ffmpeg in a process that is gone when this ends, however it ends; gives its output. */
export const ffmpeg = (
  program: string,
  programArguments: ReadonlyArray<string>
): Effect.Effect<string, FfmpegFailed> =>
  Effect.callback((resume) => {
    let output = ""
    let errors = ""
    const child = spawn(program, programArguments, {
      // Without the service's own environment, which holds its secrets.
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const ended = new Promise<void>((done) => child.once("close", () => done()).once("error", () => done()))
    // Lower priority, because due posts come first.
    if (child.pid !== undefined) lowerPriority(child.pid)
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(0, heldOutput)
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-heldErrors)
    })
    child.once("error", ({ message }) =>
      resume(new FfmpegFailed({ reason: "not_started", words: lastWords(message) }))
    )
    child.once("close", (code, signal) =>
      resume(
        code === 0
          ? Effect.succeed(output)
          : new FfmpegFailed({
              reason: code === null ? "killed" : "refused",
              words: code === null ? `ended by ${signal}` : lastWords(errors)
            })
      )
    )
    return Effect.promise(() => {
      child.kill("SIGKILL")
      return ended
    })
  })

const lowerPriority = (pid: number) => {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
}

export const lastWords = (errors: string): string =>
  (errors.trim().split("\n").at(-1) ?? "")
    .replace(/\[[^\]]* @ 0x[0-9a-f]+\]\s*/g, "")
    .replace(/(?:file:)?\/[^\s:'"]+/g, "the file")
    .slice(0, 200)
