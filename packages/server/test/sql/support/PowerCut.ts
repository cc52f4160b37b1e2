import type { FlushOptions } from "@carillon/server/sql/FlushedFileSystem"
import { cpSync, fstatSync, mkdirSync, readdirSync, readSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * A disk that forgets at a power cut whatever was not flushed: of every file it keeps the bytes of its last flush,
 * of a file never flushed only the name. Created, renamed and deleted names survive, as on a journalling file system.
 */
export class ForgetfulDisk {
  readonly #directory: string
  readonly #before: string
  readonly #flushed = new Map<number, Buffer>()
  readonly #untouched = new Map<number, string>()
  readonly #onFlush: (disk: ForgetfulDisk) => void

  /** `onFlush` runs before each flush, when it has not happened yet. */
  constructor(directory: string, copyOfBefore: string, onFlush: (disk: ForgetfulDisk) => void) {
    this.#directory = directory
    this.#before = copyOfBefore
    this.#onFlush = onFlush
    cpSync(directory, copyOfBefore, { recursive: true })
    for (const path of files(directory)) this.#untouched.set(statSync(join(directory, path)).ino, path)
  }

  readonly options: FlushOptions = {
    flushFile: (descriptor) => {
      this.#onFlush(this)
      const { ino, size } = fstatSync(descriptor)
      const bytes = Buffer.alloc(size)
      readSync(descriptor, bytes, 0, size, 0)
      this.#flushed.set(ino, bytes)
    },
    flushDirectory: () => this.#onFlush(this)
  }

  /** What is on the disk when the power comes back after a cut at this moment. */
  cut(target: string) {
    for (const path of directories(this.#directory))
      mkdirSync(join(target, path), { recursive: true, mode: 0o700 })
    for (const path of files(this.#directory)) {
      const { ino } = statSync(join(this.#directory, path))
      const bytes = this.#flushed.get(ino)
      const before = this.#untouched.get(ino)
      if (bytes !== undefined) writeFileSync(join(target, path), bytes)
      else if (before !== undefined) cpSync(join(this.#before, before), join(target, path))
      else writeFileSync(join(target, path), "")
    }
  }
}

const entries = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name).slice(directory.length + 1),
    isDirectory: entry.isDirectory()
  }))

const files = (directory: string) =>
  entries(directory).flatMap((entry) => (entry.isDirectory ? [] : [entry.path]))

const directories = (directory: string) => [
  "",
  ...entries(directory).flatMap((entry) => (entry.isDirectory ? [entry.path] : []))
]
