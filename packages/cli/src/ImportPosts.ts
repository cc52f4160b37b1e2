import { CarillonError, ConflictError, InvalidRequestError, PermissionError, type Post } from "@carillon/sdk"
import {
  formatOf,
  keysOfRows,
  planRow,
  type PostPlan,
  requestToCheck,
  type Row,
  rowsOfCsv,
  rowsOfJsonLines,
  Unusable
} from "@carillon/domain/plan"
import { CliError, exitCodes } from "./CliError.ts"
import { readText } from "./GivenText.ts"
import type { Session } from "./Session.ts"
import type { Terminal } from "./Terminal.ts"
import type { Column } from "./Table.ts"
import { count, shortTime } from "./Text.ts"
import { toneOf } from "./Color.ts"
import { Uploads } from "./Uploads.ts"
import { workspaceOf } from "./workspaceOf.ts"

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
      const plan = await planRow(workspace, row, options.tz)
      const request = requestToCheck(plan)
      if (request !== undefined) await client.posts.validate(request)
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
  await make(session, planned, options.again === true)
}

const make = async (session: Session, planned: ReadonlyArray<Planned>, again: boolean): Promise<void> => {
  const { client, output } = session
  // Uploads are remembered for a day: the same file then makes the same requests, and gets their answers.
  const ids = await new Uploads(session).sendAll(planned.flatMap(({ plan }) => plan.attachments))
  const keys = keysOfRows(
    planned.map(({ row }) => row),
    again ? crypto.randomUUID() : ""
  )
  const imported: Array<Imported> = []
  for (const { plan, row } of planned) {
    try {
      const post = await client.posts.create(plan.request(ids), { idempotencyKey: keys.get(row)! })
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
  const kind = format ?? formatOf(file)
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

/** Whether another row may succeed. */
const isOfTheRow = (error: unknown): boolean =>
  error instanceof CliError ||
  error instanceof Unusable ||
  error instanceof InvalidRequestError ||
  error instanceof ConflictError ||
  error instanceof PermissionError

const describe = (error: unknown): ReadonlyArray<string> => {
  if (error instanceof CarillonError) {
    return error.errors.length === 0 ? [error.message] : error.errors.map((item) => item.message)
  }
  if (error instanceof Unusable) return [error, ...error.others].map(({ message }) => message)
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
