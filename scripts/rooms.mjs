// Rooms of a package are the folders and files at the top of its `src`. A room imports lower rooms only, types included.
// Prints the imports that close a ring between rooms, and fails where there is one, or where the arrows between the rooms of
// the server are not those of docs/architecture.md. `--fix` draws them there.
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

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

for (const root of globSync("packages/*/src")) {
  for (const { file, imported } of ringsOf(importsOf(root))) {
    process.exitCode = 1
    console.error(
      `${join(root, file)} imports ${imported}, whose room imports this one, directly or through others.`
    )
  }
}

const page = "docs/architecture.md"
const text = readFileSync(page, "utf8")
const drawn = text.replace(/```mermaid\nflowchart TD\n.*?```/s, flowchart(importsOf("packages/server/src")))
if (process.argv.includes("--fix")) writeFileSync(page, drawn)
else if (drawn !== text) {
  process.exitCode = 1
  console.error(`${page} draws other arrows between the rooms. node scripts/rooms.mjs --fix mends it.`)
}
