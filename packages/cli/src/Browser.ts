import { spawn } from "node:child_process"
import type { Terminal } from "./Terminal.ts"

/** Shows a page in the person's browser; false where no program can. */
export const browse = (url: string, { env }: Terminal): Promise<boolean> =>
  new Promise((resolve) => {
    const [program, ...args] = browserOf(env)
    const child = spawn(program!, [...args, url], { detached: true, stdio: "ignore", env })
    child.once("error", () => resolve(false))
    child.once("spawn", () => {
      child.unref()
      resolve(true)
    })
  })

/** Why no browser can be shown from here; undefined where one can. */
export const noBrowserBecause = (env: Terminal["env"], platform = process.platform): string | undefined => {
  if (env["BROWSER"] || env["DISPLAY"] || env["WAYLAND_DISPLAY"]) return undefined
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) return "this is an SSH session"
  return platform === "darwin" || platform === "win32" ? undefined : "there is no display"
}

const browserOf = (env: Terminal["env"]): ReadonlyArray<string> => {
  if (env["BROWSER"]) return [env["BROWSER"]]
  if (process.platform === "darwin") return ["open"]
  // `start` would read & in an address as the end of the command.
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"]
  return ["xdg-open"]
}
