import { CarillonError, ConflictError, InvalidRequestError, PermissionError, type Post } from "@carillon/sdk"
import { createHash } from "node:crypto"
import { CliError, exitCodes } from "./CliError.ts"
import { type PostPlan, type PostArgs, planPost, type Workspace, workspaceOf } from "./PostPlan.ts"
import { choicesOf } from "./AccountChoice.ts"
import { readText } from "./GivenText.ts"
import { type Row, rowsOfCsv, rowsOfJsonLines } from "./ImportFile.ts"
import { fallbackOf, isOfThread, threadOf } from "./ImportThread.ts"
import type { Session } from "./Session.ts"
import type { Terminal } from "./Terminal.ts"
import { toSetting } from "./Settings.ts"
import type { Column } from "./Table.ts"
import { count, shortTime } from "./Text.ts"
import { toneOf } from "./Color.ts"
import { Uploads } from "./Uploads.ts"

interface ImportOptions {
  readonly format?: "csv" | "jsonl" | undefined
  readonly tz?: string | undefined
  readonly dryRun?: true | undefined
  readonly again?: true | undefined
}

interface Planned {
  readonly row: Row
  readonly plan: PostPlan
}

/** The result of a row. */
interface Imported {
  readonly line: number
  readonly outcome: "posted" | "posted before" | "not posted"
  readonly post: Post | null
  readonly error: string | null
}

/** Makes a post of every row of a file; checks all rows before it makes the first. */
export const importPosts = async (session: Session, file: string, options: ImportOptions): Promise<void> => {
  const { client, output, terminal } = session
  const rows = await readRows(file, options, terminal)
  if (rows.length === 0) throw new CliError(exitCodes.usage, `${file} has no rows.`)

  const workspace = workspaceOf(client)
  const problems: Array<string> = []
  const planned: Array<Planned> = []
  for (const row of rows) {
    try {
      const plan = await planPost(workspace, argsOfRow(row, options.tz))
      await check(session, plan)
      planned.push({ row, plan })
    } catch (error) {
      if (!isOfTheRow(error)) throw error
      problems.push(...describe(error).map((one) => `line ${row.line}: ${one}`))
    }
  }
  if (problems.length > 0) {
    throw new CliError(
      exitCodes.error,
      `${count(problems.length, "problem")} in ${count(rows.length, "row")}; nothing was posted.`,
      "Fix them and import the file again.",
      problems
    )
  }
  if (options.dryRun) {
    const result = planned.map(({ plan, row }) => ({ line: row.line, request: plan.request(new Map()) }))
    return output.result(
      result,
      () => `${count(rows.length, "row")} checked, no problems found. Nothing was posted.`
    )
  }
  await make(session, workspace, planned, options.again === true)
}

/** Checks a row as far as the service can without the files. */
const check = async ({ client }: Session, plan: PostPlan): Promise<void> => {
  const ids = new Map(
    plan.attachments.flatMap((one) => ("id" in one ? [[`id ${one.id}`, one.id] as const] : []))
  )
  const { mediaUrls: urls } = plan
  const request = plan.request(ids)
  if (
    request.caption === undefined &&
    request.media === undefined &&
    urls.length === 0 &&
    plan.attachments.length > 0
  )
    return
  await client.posts.validate(urls.length === 0 ? request : { ...request, media_urls: urls })
}

const make = async (
  session: Session,
  workspace: Workspace,
  planned: ReadonlyArray<Planned>,
  again: boolean
): Promise<void> => {
  const { client, output } = session
  // Uploads are remembered for a day: the same file then makes the same requests, and gets their answers.
  const ids = await new Uploads(session).sendAll(planned.flatMap(({ plan }) => plan.attachments))
  const run = again ? crypto.randomUUID() : ""
  const seen = new Map<string, number>()
  const imported: Array<Imported> = []
  for (const { plan, row } of planned) {
    const content = JSON.stringify(row.cells)
    // Equal rows are separate posts, each with a key of its own.
    const nth = (seen.get(content) ?? 0) + 1
    seen.set(content, nth)
    const idempotencyKey = `import-${createHash("sha256").update(`${run}${nth}${content}`).digest("hex")}`
    try {
      const post = await client.posts.create(plan.request(ids), { idempotencyKey })
      output.note(
        `Line ${row.line}: post ${post.id}${post.scheduled_at === null ? "" : ` at ${shortTime(post.scheduled_at)}`}`
      )
      imported.push({ line: row.line, outcome: "posted", post, error: null })
    } catch (error) {
      const wasPosted = error instanceof CarillonError && error.code === "idempotency_key_reused"
      imported.push(
        wasPosted
          ? { line: row.line, outcome: "posted before", post: null, error: null }
          : { line: row.line, outcome: "not posted", post: null, error: describe(error).join(" ") }
      )
      if (!isOfTheRow(error)) break
    }
  }
  await output.rows(imported, imported, columns, "")
  const failed = imported.filter(({ outcome }) => outcome === "not posted")
  if (failed.length === 0) return
  throw new CliError(
    exitCodes.someFailed,
    `${imported.length - failed.length} of ${count(planned.length, "row")} posted.`,
    "Fix the problem and import the file again. Rows already posted are not posted twice.",
    failed.map(({ error, line }) => `line ${line}: ${error}`)
  )
}

