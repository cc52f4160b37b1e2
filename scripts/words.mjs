// One word for each thing: docs/concepts.md, "Words". Prints where the docs, or a sentence of the programs, have another, and
// fails. Names and comments of code may say `platform`, and so may the API and what describes it, but not another word for a
// thread. In a page, names in `code` may be anything.
import { globSync, readFileSync } from "node:fs"

const thread = { not: /\bchain(?:s|ed)?\b/gi, but: "thread" }
const threadInCode = { not: /\b(?!LangChain\b)(?:chain|\w*(?:Chain|_chain))\w*/g, but: "thread" }
const scheduled = { not: /\bplanned\b|\bplan(?:s|ning)? to publish\b/gi, but: "scheduled" }
const network = { not: /\bplatforms?\b/gi, but: "network" }

/** Where another word may stand, and why. */
const allowed = {
  // The table of the API's own codes and sentences.
  "docs/errors.md": [network]
}

/**
 * What clients know by another word keeps it: the key of a platform's rules, of which problems make the names of rules
 * (`chains.max_items`), an error code, and a schema of OpenAPI.
 */
const known = /\bchains\b|"chain_stopped"|"ChainItem"/g

const blank = (text) => text.replace(/[^\n]/g, " ")

/** What people read of a page: no code, no addresses. */
const proseOf = (page) =>
  page
    .replace(/^( *)```.*?^\1```|<!--.*?-->|`[^`]*`|\]\([^)]*\)/gms, blank)
    // A product of Google's.
    .replace(/Google Auth Platform/g, blank)

/** The literals of a module that are sentences, and no SQL; of `en.ts` all. What is in `${}` is code. */
const stringsOf = (module, all) => {
  let at = 0
  let strings = ""
  for (const { 0: literal, index } of module.matchAll(
    /\/\/[^\n]*|\/\*.*?\*\/|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gs
  )) {
    strings += blank(module.slice(at, index))
    at = index + literal.length
    const isSql = /\bsql(?:<.*>)?$/.test(module.slice(0, index))
    const read = !literal.startsWith("/") && !isSql && (all || / /.test(literal.trim()))
    strings += read ? literal.replace(/\$\{[^}]*\}/g, blank) : blank(literal)
  }
  return strings
}

/** The names and comments of a module. What clients know stands in a comment as `code`. */
const codeOf = (module) =>
  module
    .split(/(\/\/[^\n]*|\/\*.*?\*\/|^ *-- [^\n]*)/ms)
    .map((part, index) => part.replace(index % 2 === 1 ? /`chains[.\w]*`/g : known, blank))
    .join("")

const places = [
  {
    files: ["*.md", "bench/*.md", "docs/**/*.md", "packages/*/README.md"],
    except: ["CHANGELOG.md"],
    read: proseOf,
    words: [thread, scheduled, network]
  },
  {
    files: ["packages/console/src/**/en.ts"],
    read: (text) => stringsOf(text, true),
    words: [thread, scheduled, network]
  },
  {
    files: ["packages/{cli,domain,sdk,server}/src/**/*.ts"],
    read: (text) => stringsOf(text, false),
    words: [thread, scheduled]
  },
  {
    files: ["packages/*/{src,test}/**/*.{ts,tsx,css}", "{bench,examples,scripts,test}/**/*.ts"],
    read: codeOf,
    words: [threadInCode]
  }
]

const allowances = Object.entries(allowed).flatMap(([files, words]) =>
  globSync(files).map((file) => [file, words])
)
const mayStand = new Map(allowances)

const found = places.flatMap(({ except = [], files, read, words }) =>
  globSync(files, { exclude: (file) => file.includes("node_modules") })
    .filter((file) => !except.includes(file))
    .flatMap((file) => {
      const text = read(readFileSync(file, "utf8"))
      return words
        .filter((word) => !mayStand.get(file)?.includes(word))
        .flatMap(({ but, not }) =>
          [...text.matchAll(not)].map(
            ({ 0: word, index }) => `${file}:${text.slice(0, index).split("\n").length}: ${word}; say ${but}`
          )
        )
    })
)
for (const line of found) console.error(line)
if (found.length > 0) process.exit(1)
