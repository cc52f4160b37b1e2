import { Console, Effect, Option } from "effect"
import { ApiKeys } from "./auth/ApiKeys.ts"
import { Members } from "./auth/Members.ts"
import { AppConfig } from "./AppConfig.ts"

/** The package has JavaScript, and its command line is a package of its own. */
const inRepository = import.meta.filename.endsWith(".ts")

/** Tells the person at the terminal that the service has started, and what to do next. */
export const startupBanner = Effect.gen(function* () {
  const config = yield* AppConfig
  const key = yield* (yield* ApiKeys).first(process.stdout.isTTY)
  const ownerLink = yield* (yield* Members).ownerLink
  const lines = [
    "",
    "Carillon is running.",
    "",
    ...(config.console ? [`  Console         ${config.publicUrl}/app`] : []),
    `  API             ${config.publicUrl}/v1`,
    `  Reference       ${config.publicUrl}/docs`,
    `  Connect an app  ${config.publicUrl}/connect`,
    ...Option.match(config.sandboxUrl, {
      onNone: () => [],
      onSome: (url) => [`  Test network    ${url}   what you publish to the sandbox appears here`]
    }),
    ...(Option.isSome(config.databaseUrl) ? [] : [`  Data            ${config.dataDir}`]),
    "",
    ...Option.match(ownerLink, {
      onNone: () => [],
      onSome: (url) => [
        "Create the owner account in a browser. This link works once, for a day:",
        `  ${url}`,
        ""
      ]
    }),
    ...Option.match(key, {
      onNone: () =>
        Option.isSome(config.bootstrapApiKey)
          ? ["The API key in CARILLON_BOOTSTRAP_API_KEY is an admin key of the default workspace.", ""]
          : [
              "The first API key is not shown again. Lost it? Create another in the console, or set",
              "CARILLON_BOOTSTRAP_API_KEY to one of your own and start again.",
              ""
            ],
      onSome: (first) => {
        if ("key" in first)
          return [`Your API key, shown only this once:  ${first.key}`, "", ...tryIt(config, first.key)]
        const show = `cat ${inShell(first.file)}`
        return [
          "Your API key is in a file, until it is used or the owner account is created. This shows it:",
          `  ${show}`,
          "",
          ...tryIt(config, `"$(${show})"`)
        ]
      }
    })
  ]
  yield* Console.log(lines.join("\n"))
})

const inShell = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

const tryIt = ({ publicUrl, sandboxUrl }: AppConfig["Service"], key: string) => {
  const url = publicUrl === "http://localhost:4400" ? "" : ` CARILLON_URL=${publicUrl}`
  if (Option.isNone(sandboxUrl))
    return [`Next, in a second terminal:  export CARILLON_API_KEY=${key}${url}`, ""]
  return [
    `Publish something now: paste this in a second terminal${inRepository ? ", in this folder" : ""}.`,
    "",
    `  export CARILLON_API_KEY=${key}${url}`,
    inRepository
      ? `  npm run -s carillon -- post "Hello from Carillon" --media examples/media/bells.jpg --to sandbox --at "in 10 seconds" --wait`
      : `  carillon post "Hello from Carillon" --to sandbox --at "in 10 seconds" --wait`,
    inRepository ? "  npm run -s carillon -- posts" : "  carillon posts",
    ""
  ]
}
