/**
 * Schedules a post for each row of a CSV file with the columns at, to, caption and media. If a row is wrong, none is
 * scheduled; a post that is to go out at once has now as its time. Run it again after a change or a crash: rows that are
 * scheduled already are not scheduled twice.
 *
 *   node examples/campaign-from-csv.ts examples/campaign.csv
 */
import { Carillon, InvalidRequestError } from "@carillon/sdk"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"

const file = process.argv[2]
if (file === undefined) throw new Error("Usage: node examples/campaign-from-csv.ts <file.csv>")

/** The cells of a CSV file: commas between them, quotes around those that hold commas, quotes or line breaks. */
function parse(text: string): Array<Array<string>> {
  const rows: Array<Array<string>> = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? "")
    if (end !== ",") rows.push([])
  }
  return rows.filter((row) => row.some((cell) => cell !== ""))
}

const [columns = [], ...cells] = parse(await readFile(file, "utf8"))
const problems = cells.flatMap((row, index) => {
  const here = `Row ${index + 2} (${row.join(",").slice(0, 40)})`
  if (row.length !== columns.length) {
    return [
      `${here} has ${row.length} cells for ${columns.length} columns; is a comma missing, or not in quotes?`
    ]
  }
  // Without a time a post would be published at once.
  return row[columns.indexOf("at")] ? [] : [`${here} has no time; write one in at, or now.`]
})
if (problems.length > 0) {
  console.error([...problems, "Nothing was scheduled."].join("\n"))
  process.exit(1)
}
const rows = cells.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]!])))

const carillon = new Carillon()

const accounts = new Map<string, number>()
for await (const { id, username } of carillon.accounts.list({ status: "connected" })) {
  accounts.set(`@${username}`, id)
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex")

/** The media item of a file: the one of an earlier row or run, if the file is the same. */
const mediaItem = async (path: string): Promise<string> => {
  const name = `${sha256(await readFile(path)).slice(0, 16)}-${basename(path)}`
  for await (const item of carillon.media.list({ q: name, status: "ready" })) return item.id
  return (await carillon.media.upload(path, { name })).id
}

for (const { at, to, caption, media } of rows) {
  const account = accounts.get(to ?? "")
  if (account === undefined) throw new Error(`No connected account is called ${to}.`)
  const post = {
    social_accounts: [account],
    scheduled_at: at === "now" ? null : at!,
    caption: caption ?? null,
    media: media ? [await mediaItem(join(dirname(file), media))] : []
  }
  // Within 24 hours the same row makes one post, however often this is run.
  const idempotencyKey = sha256(JSON.stringify(post))
  try {
    const { id, scheduled_at } = await carillon.posts.create(post, { idempotencyKey })
    console.log(`${scheduled_at}  ${to}  ${id}`)
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    console.error(`${at} ${to}: ${error.message}`)
    process.exitCode = 1
  }
}