const readRows = async (file: string, { format }: ImportOptions, terminal: Terminal) => {
  const kind =
    format ?? (/\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : /\.csv$/i.test(file) ? "csv" : undefined)
  if (kind === undefined) {
    throw new CliError(
      exitCodes.usage,
      `Cannot tell the format of ${file === "-" ? "stdin" : file}.`,
      "Use --format csv or --format jsonl."
    )
  }
  const content = await readText(file, terminal)
  return kind === "csv" ? rowsOfCsv(content) : rowsOfJsonLines(content)
}

const known = ["caption", "to", "at", "tz", "media", "thread", "thread_fallback", "queue", "draft"]

const argsOfRow = ({ cells, problem }: Row, tz: string | undefined): PostArgs => {
  if (problem !== undefined) throw new CliError(exitCodes.usage, problem)
  const settings = Object.entries(cells).filter(([name]) => !known.includes(name) && !isOfThread(name))
  const unknown = settings.find(([name]) => !name.includes("."))
  if (unknown !== undefined) {
    throw new CliError(
      exitCodes.usage,
      `unknown column ${JSON.stringify(unknown[0])}. Valid columns are ${known.join(", ")}, thread_2 and so on, and platform.option.`
    )
  }
  const to = choicesOf([cells["to"] ?? ""])
  if (to.length === 0) throw new CliError(exitCodes.usage, "to is empty: name the accounts to publish to.")
  return {
    caption: cells["caption"],
    to,
    media: choicesOf([cells["media"] ?? ""]),
    ...threadOf(cells),
    fields: { ...fallbackOf(cells) },
    ...whenOf(cells, tz),
    settings: settings.map(([name, value]) => toSetting(`${name}=${value}`))
  }
}

/** A row must say `now` itself: a file has many posts, and its author is not there when they go out. */
const whenOf = (
  cells: Row["cells"],
  tz: string | undefined
): Pick<PostArgs, "at" | "tz" | "queue" | "draft"> => {
  const at = cells["at"]
  const queue = isTrue("queue", cells["queue"])
  const draft = isTrue("draft", cells["draft"])
  if (at?.trim().toLowerCase() === "now") {
    if (!queue && !draft) return {}
    throw new CliError(
      exitCodes.usage,
      `at is "now", which cannot be combined with ${queue ? "queue" : "draft"}.`
    )
  }
  if (at === undefined && !queue && !draft) {
    throw new CliError(
      exitCodes.usage,
      'no publishing time. Set at to a time, or to "now" to publish immediately, or set queue or draft to true.'
    )
  }
  return { at, tz: cells["tz"] ?? (at !== undefined || queue ? tz : undefined), queue, draft }
}

const isTrue = (name: string, cell: string | undefined): boolean => {
  if (cell === undefined || /^(false|no|0)$/i.test(cell.trim())) return false
  if (/^(true|yes|1)$/i.test(cell.trim())) return true
  throw new CliError(exitCodes.usage, `${name} is ${JSON.stringify(cell)}; it must be true or false.`)
}

/** Whether another row may succeed. */
const isOfTheRow = (error: unknown): boolean =>
  error instanceof CliError ||
  error instanceof InvalidRequestError ||
  error instanceof ConflictError ||
  error instanceof PermissionError

const describe = (error: unknown): ReadonlyArray<string> => {
  if (error instanceof CarillonError) {
    return error.errors.length === 0 ? [error.message] : error.errors.map((item) => item.message)
  }
  if (error instanceof CliError) return [error.message]
  throw error
}

const columns: ReadonlyArray<Column<Imported>> = [
  { title: "LINE", of: ({ line }) => line },
  { title: "POST", of: ({ post }) => post?.id ?? null },
  {
    title: "STATUS",
    of: ({ outcome, post }) => post?.status ?? outcome,
    tone: ({ outcome, post }) => toneOf(post?.status ?? (outcome === "not posted" ? "failed" : ""))
  },
  { title: "TIME", of: ({ post }) => shortTime(post?.scheduled_at ?? null) },
  { title: "CAPTION", of: ({ error, post }) => error ?? post?.caption ?? null }
]
