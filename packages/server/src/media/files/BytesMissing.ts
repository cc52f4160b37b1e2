import { PublishError } from "../../platforms/Platform.ts"
import type { BlobMissing } from "./BlobStore.ts"

export const bytesMissing = (id: string) => (_: BlobMissing) =>
  new PublishError({
    class: "media_unreachable",
    code: "media_bytes_missing",
    message: `The bytes of media item ${id} are not in the store. Tell the operator.`
  })
