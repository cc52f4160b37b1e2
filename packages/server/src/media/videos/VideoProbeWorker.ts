import { CustomSource, EncodedPacketSink, Input, type InputVideoTrack, MP4, QTFF, WEBM } from "mediabunny"
import { open } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { parentPort, workerData } from "node:worker_threads"

/** The answer to `VideoProbe`. `facts`: null where there is no picture in the file. */
export interface ProbedVideo {
  readonly facts: VideoFacts | null
  readonly tooLarge: string | null
}

export interface VideoFacts {
  readonly width: number
  readonly height: number
  readonly duration_ms: number | null
  readonly video_codec: string
  readonly audio_codec: string
  /** Frames per second, the mean of the first seconds; null where it cannot be told. */
  readonly frame_rate: number | null
  /** `pq` and `hlg` are those of a high dynamic range; null where the file does not say. */
  readonly transfer: string | null
}

/** Enough for the mean, and quickly read. */
const countedFrames = 120

const mebibyte = 1024 * 1024

/**
 * All tables of an MP4, and all cues of a WebM, are read at once and grow up to seven times as large. A film of ten
 * hours has some 20 MiB of them.
 */
const largestIndex = 32 * mebibyte

/** A camera writes some ten. To choose the primary one of them costs the square of their number. */
const maximumTracks = 100

/** Streamed recordings say nowhere how long they are; a very big one is accepted without. */
const searchTime = 8_000

let tooLarge: string | null = null

const refuse = (sentence: string): never => {
  tooLarge = sentence
  throw new RangeError(sentence)
}

const read = async (path: string): Promise<VideoFacts | null> => {
  await using file = await open(path)
  const { size } = await file.stat()
  const source = new CustomSource({
    getSize: () => size,
    read: async (start, end) => {
      if (end - start > largestIndex) {
        refuse(
          `The index of the video has ${Math.ceil((end - start) / mebibyte)} MiB; the limit is ${largestIndex / mebibyte} MiB. ` +
            "Make the video shorter, or rewrite it (for example with ffmpeg), and upload it again."
        )
      }
      const buffer = new Uint8Array(end - start)
      await file.read(buffer, 0, end - start, start)
      return buffer
    },
    maxCacheSize: 8 * 1024 * 1024,
    prefetchProfile: "fileSystem"
  })
  using input = new Input({ source, formats: [MP4, QTFF, WEBM] })
  const { length: tracks } = await input.getTracks()
  if (tracks > maximumTracks) {
    refuse(
      `The video has ${tracks} tracks; the limit is ${maximumTracks}. ` +
        "Rewrite it with the tracks that are needed (for example with ffmpeg), and upload it again."
    )
  }
  const video = await input.getPrimaryVideoTrack()
  if (video === null) return null
  const audio = await input.getPrimaryAudioTrack()
  const seconds = await input.getDurationFromMetadata()
  const packets = new EncodedPacketSink(video)
  // A file that was cut off names packets beyond its end. Without a duration the last one is found by reading it all.
  const needed = [
    await packets.getFirstPacket(),
    ...(seconds === null ? [] : [await packets.getPacket(Infinity)])
  ]
  if (needed.includes(null)) throw new Error("packets are missing")
  const duration = seconds ?? (await Promise.race([input.computeDuration(), setTimeout(searchTime, null)]))
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    duration_ms: duration === null ? null : Math.round(duration * 1000),
    video_codec: (await video.getCodec()) ?? "unknown",
    frame_rate: await frameRate(video),
    transfer: (await video.getColorSpace()).transfer ?? null,
    audio_codec: audio === null ? "none" : ((await audio.getCodec()) ?? "unknown")
  }
}

const frameRate = async (video: InputVideoTrack) => {
  const { packetCount, averagePacketRate } = await video.computePacketStats(countedFrames)
  return packetCount > 1 && Number.isFinite(averagePacketRate)
    ? Math.round(averagePacketRate * 100) / 100
    : null
}

const probed = await read((workerData as { readonly path: string }).path).then(
  (facts): ProbedVideo => ({ facts, tooLarge }),
  (error: unknown): ProbedVideo => {
    if (tooLarge === null) throw error
    return { facts: null, tooLarge }
  }
)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(probed)
// Reads that are still running are of no use any more.
process.exit(0)
