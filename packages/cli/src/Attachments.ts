import { type Attachment, otherThanFile, Unusable } from "@carillon/domain/plan"
import { stat } from "node:fs/promises"

export const toAttachment = async (value: string, where: string): Promise<Attachment> => {
  const other = otherThanFile(value)
  if (other !== undefined && "url" in other) return other
  const found = await stat(value).catch(() => undefined)
  if (found?.isFile()) return { file: value }
  if (found === undefined && other !== undefined) return other
  const what = found === undefined ? "not a file, a URL or a media ID" : "not a file"
  throw new Unusable(
    `${where}: ${JSON.stringify(value)} is ${what}.`,
    "Give a file path, a URL, or a media ID from: carillon media list"
  )
}
