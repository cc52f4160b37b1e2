import type { Carillon } from "@carillon/sdk"
import { stat } from "node:fs/promises"
import { CliError, exitCodes } from "./CliError.ts"
import type { Output } from "./Output.ts"

/** What `--media` names: a file here, or an item that is in the library already. */
export type Attachment = { readonly file: string } | { readonly id: string }

export const toAttachment = async (value: string): Promise<Attachment> => {
  const found = await stat(value).catch(() => undefined)
  if (found?.isFile()) return { file: value }
  if (found === undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return { id: value }
  const what = found === undefined ? "neither a file here nor the id of a media item" : "not a file"
  throw new CliError(
    exitCodes.usage,
    `--media: ${JSON.stringify(value)} is ${what}.`,
    "Give the path of a file, or an id from: carillon media upload <file>"
  )
}

/** Uploads the files and answers with the media ids, in the order given. */
export const uploadAll = async (
  client: Carillon,
  attachments: ReadonlyArray<Attachment>,
  output: Output
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (const one of attachments) {
    if ("id" in one) ids.push(one.id)
    else {
      const { id, name } = await client.media.upload(one.file)
      // Said at once: if the post is refused, the next try can use the id instead of the file.
      output.note(`Uploaded ${name} as ${id}`)
      ids.push(id)
    }
  }
  return ids
}
