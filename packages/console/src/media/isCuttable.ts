import type { Media } from "@carillon/sdk"

/** Pictures that a browser can cut. */
export const isCuttable = ({ mime_type, status }: Media) =>
  status === "ready" && ["image/jpeg", "image/png", "image/webp"].includes(mime_type ?? "")
