import { Effect } from "effect"

export interface PulledFile {
  readonly content_type: string
  readonly bytes: Uint8Array
}

const types = {
  photo: ["image/jpeg", "image/webp"],
  video: ["video/mp4", "video/quicktime", "video/webm"]
}
const maximumBytes = { photo: 20_000_000, video: 1_000_000_000 }

/**
 * Fetches a file as TikTok does: no redirect, status 200, a length, a type that it
 * takes. A text is the reason why not, in TikTok's words.
 */
export const pull = (url: string, kind: "photo" | "video"): Effect.Effect<PulledFile | string> => {
  const unreachable = `${kind}_pull_failed`
  return Effect.tryPromise(async (signal) => {
    const head = await fetch(url, { method: "HEAD", redirect: "manual", signal })
    const type = head.headers.get("content-type")?.split(";", 1)[0] ?? ""
    const length = Number(head.headers.get("content-length") ?? Number.NaN)
    if (head.status !== 200 || !Number.isSafeInteger(length)) return unreachable
    if (!types[kind].includes(type)) return "file_format_check_failed"
    if (length > maximumBytes[kind]) return "file_format_check_failed"
    const answer = await fetch(url, { redirect: "manual", signal })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return answer.status === 200 && bytes.length === length ? { content_type: type, bytes } : unreachable
  }).pipe(Effect.orElseSucceed(() => unreachable))
}
