import { PublishError } from "../Platform.ts"
import type { Video } from "./ResumableUpload.ts"

export type VideoState = { readonly _tag: "ready" | "working" | "refused" }
export const workingState: VideoState = { _tag: "working" }

export const stateOf = ({ status }: Video): VideoState => {
  switch (status?.uploadStatus) {
    case "processed":
      return { _tag: "ready" }
    case "failed":
    case "rejected":
    case "deleted":
      return { _tag: "refused" }
    default:
      return workingState
  }
}

export const rejected = ({ status }: Video) => {
  const reason = status?.rejectionReason ?? status?.failureReason ?? status?.uploadStatus ?? "rejected"
  return new PublishError({
    class: "media_rejected",
    code: reason,
    message: `YouTube did not keep the video (${status?.uploadStatus ?? "rejected"}: ${reason}). ${advice[reason] ?? "Check it in YouTube Studio."}`
  })
}

const advice: Readonly<Record<string, string>> = {
  duplicate: "The channel already has this video.",
  length: "It is longer than the channel is allowed to upload. Unverified channels can upload 15 minutes.",
  codec: "Encode it again as MP4 with H.264 and AAC.",
  conversion: "Encode it again as MP4 with H.264 and AAC.",
  emptyFile: "The file is empty.",
  invalidFile: "YouTube cannot read the file as a video. Encode it again.",
  tooSmall: "The file is too small to be a video.",
  uploadAborted: "The upload was interrupted. Publish it again."
}
