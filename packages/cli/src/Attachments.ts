import { stat } from "node:fs/promises"
import { CliError, exitCodes } from "./CliError.ts"

/** A value for a media id: a file here, an address that the service fetches, or an item of the library. */
export type Attachment = { readonly file: string } | { readonly url: string } | { readonly id: string }

export const toAttachment = async (value: string, where = "--media"): Promise<Attachment> => {
  if (/^https?:\/\//i.test(value)) return { url: value }
  const found = await stat(value).catch(() => undefined)
  if (found?.isFile()) return { file: value }
  if (found === undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return { id: value }
  const what = found === undefined ? "not a file, a URL or a media ID" : "not a file"
  throw new CliError(
    exitCodes.usage,
    `${where}: ${JSON.stringify(value)} is ${what}.`,
    "Give a file path, a URL, or a media ID from: carillon media list"
  )
}

/** A file or address that is named twice is sent once. */
export const keyOf = (attachment: Attachment): string => Object.entries(attachment)[0]!.join(" ")
