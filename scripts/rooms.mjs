// Rooms of a package are the folders and files at the top of its `src`. A room imports lower rooms only, types included.
// The wings of `media` are its rooms and keep the same rule.
// Prints the imports that close a ring between rooms, and fails where there is one, or where docs/architecture.md draws other
// arrows between the rooms of the server and of the console. `--fix` draws them there.
// A table of the server is written by its owner only: fails where the SQL of another room writes it (`owners.mjs`).
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { exceptions, owners, writesAll } from "./owners.mjs"

const importPattern = /^(?:import|export)\b[^"]*?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm

const room = (file) => file.split("/")[0]

const importsOf = (root) =>
  globSync("**/*.{ts,tsx}", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(importPattern)].map(([, fixed, lazy]) => ({
      file,
      imported: relative(root, join(root, dirname(file), fixed ?? lazy))
    }))
  )

/** Whether one room imports another, directly or through others. */
const reachesIn = (imports) => {
  const below = Map.groupBy(imports, ({ file }) => room(file))
  return function reaches(from, to, seen = new Set()) {
    return (below.get(from) ?? []).some(({ imported }) => {
      const next = room(imported)
      if (next === from || seen.has(next)) return false
      return next === to || reaches(next, to, seen.add(next))
    })
  }
}

const ringsOf = (imports) => {
  const reaches = reachesIn(imports)
  return imports.filter(
    ({ file, imported }) => room(file) !== room(imported) && reaches(room(imported), room(file))
  )
}

/** The folders of a tower, highest first. An arrow is left out where others lead to the same room. */
const flowchart = (imports) => {
  const reaches = reachesIn(imports)
  const folders = imports.filter(({ file, imported }) => file.includes("/") && imported.includes("/"))
  const arrows = [...new Set(folders.map(({ file, imported }) => `${room(file)} --> ${room(imported)}`))]
    .map((arrow) => arrow.split(" --> "))
    .filter(([from, to]) => from !== to)
  const direct = arrows.filter(
    ([from, to]) => !arrows.some(([other, over]) => other === from && over !== to && reaches(over, to))
  )
  return [
    "```mermaid",
    "flowchart TD",
    ...direct.map((arrow) => `  ${arrow.join(" --> ")}`).sort(),
    "```"
  ].join("\n")
}

for (const root of [...globSync("packages/*/src"), "packages/server/src/media"]) {
  for (const { file, imported } of ringsOf(importsOf(root))) {
    process.exitCode = 1
    console.error(
      `${join(root, file)} imports ${imported}, whose room imports this one, directly or through others.`
    )
  }
}

const consoleRoot = "packages/console/src"

/** What rooms of the console share, lowest first. A room of a page imports these and no other room. */
const sharedRooms = ["styles", "time", "ui", "data", "post", "media", "preview"]

/** The page for hosts of MCP is made of rooms of the console, without their data. */
const alsoImports = { host: ["calendar"] }

for (const { file, imported } of importsOf(consoleRoot)) {
  const [from, to] = [room(file), room(imported)]
  if (from === to || !file.includes("/") || sharedRooms.includes(to) || alsoImports[from]?.includes(to))
    continue
  process.exitCode = 1
  console.error(
    `${join(consoleRoot, file)} imports ${imported}. A room of the console imports only ${sharedRooms.join(", ")}: move what both need there.`
  )
}

const server = "packages/server/src"

/** The statements of the rooms that write a table; `table` is null where the text does not say which. */
const writesOf = (root) =>
  globSync("**/*.ts", { cwd: root, exclude: ["sql/migrations/**"] }).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8")
    return [...text.matchAll(writePattern)].map(({ groups: { table }, index }) => ({
      file,
      table: table ?? null,
      line: text.slice(0, index).split("\n").length
    }))
  })

const writePattern =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(?:(?:public\.)?"?(?<table>[a-z_]\w*)|\$\{)/gi

/** The tables that the migrations leave behind. */
const tablesOf = (root) => {
  const tables = new Set()
  const pattern = /\b(create|drop)\s+(?:unlogged\s+)?table\s+(?:if\s+(?:not\s+)?exists\s+)?(\w+)/gi
  for (const file of globSync("sql/migrations/**/*.ts", { cwd: root }).sort())
    for (const [, verb, table] of readFileSync(join(root, file), "utf8").matchAll(pattern))
      if (verb.toLowerCase() === "create") tables.add(table)
      else tables.delete(table)
  return tables
}

const wrongOwners = (root) => {
  const tables = tablesOf(root)
  const ownerOf = new Map(Object.entries(owners).flatMap(([room, own]) => own.map((table) => [table, room])))
  const writes = writesOf(root).filter(({ file }) => room(file) !== writesAll)
  const isWritten = (by, table) => writes.some((write) => room(write.file) === by && write.table === table)
  return [
    ...[...tables].filter((table) => !ownerOf.has(table)).map((table) => `No room owns the table ${table}.`),
    ...[...ownerOf.keys()]
      .filter((table) => !tables.has(table))
      .map((table) => `The table ${table} does not exist.`),
    ...exceptions
      .filter(({ table, room: by }) => !isWritten(by, table))
      .map(({ table, room: by }) => `${by} does not write ${table}; delete the exception.`),
    ...(exceptions.length > 5 ? ["There are more than five exceptions."] : []),
    ...writes
      .filter(({ table }) => table === null)
      .map(({ file, line }) => `${join(root, file)}:${line} does not name the table that it writes.`),
    ...writes
      .filter(
        ({ file, table }) =>
          ownerOf.has(table) &&
          ownerOf.get(table) !== room(file) &&
          !exceptions.some((one) => one.table === table && one.room === room(file))
      )
      .map(
        ({ file, line, table }) =>
          `${join(root, file)}:${line} writes ${table}, which belongs to ${ownerOf.get(table)}.`
      )
  ]
}

for (const mistake of wrongOwners(server)) {
  process.exitCode = 1
  console.error(`${mistake} scripts/owners.mjs says who writes what.`)
}

const ownersPage = () =>
  [
    "<!-- owners -->",
    "",
    "| Room | Tables |",
    "| --- | --- |",
    ...Object.entries(owners).map(
      ([room, tables]) => `| \`${room}\` | ${tables.map((table) => `\`${table}\``).join(", ")} |`
    ),
    "",
    "Exceptions:",
    "",
    ...exceptions.map(({ table, room, reason }) => `- \`${table}\` by \`${room}\`. ${reason}`),
    "",
    "<!-- /owners -->"
  ].join("\n")

/** Tables without the padding that the formatter adds. */
const unpadded = (text) => text.replaceAll(/ +\|/g, " |").replaceAll(/\| -+/g, "| ---")

const page = "docs/architecture.md"
const text = readFileSync(page, "utf8")
/** The packages in the order of their diagrams on the page. */
const drawnRoots = [server, consoleRoot].values()
const drawn = text
  .replace(/```mermaid\nflowchart TD\n.*?```/gs, () => flowchart(importsOf(drawnRoots.next().value)))
  .replace(/<!-- owners -->.*<!-- \/owners -->/s, ownersPage())
if (unpadded(drawn) !== unpadded(text)) {
  if (process.argv.includes("--fix")) writeFileSync(page, drawn)
  else {
    process.exitCode = 1
    console.error(
      `${page} shows other arrows between the rooms, or other owners. npm run rooms -- --fix mends it.`
    )
  }
}
