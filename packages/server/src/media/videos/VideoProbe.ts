import type { WorkspaceId } from "@carillon/domain"
import { Context, Data, Duration, Effect, Layer, Semaphore } from "effect"
import { Worker } from "node:worker_threads"
import { makeKeyedLock } from "../../KeyedLock.ts"
import type { ProbedVideo, VideoFacts } from "./VideoProbeWorker.ts"

/** `sentence`: what is too large, the rule, and what to do; null: the file is damaged. */
export class VideoUnreadable extends Data.TaggedError("VideoUnreadable")<{
  readonly sentence: string | null
}> {}

const maximumThreads = 2
const patience = Duration.seconds(15)

/**
 * Reads a video's index in a thread of its own: a file of a few kilobytes can keep a reader busy for ever or fill the
 * memory, and then only the thread dies. A workspace has one at a time, so that its files never keep those of another
 * waiting.
 */
export class VideoProbe extends Context.Service<
  VideoProbe,
  {
    /** null: there is no picture in the file. */
    probe(path: string, workspaceId: WorkspaceId): Effect.Effect<VideoFacts | null, VideoUnreadable>
  }
>()("@carillon/server/media/videos/VideoProbe") {
  static readonly layer = Layer.effect(
    VideoProbe,
    Effect.gen(function* () {
      const threads = yield* Semaphore.make(maximumThreads)
      const ofWorkspace = yield* makeKeyedLock<WorkspaceId>()
      return VideoProbe.of({
        probe: Effect.fn("VideoProbe.probe")((path, workspaceId) =>
          inThread(path).pipe(threads.withPermit, ofWorkspace(workspaceId))
        )
      })
    })
  )
}

const inThread = (path: string): Effect.Effect<VideoFacts | null, VideoUnreadable> =>
  Effect.callback<VideoFacts | null, VideoUnreadable>((resume) => {
    const worker = new Worker(new URL("./VideoProbeWorker.ts", import.meta.url), {
      workerData: { path },
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
      stdout: true,
      stderr: true
    })
    const fail = () => resume(new VideoUnreadable({ sentence: null }))
    worker.once("message", ({ facts, tooLarge }: ProbedVideo) =>
      resume(tooLarge === null ? Effect.succeed(facts) : new VideoUnreadable({ sentence: tooLarge }))
    )
    worker.once("error", fail)
    worker.once("exit", fail)
    return Effect.promise(() => worker.terminate())
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () =>
        new VideoUnreadable({
          sentence:
            `The index of the video could not be read within ${Duration.toSeconds(patience)} seconds. Convert the ` +
            "video to MP4 with its index at the start, and upload it again."
        })
    })
  )
