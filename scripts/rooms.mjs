// Rooms of a package are the folders and files at the top of its `src`. A room imports lower rooms only, types included.
// Prints the imports that close a ring between rooms, and fails where there is one.
import { globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const importPattern = /^(?:import|export)\b[^"]*?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm

const ringsOf = (root) => {
  const imports = globSync("**/*.{ts,tsx}", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(importPattern)].map(([, fixed, lazy]) => ({
      file,
      imported: relative(root, join(root, dirname(file), fixed ?? lazy))
    }))
  )
  const room = (file) => file.split("/")[0]
  const below = Map.groupBy(imports, ({ file }) => room(file))
  const reaches = (from, to, seen = new Set()) =>
    (below.get(from) ?? []).some(({ imported }) => {
      const next = room(imported)
      if (next === from || seen.has(next)) return false
      return next === to || reaches(next, to, seen.add(next))
    })
  return imports.filter(
    ({ file, imported }) => room(file) !== room(imported) && reaches(room(imported), room(file))
  )
}

for (const root of globSync("packages/*/src")) {
  for (const { file, imported } of ringsOf(root)) {
    process.exitCode = 1
    console.error(
      `${join(root, file)} imports ${imported}, whose room imports this one, directly or through others.`
    )
  }
}
