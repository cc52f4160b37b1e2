import { Data, Duration, Effect, Semaphore } from "effect"
import { Worker } from "node:worker_threads"
import type { VideoFacts } from "./VideoProbeWorker.ts"

export class VideoUnreadable extends Data.TaggedError("VideoUnreadable")<{ readonly cause: unknown }> {}

const slots = Semaphore.makeUnsafe(2)
const patience = Duration.seconds(15)

/**
 * Reads a video's index in a thread of its own: a file of a few kilobytes can be made to keep a reader busy for
 * ever or to fill the memory, and then the thread dies and nothing else. null: there is no picture in the file.
 */
export const probeVideo = (path: string): Effect.Effect<VideoFacts | null, VideoUnreadable> =>
  Effect.callback<VideoFacts | null, VideoUnreadable>((resume) => {
    const worker = new Worker(new URL("./VideoProbeWorker.ts", import.meta.url), {
      workerData: { path },
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
      stdout: true,
      stderr: true
    })
    const fail = (cause: unknown) => resume(new VideoUnreadable({ cause }))
    worker.once("message", (facts: VideoFacts | null) => resume(Effect.succeed(facts)))
    worker.once("error", fail)
    worker.once("exit", (code) => fail(`ended with ${code}`))
    return Effect.promise(() => worker.terminate())
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => new VideoUnreadable({ cause: "took too long" })
    }),
    slots.withPermits(1)
  )
