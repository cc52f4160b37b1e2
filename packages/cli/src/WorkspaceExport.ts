import { exportedAccount, exportedMedia, exportedPost, exportFormat } from "@carillon/domain/ExportFormat"
import type { Media, PostSummary, Profile, Queue, SocialAccount } from "@carillon/sdk"
import { createHash, randomUUID } from "node:crypto"
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { CliError, exitCodes } from "./CliError.ts"
import type { Session } from "./Session.ts"
import { bytes, count } from "./Text.ts"

/** `workspace.json` of an export. It is written last: without it an export is not whole. docs/export.md has the format. */
export type ExportedWorkspace = typeof exportFormat & {
  /** Stays the same when the same workspace is exported to the same folder again. */
  readonly id: string
  readonly exported_at: string
  readonly service: string
  readonly workspace: Pick<Profile["workspace"], "id" | "name"> & { readonly timezone: string }
  readonly queue: Queue
}

export type ExportedAccount = ReturnType<typeof exportedAccount<SocialAccount>>
export type ExportedPost = ReturnType<typeof exportedPost<PostSummary>>

/** `file` is null where there were no bytes. */
export type ExportedMedia = ReturnType<typeof exportedMedia<Media>> & { readonly file: string | null }

/** The path of a file that has an ID of the service in its name, which must not lead out of the folder. */
export const fileNamed = (before: string, id: string, after = ""): string => {
  if (/^[\w-]{1,100}$/.test(id)) return `${before}${id}${after}`
  throw new CliError(
    exitCodes.error,
    `The service gave the ID ${JSON.stringify(id).slice(0, 100)}, which cannot be part of a file name.`,
    "Carillon does not make such IDs. Check the address of the service before you trust it."
  )
}

/** The same of an export that somebody else made. */
export const isMediaFile = (file: string) => /^media\/[\w-]+$/.test(file)

const lists = ["accounts.jsonl", "posts.jsonl", "media.jsonl"] as const

/** Writes the workspace to a folder: JSON lines, and a file for each media item. No secret is in it. */
export const exportWorkspace = async (session: Session, directory: string): Promise<void> => {
  const { client, output, target } = session
  const { timezone, workspace } = await client.profile.get()
  const before = prepare(directory, workspace.id)
  const files = new Set<string>()

  const written = {
    accounts: await writeLines(directory, "accounts.jsonl", accountsOf(session)),
    // Before the media: what a post uses is there when it is looked for.
    posts: await writeLines(directory, "posts.jsonl", postsOf(session)),
    media: await writeLines(directory, "media.jsonl", mediaOf(session, directory, files))
  }
  for (const name of readdirSync(join(directory, "media"))) {
    if (!files.has(`media/${name}`)) rmSync(join(directory, "media", name))
  }
  const exported: ExportedWorkspace = {
    ...exportFormat,
    id: before ?? randomUUID(),
    exported_at: new Date().toISOString(),
    service: target.url,
    workspace: { id: workspace.id, name: workspace.name, timezone },
    queue: await client.queue.get()
  }
  await writeWhole(join(directory, "workspace.json"), `${JSON.stringify(exported, null, 2)}\n`)
  output.result({ directory, id: exported.id, ...written }, () =>
    [
      `Exported ${workspace.name} to ${directory}: ${count(written.posts, "post")}, ${count(written.accounts, "account")}, ${count(written.media, "media item")}.`,
      "Import it elsewhere with: carillon import <folder>"
    ].join("\n")
  )
}

async function* accountsOf({ client }: Session): AsyncGenerator<ExportedAccount> {
  for await (const account of client.accounts.list({ limit: 200 })) yield exportedAccount(account)
}

async function* postsOf({ client }: Session): AsyncGenerator<ExportedPost> {
  for await (const post of client.posts.list({ limit: 200 })) yield exportedPost(post)
}

async function* mediaOf(
  session: Session,
  directory: string,
  files: Set<string>
): AsyncGenerator<ExportedMedia> {
  for await (const item of session.client.media.list({ limit: 200 })) {
    const file = item.url === null ? null : fileNamed("media/", item.id)
    if (file !== null) {
      await download(session, item, join(directory, file))
      files.add(file)
    }
    yield { ...exportedMedia(item), file }
  }
}

