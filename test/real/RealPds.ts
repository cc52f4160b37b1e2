import { spawn, type ChildProcess } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

const folder = import.meta.dirname

export interface Facet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number }
  readonly features: ReadonlyArray<Readonly<Record<string, string>>>
}

export interface PostedBlob {
  readonly ref: { readonly $link: string }
  readonly mimeType: string
  readonly size: number
}

export interface PostedImage {
  readonly alt: string
  readonly aspectRatio: { readonly width: number; readonly height: number }
  readonly image: PostedBlob
}

interface RecordRef {
  readonly uri: string
  readonly cid: string
}

export interface PostRecord {
  readonly text: string
  readonly createdAt: string
  readonly langs?: ReadonlyArray<string>
  readonly tags?: ReadonlyArray<string>
  readonly labels?: unknown
  readonly reply?: { readonly root: RecordRef; readonly parent: RecordRef }
  readonly facets?: ReadonlyArray<Facet>
  readonly embed?: {
    readonly $type: string
    readonly images: ReadonlyArray<PostedImage>
    readonly items?: ReadonlyArray<PostedImage>
    readonly video?: PostedBlob
    readonly captions?: ReadonlyArray<{ readonly lang: string; readonly file: PostedBlob }>
    readonly presentation?: string
    readonly alt?: string
    readonly external?: {
      readonly uri: string
      readonly title: string
      readonly description: string
      readonly thumb: PostedBlob
    }
  }
}

export interface ListedRecord<Value> {
  readonly uri: string
  readonly cid: string
  readonly value: Value
}

export type ListedPost = ListedRecord<PostRecord>

/** What an account's own server says of it, read without the service between. */
export interface PdsAccount {
  readonly did: string
  readonly handle: string
  readonly appPassword: string
  /** Every post record of the account, in the order of the keys: oldest first, but for those of one second. */
  readonly posts: () => Promise<ReadonlyArray<ListedPost>>
  /** Every record of a collection, in the order of the keys. */
  readonly records: <Value>(collection: string) => Promise<ReadonlyArray<ListedRecord<Value>>>
  /** Creates records as the account itself does; the status of the answer. */
  readonly create: (writes: ReadonlyArray<unknown>) => Promise<number>
  readonly blob: (cid: string) => Promise<Buffer>
  /** How many sessions the server keeps that were begun with the app password. */
  readonly sessions: () => number
  /** When the server made the last commit to the account's repository, by the server's clock, in milliseconds. */
  readonly lastCommitAt: () => Promise<number>
}

export interface RealPds {
  readonly origin: string
  /** Of the directory of its accounts. */
  readonly directory: string
  readonly createAccount: (name: string) => Promise<PdsAccount>
  readonly stop: () => Promise<void>
}

const digits = "234567abcdefghijklmnopqrstuvwxyz"

/** A TID is 53 bits of microseconds and 10 bits of clock id in sortable base 32. */
const millisecondsOfTid = (tid: string): number => {
  let value = 0n
  for (const character of tid) value = value * 32n + BigInt(digits.indexOf(character))
  return Number(value >> 10n) / 1000
}

interface Running {
  readonly child: ChildProcess
  readonly port: string
  readonly plcPort: string
}

const start = async (data: string, publicPort: string): Promise<Running | undefined> => {
  const child = spawn(join(folder, "node_modules/.bin/node"), [join(folder, "pds.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      PDS_DATA_DIRECTORY: data,
      PDS_PUBLIC_PORT: publicPort
    }
  })
  const ports = new Promise<Pick<Running, "port" | "plcPort">>((resolve) => {
    let printed = ""
    child.stdout.on("data", (chunk) => {
      printed += chunk
      const ready = /^ready (\d+) (\d+)$/m.exec(printed)
      if (ready !== null) resolve({ port: ready[1]!, plcPort: ready[2]! })
    })
  })
  const ended = once(child, "exit").then(() => undefined)
  const first = await Promise.race([ports, ended])
  return first === undefined ? undefined : { child, ...first }
}

/** `address`: where it says that it is, and its accounts' documents with it. */
export const startPds = async (address: string): Promise<RealPds> => {
  const publicPort = new URL(address).port
  const data = mkdtempSync(join(tmpdir(), "carillon-pds-"))
  process.once("exit", () => rmSync(data, { recursive: true, force: true }))
  // better-sqlite3 sometimes aborts within the first second of its process, before anything was served.
  const running = (await start(data, publicPort)) ?? (await start(data, publicPort))
  if (running === undefined)
    throw new Error("the PDS ended twice before it was ready; its own words are above")
  const { child } = running
  const origin = `http://127.0.0.1:${running.port}`

  const call = async (nsid: string, init: RequestInit, query?: Record<string, string>): Promise<Response> => {
    const url = new URL(`/xrpc/${nsid}`, origin)
    url.search = new URLSearchParams(query).toString()
    const response = await fetch(url, init)
    if (!response.ok) throw new Error(`${nsid} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const get = (nsid: string, query: Record<string, string>) => call(nsid, {}, query)
  const post = async (nsid: string, body: unknown, token?: string): Promise<Record<string, string>> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { "content-type": "application/json", ...authorization }
    const response = await call(nsid, { method: "POST", headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, string>
  }

  const records = async <Value>(
    did: string,
    collection: string
  ): Promise<ReadonlyArray<ListedRecord<Value>>> => {
    const found: Array<ListedRecord<Value>> = []
    let cursor: string | undefined
    do {
      const page = { repo: did, collection, limit: "100", reverse: "true" }
      const response = await get(
        "com.atproto.repo.listRecords",
        cursor === undefined ? page : { ...page, cursor }
      )
      const body = (await response.json()) as { records: Array<ListedRecord<Value>>; cursor?: string }
      found.push(...body.records)
      cursor = body.cursor
    } while (cursor !== undefined)
    return found
  }

  return {
    origin,
    directory: `http://127.0.0.1:${running.plcPort}`,
    createAccount: async (name) => {
      const handle = `${name}.test`
      const session = await post("com.atproto.server.createAccount", {
        handle,
        email: `${name}@mail.test`,
        password: randomUUID()
      })
      const did = session.did!
      const app = await post("com.atproto.server.createAppPassword", { name: "carillon" }, session.accessJwt)
      return {
        did,
        handle,
        appPassword: app.password!,
        posts: () => records(did, "app.bsky.feed.post"),
        records: (collection) => records(did, collection),
        create: async (writes) => {
          const response = await fetch(`${origin}/xrpc/com.atproto.repo.applyWrites`, {
            method: "POST",
            headers: { "content-type": "application/json", authorization: `Bearer ${session.accessJwt}` },
            body: JSON.stringify({
              repo: did,
              writes: writes.map((write) => ({
                $type: "com.atproto.repo.applyWrites#create",
                ...(write as object)
              }))
            })
          })
          await response.arrayBuffer()
          return response.status
        },
        blob: async (cid) =>
          Buffer.from(await (await get("com.atproto.sync.getBlob", { did, cid })).arrayBuffer()),
        sessions: () => {
          const database = new DatabaseSync(join(data, "account.sqlite"), { readOnly: true })
          const query = "select count(*) as count from refresh_token where did = ? and appPasswordName = ?"
          const { count } = database.prepare(query).get(did, app.name!) as { readonly count: number }
          database.close()
          return count
        },
        lastCommitAt: async () => {
          const response = await get("com.atproto.sync.getLatestCommit", { did })
          return millisecondsOfTid(((await response.json()) as { rev: string }).rev)
        }
      }
    },
    stop: async () => {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
    }
  }
}
