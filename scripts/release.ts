/**
 * Everything of a release but its publication:
 *
 *   npm run release -- 0.2.0 [--dry-run]
 *
 * gives the version to all packages and the notes under Unreleased to it, commits and tags that, packs what is published into
 * dist/, and has a newcomer install and use it. A version that the tree has already is only tagged. A dry run leaves the tree as
 * it is and packs the version that there is. docs/releasing.md says what else the owner does.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"

const repository = join(import.meta.dirname, "..")
const { positionals, values } = parseArgs({
  options: { "dry-run": { type: "boolean", default: false } },
  allowPositionals: true
})
const dryRun = values["dry-run"]
const [version] = positionals

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim()
const read = (path: string) => readFileSync(join(repository, path), "utf8")
const refuse = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const current: string = JSON.parse(read("packages/server/package.json")).version
const numbers = (text: string) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number)
const isLater = (given: ReadonlyArray<number>, than: ReadonlyArray<number>) => {
  const at = given.findIndex((part, index) => part !== than[index])
  return at !== -1 && given[at]! > than[at]!
}
const parts = version === undefined ? undefined : numbers(version)
/** All places say the version already. */
const isPrepared = version === current
if (version === undefined || parts === undefined || !(isPrepared || isLater(parts, numbers(current)!)))
  refuse(`Give the version, ${current} or a later one: npm run release -- 0.2.0 [--dry-run]`)

const notesUnder = (title: string) =>
  new RegExp(`^## ${title}\\n+([^]*?)(?=^## |$(?![^]))`, "m").exec(read("CHANGELOG.md"))?.[1]?.trim() ?? ""
const unreleased = notesUnder("Unreleased")
const archive = `test/upgrade/${version}.tar`
const obstacles = [
  ...(git("status", "--porcelain") === "" ? [] : ["The tree has changes that are not committed."]),
  ...(git("branch", "--show-current") === "main" ? [] : ["This is not the branch main."]),
  ...(git("tag", "--list", `v${version}`) === "" ? [] : [`The tag v${version} is there already.`]),
  ...(isPrepared && notesUnder(`${current} - \\d{4}-\\d\\d-\\d\\d`) === ""
    ? [`CHANGELOG.md has nothing under ${current} and its date.`]
    : []),
  ...(isPrepared && unreleased !== "" ? [`CHANGELOG.md has notes under Unreleased besides ${current}.`] : []),
  ...(!isPrepared && unreleased === "" ? ["CHANGELOG.md has nothing under Unreleased."] : []),
  ...(existsSync(join(repository, archive))
    ? []
    : [`${archive} is missing: node test/upgrade/writeArchive.ts ${archive}`])
]
if (obstacles.length > 0 && !dryRun) refuse(obstacles.join("\n"))

/** Every place that says the version, and what it says. */
const places: ReadonlyArray<readonly [path: string, before: string, after: string]> = [
  ...readdirSync(join(repository, "packages")).map(
    (name) => [`packages/${name}/package.json`, `"version": "${current}"`, `"version": "${version}"`] as const
  ),
  ["packages/server/src/version.ts", `"${current}"`, `"${version}"`],
  ["server.json", `"version": "${current}"`, `"version": "${version}"`],
  isPrepared
    ? ["CHANGELOG.md", `## ${version} - `, `## ${version} - `]
    : [
        "CHANGELOG.md",
        "## Unreleased\n",
        `## Unreleased\n\n## ${version} - ${new Date().toISOString().slice(0, 10)}\n`
      ]
]
for (const [path, before, after] of places) {
  const text = read(path)
  if (!text.includes(before))
    refuse(`${path} does not say ${JSON.stringify(before)}: the version would differ.`)
  if (!dryRun) writeFileSync(join(repository, path), text.replace(before, after))
}
if (!dryRun) {
  if (!isPrepared) git("commit", "--all", "--message", `Release ${version}`)
  git("tag", "--annotate", `v${version}`, "--message", `Carillon ${version}`)
}

const dist = join(repository, "dist")
rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [join(repository, "scripts/pack.ts"), dist], { stdio: "inherit" })
execFileSync(join(repository, "node_modules/.bin/vitest"), ["run", "test/packages"], {
  cwd: repository,
  env: { ...process.env, PACKAGES: dist },
  stdio: "inherit"
})

const tarballs = readdirSync(dist).filter((file) => file.endsWith(".tgz"))
const lines = [
  "",
  dryRun
    ? `Carillon ${version} would be committed and tagged, with the version in:`
    : `Carillon ${version} is committed and tagged, with the version in:`,
  ...places.map(([path]) => `  ${path}`),
  "Packed, installed and used:",
  ...tarballs.map((file) => `  dist/${file}  ${Math.ceil(statSync(join(dist, file)).size / 1000)} kB`),
  ...(obstacles.length === 0 ? [] : ["In the way:", ...obstacles.map((sentence) => `  ${sentence}`)]),
  "What is left: pushing the tag, publishing the packages, and the image (docs/releasing.md).",
  ""
]
process.stdout.write(lines.join("\n"))