const download = async ({ client, output }: Session, item: Media, path: string): Promise<void> => {
  if (existsSync(path) && statSync(path).size === item.size_bytes) return
  // The address in the list may have run out after a long one.
  const { url } = await client.media.get(item.id)
  const answer = await fetch(url!)
  if (!answer.ok || answer.body === null) {
    throw new CliError(
      exitCodes.error,
      `Cannot download ${item.name} (${item.id}): the service responded with ${answer.status}.`,
      "Export again; files that are complete are kept."
    )
  }
  const hash = createHash("sha256")
  const watched = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      hash.update(piece)
      yield piece
    }
  }
  await pipeline(Readable.fromWeb(answer.body), watched, createWriteStream(`${path}.part`, { mode: 0o600 }))
  if (item.sha256 !== null && hash.digest("hex") !== item.sha256) {
    throw new CliError(
      exitCodes.error,
      `The download of ${item.name} (${item.id}) is damaged: its checksum does not match.`,
      "Export again."
    )
  }
  renameSync(`${path}.part`, path)
  output.note(`${item.name}: ${bytes(item.size_bytes ?? 0)}`)
}

/** The id of an earlier export of the same workspace there. */
const prepare = (directory: string, workspaceId: string): string | undefined => {
  mkdirSync(join(directory, "media"), { recursive: true, mode: 0o700 })
  const foreign = readdirSync(directory).find(
    (name) =>
      !/^(media|workspace\.json|imported-[\w-]+\.jsonl|(accounts|posts|media)\.jsonl)(\.part)?$/.test(name)
  )
  if (foreign !== undefined) {
    throw new CliError(
      exitCodes.usage,
      `${directory} contains ${foreign}, which is not part of an export.`,
      "Use a new or empty folder."
    )
  }
  const path = join(directory, "workspace.json")
  if (!existsSync(path)) return undefined
  const { id, workspace } = readExported(directory)
  if (workspace.id !== workspaceId) {
    throw new CliError(
      exitCodes.usage,
      `${directory} contains an export of another workspace, ${workspace.name}.`,
      "Use another folder."
    )
  }
  rmSync(path)
  return id
}

/** `workspace.json` of a whole export. */
export const readExported = (directory: string): ExportedWorkspace => {
  const path = join(directory, "workspace.json")
  if (!existsSync(path)) {
    throw new CliError(
      exitCodes.usage,
      `${directory} is not a complete export: workspace.json is missing.`,
      "Create one with: carillon export <folder>"
    )
  }
  try {
    const exported: ExportedWorkspace = JSON.parse(readFileSync(path, "utf8"))
    const { format, version } = exportFormat
    if (exported.format === format && exported.version === version) return exported
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CliError(
    exitCodes.usage,
    `${path} is not an export in format version 1.`,
    "Use the release of carillon that made it, or a newer one."
  )
}

const writeWhole = async (path: string, content: string) => {
  await writeFile(`${path}.part`, content, { mode: 0o600, flush: true })
  renameSync(`${path}.part`, path)
}

const writeLines = async (
  directory: string,
  name: (typeof lists)[number],
  items: AsyncIterable<object>
): Promise<number> => {
  const path = join(directory, name)
  let written = 0
  const lines = async function* () {
    for await (const item of items) {
      written++
      yield `${JSON.stringify(item)}\n`
    }
  }
  await pipeline(lines, createWriteStream(`${path}.part`, { mode: 0o600, flush: true }))
  renameSync(`${path}.part`, path)
  return written
}

/** The lines of a file one after the other; none where there is no file. */
export async function* readLines<Line>(path: string): AsyncGenerator<Line> {
  if (!existsSync(path)) return
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number++
    if (line.trim() === "") continue
    let parsed: Line
    try {
      parsed = JSON.parse(line)
    } catch {
      throw new CliError(
        exitCodes.usage,
        `Line ${number} of ${basename(path)} is not valid JSON.`,
        "Export again."
      )
    }
    yield parsed
  }
}
