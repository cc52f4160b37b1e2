import { choicesOf } from "./AccountChoice.ts"
import type { Row } from "./PostFile.ts"
import { planPost, type PostArgs, type PostPlan, type Workspace } from "./PostPlan.ts"
import { fallbackOf, isOfThread, threadOf } from "./RowThread.ts"
import { toSetting } from "./Settings.ts"
import { sha256 } from "./sha256.ts"
import { Findings, Unusable } from "./Unusable.ts"

const known = ["caption", "to", "at", "tz", "media", "thread", "thread_fallback", "queue", "draft"]

/** The plan of a row's post. Throws all that is wrong with the row. */
export const planRow = async (
  workspace: Workspace,
  { cells, problem }: Row,
  tz?: string | undefined
): Promise<PostPlan> => {
  if (problem !== undefined) throw new Unusable(problem)
  const findings = new Findings()
  const others = Object.entries(cells).filter(([name]) => !known.includes(name) && !isOfThread(name))
  const unknown = others.filter(([name]) => !name.includes("."))
  const to = choicesOf([cells["to"] ?? ""])
  for (const [name] of unknown) {
    await findings.of(() => {
      throw new Unusable(
        `unknown column ${JSON.stringify(name)}. Valid columns are ${known.join(", ")}, thread_2 and so on, and platform.option.`
      )
    })
  }
  if (to.length === 0) {
    await findings.of(() => {
      throw new Unusable("to is empty: name the accounts to publish to.")
    })
  }
  const when = await findings.of(() => whenOf(cells, tz))
  const settings = others
    .filter(([name]) => name.includes("."))
    .map(([name, value]) => findings.of(() => toSetting(`${name}=${value}`, name)))
  const args: PostArgs = {
    isRow: true,
    caption: cells["caption"],
    to,
    media: choicesOf([cells["media"] ?? ""]),
    ...(await findings.of(() => threadOf(cells))),
    fields: { ...(await findings.of(() => fallbackOf(cells))) },
    ...when,
    settings: (await Promise.all(settings)).flatMap((one) => one ?? [])
  }
  const plan = await findings.of(() => planPost(workspace, args))
  findings.throwAny()
  return plan!
}

/** A key for each row: a file that is imported again makes no post twice. Equal rows are separate posts. */
export const keysOfRows = (rows: ReadonlyArray<Row>, run: string): ReadonlyMap<Row, string> => {
  const seen = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      const content = JSON.stringify(row.cells)
      const nth = (seen.get(content) ?? 0) + 1
      seen.set(content, nth)
      return [row, `import-${sha256(`${run}${nth}${content}`)}`]
    })
  )
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
    throw new Unusable(`at is "now", which cannot be combined with ${queue ? "queue" : "draft"}.`)
  }
  if (at === undefined && !queue && !draft) {
    throw new Unusable(
      'no publishing time. Set at to a time, or to "now" to publish immediately, or set queue or draft to true.'
    )
  }
  return { at, tz: cells["tz"] ?? (at !== undefined || queue ? tz : undefined), queue, draft }
}

const isTrue = (name: string, cell: string | undefined): boolean => {
  if (cell === undefined || /^(false|no|0)$/i.test(cell.trim())) return false
  if (/^(true|yes|1)$/i.test(cell.trim())) return true
  throw new Unusable(`${name} is ${JSON.stringify(cell)}; it must be true or false.`)
}
