import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { takePort } from "@carillon/testing/FreePort"
import { until } from "@carillon/testing/Until"

/** A server that speaks Mastodon's API, and the token of an account on it. */
export interface MastodonServer {
  readonly origin: string
  readonly token: string
  /** What the person does on its page for apps; the address to which it leads back. */
  readonly signIn?: (page: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** snac (https://codeberg.org/grunfink/snac2) in a process of its own, from the program at this path, with one user. */
export const startSnac = async (program: string): Promise<MastodonServer> => {
  const port = await takePort()
  const folder = await mkdtemp(join(tmpdir(), "carillon-snac-"))
  const data = join(folder, "data")
  const host = `127.0.0.1:${port}`
  const run = async (args: ReadonlyArray<string>, input = "") => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] })
    child.stdin.end(input)
    const [said] = await Promise.all([text(child.stdout), once(child, "exit")])
    return said
  }
  await run(["init", data], `127.0.0.1\n${port}\n${host}\n\n\n`)
  const settings = join(data, "server.json")
  const written: object = JSON.parse(await readFile(settings, "utf8"))
  await writeFile(settings, JSON.stringify({ ...written, protocol: "http" }))
  const password = /^User password is (\S+)$/m.exec(await run(["adduser", data, "alice"]))![1]!

  const server = spawn(program, ["httpd", data], { stdio: "ignore" })
  process.once("exit", () => server.kill("SIGKILL"))
  const origin = `http://${host}`
  const form = new URLSearchParams({ login: "alice", passwd: password })
  const token = await until("snac to give a token", 60_000, async () => {
    const answer = await fetch(`${origin}/oauth/x-snac-get-token`, { method: "POST", body: form }).catch(
      () => undefined
    )
    return answer?.text()
  })
  return {
    origin,
    token,
    signIn: async (page) => {
      const shown = await (await fetch(page)).text()
      const hidden = [...shown.matchAll(/name="(redir|cid|state)" value="([^"]*)"/g)].map(
        ([, name, value]): [string, string] => [name!, value!]
      )
      const answer = await fetch(`${origin}/oauth/x-snac-login`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams([["login", "alice"], ["passwd", password], ...hidden])
      })
      return answer.headers.get("location")!
    },
    stop: async () => {
      server.kill()
      await once(server, "exit")
      await rm(folder, { recursive: true })
    }
  }
}
