import { ConflictError, type CreatePost, InvalidRequestError, type MimeType } from "@carillon/sdk"
import { createHash } from "node:crypto"
import { appendFileSync, createReadStream, existsSync, openAsBlob, statSync } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { CliError, exitCodes } from "./CliError.ts"
import { unpackExport } from "./ExportFile.ts"
import { contentOf } from "./PostContent.ts"
import type { Session } from "./Session.ts"
import { count } from "./Text.ts"
import {
  type ExportedAccount,
  type ExportedMedia,
  type ExportedPost,
  fileNamed,
  isMediaFile,
  readExported,
  readLines
} from "./WorkspaceExport.ts"

interface ImportOptions {
  readonly published?: true | undefined
}

/** A line of `imported-<workspace>.jsonl`: what has come in where is not brought in again, also if it was deleted there. */
interface Imported {
  readonly post: string
  readonly as: string
}

/** Brings the posts of an export in as drafts: nothing goes out by it. */
export const importWorkspace = async (
  session: Session,
  path: string,
  { published }: ImportOptions
): Promise<void> => {
  const { client, output } = session
  const isFile = existsSync(path) && statSync(path).isFile()
  const directory = isFile ? await unpackExport(path) : path
  if (isFile) output.note(`Unpacked to ${directory}`)
  const exported = readExported(directory)
  const { workspace } = await client.profile.get()
  const record = join(directory, fileNamed("imported-", workspace.id, ".jsonl"))
  const before = new Set<string>()
  for await (const { post } of readLines<Imported>(record)) before.add(post)

  const accounts = await matchAccounts(session, directory)
  const wanted = ({ id, status }: ExportedPost) =>
    !before.has(id) && (published === true || status === "draft" || status === "scheduled")
  const media = await bringMedia(session, directory, wanted)

  const imported: Array<Imported> = []
  const failed: Array<string> = []
  const missing = new Set<string>()
  let leftOut = 0
  for await (const post of readLines<ExportedPost>(join(directory, "posts.jsonl"))) {
    if (!wanted(post)) {
      if (!before.has(post.id)) leftOut++
      continue
    }
    for (const id of post.social_accounts) {
      if (!accounts.ids.has(id)) missing.add(accounts.names.get(id) ?? `account ${id}`)
    }
    const social_accounts = post.social_accounts.flatMap((id) => accounts.ids.get(id) ?? [])
    if (social_accounts.length === 0) {
      failed.push(`${post.id}: none of its accounts is connected here`)
      continue
    }
    try {
      const { id } = await client.posts.create(draftOf(post, social_accounts, accounts.ids, media), {
        // Also where the record could not be written any more.
        idempotencyKey: `import-${createHash("sha256").update(`${exported.id} ${workspace.id} ${post.id}`).digest("hex")}`
      })
      const line: Imported = { post: post.id, as: id }
      appendFileSync(record, `${JSON.stringify(line)}\n`, { mode: 0o600 })
      imported.push(line)
    } catch (error) {
      if (!(error instanceof InvalidRequestError) && !(error instanceof ConflictError)) throw error
      failed.push(`${post.id}: ${error.message}`)
    }
  }

  const result = {
    imported,
    imported_before: before.size,
    left_out: leftOut,
    failed,
    missing_accounts: [...missing]
  }
  output.result(result, () =>
    [
      `Imported ${count(imported.length, "draft")} into ${workspace.name}. Nothing goes out until you schedule or publish it.`,
      ...(before.size === 0 ? [] : [`Skipped ${count(before.size, "post")} imported earlier.`]),
      ...(leftOut === 0
        ? []
        : [
            `Skipped ${count(leftOut, "post")} that already went out; use --published to import them as drafts.`
          ])
    ].join("\n")
  )
  if (missing.size > 0)
    output.note(
      `Not connected here, so left out: ${[...missing].join(", ")}. See how to connect them with: carillon accounts connect --help`
    )
  if (failed.length > 0) {
    throw new CliError(
      exitCodes.someFailed,
      `${count(failed.length, "post")} could not be imported.`,
      "Connect the accounts or fix the problems above, then import again. Nothing is imported twice.",
      failed
    )
  }
}

