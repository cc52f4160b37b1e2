import type { Carillon, UploadReservation } from "@carillon/sdk"
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { type Attachment, keyOf } from "@carillon/domain/plan"
import type { Output } from "./Output.ts"
import type { Session } from "./Session.ts"
import { bytes, duration } from "./Text.ts"

interface Kept {
  readonly reservation: UploadReservation
  /** The process that sends it; once that has ended, another one may take over. */
  readonly pid: number
  readonly at: number
}

const keptFor = 86_400_000

/**
 * Sends files and remembers their reservations, so that a command that was cut short continues when it is repeated: a
 * file that had arrived is not sent again, and one that had not is sent under the same id.
 */
export class Uploads {
  readonly #client: Carillon
  readonly #output: Output
  readonly #url: string
  readonly #path: string
  readonly #begun = new Set<string>()

  constructor({ client, output, target, terminal: { env } }: Session) {
    this.#client = client
    this.#output = output
    this.#url = target.url
    this.#path = join(
      env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"),
      "carillon",
      "uploads.json"
    )
  }

  /** The media ids of the attachments, by key. */
  async sendAll(attachments: ReadonlyArray<Attachment>): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>()
    for (const one of attachments) {
      const key = keyOf(one)
      if (ids.has(key)) continue
      if ("id" in one) ids.set(key, one.id)
      else if ("url" in one) {
        const { id, name } = await this.#client.media.import(one.url)
        this.#output.note(`Importing ${name} as ${id}`)
        ids.set(key, id)
      } else {
        const { id, name } = await this.send(one.file)
        // Printed at once: if the post is refused, the next try can use the id instead of the file.
        this.#output.note(`Uploaded ${name} as ${id}`)
        ids.set(key, id)
      }
    }
    return ids
  }

  async send(file: string, name?: string) {
    const { mtimeMs, size } = statSync(file)
    const key = [this.#url, resolve(file), size, mtimeMs, name ?? ""].join(" ")
    this.#begun.add(key)
    const earlier = this.#takeUp(key)
    const lines = await this.#output.live()
    const started = performance.now()
    try {
      return await this.#client.media.upload(file, {
        name,
        ...(earlier === undefined ? {} : { reservation: earlier }),
        onReserved: (reservation) => this.#keep(key, reservation),
        onProgress: ({ sent, total }) =>
          lines?.draw(() => [bar(name ?? file, sent, total, performance.now() - started)], sent === total)
      })
    } finally {
      lines?.clear()
    }
  }

  /** Forgets files that a post has used: another command sends them anew. */
  done(): void {
    if (this.#begun.size > 0) this.#change((kept) => this.#begun.forEach((key) => delete kept[key]))
  }

  #takeUp(key: string): UploadReservation | undefined {
    const kept = this.#read()[key]
    if (kept === undefined || isRunning(kept.pid)) return undefined
    this.#keep(key, kept.reservation)
    return kept.reservation
  }

  #keep(key: string, reservation: UploadReservation): void {
    this.#change((kept) => {
      kept[key] = { reservation, pid: process.pid, at: Date.now() }
    })
  }

  /** Two commands at the same moment may lose one another's entry; its file is then sent once more. */
  #change(change: (kept: Record<string, Kept>) => void): void {
    const kept = this.#read()
    change(kept)
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    const beside = `${this.#path}.${process.pid}`
    // A reservation's URL is a permission to write.
    writeFileSync(beside, JSON.stringify(kept), { mode: 0o600 })
    renameSync(beside, this.#path)
  }

  #read(): Record<string, Kept> {
    try {
      const kept: Record<string, Kept> = JSON.parse(readFileSync(this.#path, "utf8"))
      return Object.fromEntries(Object.entries(kept).filter(([, { at }]) => at > Date.now() - keptFor))
    } catch {
      return {}
    }
  }
}

const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

const barWidth = 24

/** `bells.mp4  [########----------------]  33 %  9.6 MB of 29.1 MB  3.2 MB/s  6 s left` */
const bar = (file: string, sent: number, total: number, elapsed: number): string => {
  const share = total === 0 ? 1 : sent / total
  const filled = Math.round(share * barWidth)
  const rate = elapsed === 0 ? 0 : sent / (elapsed / 1000)
  return [
    file.split(/[/\\]/).at(-1),
    `[${"#".repeat(filled)}${"-".repeat(barWidth - filled)}]`,
    `${Math.floor(share * 100)} %`.padStart(5),
    `${bytes(sent)} of ${bytes(total)}`,
    ...(rate === 0 ? [] : [`${bytes(rate)}/s`]),
    sent === total ? "checking" : rate === 0 ? "" : `${duration(((total - sent) / rate) * 1000)} left`
  ].join("  ")
}
