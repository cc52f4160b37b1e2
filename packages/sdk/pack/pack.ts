/**
 * Makes what is published: packages/sdk/dist/package, for `npm pack` and `npm publish`.
 *
 *   node packages/sdk/pack/pack.ts
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { wireDeclaration } from "./WireTypes.ts"

const sdk = join(import.meta.dirname, "..")
const repository = join(sdk, "../..")
const folder = join(sdk, "dist/package")

execFileSync(join(repository, "node_modules/.bin/tsc"), ["-b", sdk], { stdio: "inherit" })
rmSync(folder, { recursive: true, force: true })

for (const source of readdirSync(join(sdk, "src"), { recursive: true, encoding: "utf8" })) {
  if (!source.endsWith(".ts")) continue
  for (const file of [source.replace(/ts$/, "js"), source.replace(/ts$/, "d.ts")]) {
    const text = file === "Wire.d.ts" ? wireDeclaration(read("src/Wire.ts")) : read(`dist/${file}`)
    write(`dist/${file}`, forPackage(text))
  }
}

const { dependencies, license, name, version } = JSON.parse(read("package.json"))
const effect = JSON.parse(read("node_modules/effect/package.json")).version
if (Object.keys(dependencies).join() !== "@carillon/domain,effect")
  throw new Error("Decide what becomes of the SDK's new dependency in the package.")
write(
  "package.json",
  `${JSON.stringify(
    {
      name,
      version,
      description: "Client of Carillon, the self-hosted service that schedules and publishes social posts.",
      license,
      type: "module",
      sideEffects: false,
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./effect": { types: "./dist/effect.d.ts", default: "./dist/effect.js" },
        "./package.json": "./package.json"
      },
      files: ["dist", "docs"],
      engines: { node: ">=22.3" },
      peerDependencies: { effect: `^${effect}` },
      peerDependenciesMeta: { effect: { optional: true } }
    },
    null,
    2
  )}\n`
)
cpSync(join(repository, "LICENSE"), join(folder, "LICENSE"))
write(
  "README.md",
  read("../../docs/sdk.md").replace(/\]\((webhooks|events|notifications)\.md\)/g, "](docs/$1.md)")
)
for (const page of ["webhooks", "events", "notifications"]) {
  cpSync(join(repository, `docs/${page}.md`), join(folder, `docs/${page}.md`))
}

function read(path: string): string {
  return readFileSync(join(sdk, path), "utf8")
}

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Declarations keep the `.ts` of their imports, which are `.js` to whoever installs them; maps lead to no source here. */
function forPackage(text: string): string {
  return text
    .replace(/((?:from|import\() ?"\.[^"]*)\.ts"/g, '$1.js"')
    .replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n")
}