/** The accounts of this workspace with the platform and the username of those of the export. */
const matchAccounts = async ({ client }: Session, directory: string) => {
  const nameOf = ({ platform, username }: Pick<ExportedAccount, "platform" | "username">) =>
    `${platform}/@${username.toLowerCase()}`
  const here = new Map<string, number>()
  for await (const account of client.accounts.list({ limit: 200 })) {
    if (account.status !== "disconnected") here.set(nameOf(account), account.id)
  }
  const ids = new Map<number, number>()
  const names = new Map<number, string>()
  for await (const account of readLines<ExportedAccount>(join(directory, "accounts.jsonl"))) {
    names.set(account.id, nameOf(account))
    const id = here.get(nameOf(account))
    if (id !== undefined) ids.set(account.id, id)
  }
  return { ids, names }
}

/** The ids here of the media that the wanted posts use. A file that the library has under this name is not sent again. */
const bringMedia = async (
  { client, output }: Session,
  directory: string,
  wanted: (post: ExportedPost) => boolean
): Promise<ReadonlyMap<string, string>> => {
  const used = new Set<string>()
  for await (const post of readLines<ExportedPost>(join(directory, "posts.jsonl"))) {
    if (wanted(post))
      for (const [id] of JSON.stringify(post).matchAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
        used.add(id)
  }
  const ids = new Map<string, string>()
  if (used.size === 0) return ids
  const here = new Map<string, string>()
  for await (const { id, name, sha256 } of client.media.list({ limit: 200 })) {
    if (sha256 !== null) here.set(`${sha256} ${name}`, id)
  }
  for await (const { id, name, alt_text, mime_type, sha256, file } of readLines<ExportedMedia>(
    join(directory, "media.jsonl")
  )) {
    if (!used.has(id) || file === null || !isMediaFile(file)) continue
    const known = here.get(`${sha256} ${name}`)
    if (known !== undefined) {
      ids.set(id, known)
      continue
    }
    const path = join(directory, file)
    if (!existsSync(path)) continue
    if (sha256 !== null && (await checksumOf(path)) !== sha256) {
      throw new CliError(
        exitCodes.error,
        `${name} (${file}) of the export is damaged: its checksum does not match.`,
        "Export the workspace again."
      )
    }
    const mimeType = mime_type as MimeType
    const sent = await client.media.upload(await openAsBlob(path, { type: mimeType }), { name, mimeType })
    if (alt_text !== null) await client.media.update(sent.id, { alt_text })
    output.note(`Uploaded ${name} as ${sent.id}`)
    if (sha256 !== null) here.set(`${sha256} ${name}`, sent.id)
    ids.set(id, sent.id)
  }
  return ids
}

const checksumOf = async (path: string) => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}

type Configuration = Readonly<Record<string, unknown>>

/** The post as a draft of this workspace, with its time as a plan. A file that is missing is left out. */
const draftOf = (
  post: ExportedPost,
  social_accounts: ReadonlyArray<number>,
  accounts: ReadonlyMap<number, number>,
  media: ReadonlyMap<string, string>
): CreatePost => {
  const filesOf = (ids: ReadonlyArray<string>) => ids.flatMap((id) => media.get(id) ?? [])
  const threadOf = (thread: NonNullable<ExportedPost["thread"]>) =>
    thread.map((item) => ({ ...item, media: filesOf(item.media) }))
  const here = (configuration: Configuration): Configuration =>
    Object.fromEntries(
      Object.entries(configuration).flatMap(([name, value]) => {
        if (name === "media" && Array.isArray(value)) return [[name, filesOf(value)]]
        if (name === "thread" && Array.isArray(value)) return [[name, threadOf(value)]]
        if ((name === "cover_image" || name === "thumbnail") && typeof value === "string") {
          return media.has(value) ? [[name, media.get(value)]] : []
        }
        return [[name, value]]
      })
    )
  const mine = post.account_configurations?.flatMap((one) => {
    const account_id = accounts.get(one.account_id)
    return account_id === undefined ? [] : [{ ...here(one as unknown as Configuration), account_id }]
  })
  const platforms =
    post.platform_configurations === null
      ? null
      : Object.fromEntries(
          Object.entries(post.platform_configurations).map(([platform, options]) => [
            platform,
            options == null ? options : here(options as Configuration)
          ])
        )
  const planned = post.scheduled_at !== null && Date.parse(post.scheduled_at) > Date.now() + 60_000
  return {
    ...contentOf(post),
    is_draft: true,
    social_accounts,
    media: filesOf(post.media),
    ...(post.thread ? { thread: threadOf(post.thread) } : {}),
    ...(planned ? { scheduled_at: post.scheduled_at } : {}),
    platform_configurations: platforms,
    account_configurations: mine ?? null
  } as CreatePost
}
