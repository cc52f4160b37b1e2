import { Effect } from "effect"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Connected } from "./OAuthBrowser.ts"
import { onTerminal } from "./PseudoTerminal.ts"
import { Service } from "./ServiceProcess.ts"

const repository = join(import.meta.dirname, "../../..")

/** A home of its own, whose browser writes down what it is shown. */
export const home = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carillon-login-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ),
  (path) => {
    const browser = join(path, "browser")
    const shown = join(path, "shown")
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > ${shown}.part\nmv ${shown}.part ${shown}\n`)
    chmodSync(browser, 0o700)
    const config = join(path, ".config", "carillon", "config.json")
    const profiles = () => JSON.parse(readFileSync(config, "utf8")).profiles
    return {
      path,
      browser,
      config,
      profiles,
      shownPath: shown,
      /** As if these tokens had been kept by a login. */
      keep: (url: string, { access_token, expires_in, refresh_token }: Connected["tokens"]) => {
        const expires_at = new Date(Date.now() + expires_in * 1000).toISOString()
        mkdirSync(dirname(config), { recursive: true })
        writeFileSync(
          config,
          JSON.stringify({
            profiles: { default: { url, tokens: { access_token, refresh_token, expires_at } } }
          })
        )
      },
      /** As if the access token had run out. */
      runOut: () => {
        const kept = profiles()
        kept.default.tokens.expires_at = "2020-01-01T00:00:00.000Z"
        writeFileSync(config, JSON.stringify({ profiles: kept }))
      },
      tokens: () => profiles().default.tokens
    }
  }
)
export type Home = Effect.Success<typeof home>

export const begin = (own: Home, ...args: ReadonlyArray<string>) =>
  beginWith({ BROWSER: own.browser }, own, ...args)

export const beginWith = Effect.fnUntraced(function* (
  more: Readonly<Record<string, string>>,
  own: Home,
  ...args: ReadonlyArray<string>
) {
  const { url } = yield* Service
  return yield* onTerminal(process.execPath, ["packages/cli/carillon.js", ...args], {
    cwd: repository,
    columns: 600,
    env: {
      PATH: process.env["PATH"] ?? "",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      HOME: own.path,
      CARILLON_URL: url,
      ...more
    }
  })
})

export const run = Effect.fnUntraced(function* (own: Home, ...args: ReadonlyArray<string>) {
  const terminal = yield* begin(own, ...args)
  return { code: yield* terminal.ended, screen: terminal.screen() }
})
