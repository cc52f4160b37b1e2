import type { PGlite } from "@electric-sql/pglite"
import { NodeFS } from "@electric-sql/pglite/nodefs"
import { closeSync, fdatasyncSync, fsyncSync } from "node:fs"

export interface FlushOptions {
  /** Replaces the real flush, for tests that count or record. */
  readonly flushFile?: ((descriptor: number) => void) | undefined
  readonly flushDirectory?: ((descriptor: number) => void) | undefined
}

interface OpenFile {
  readonly nfd?: number
  readonly node: { readonly mode: number }
}

/** The part of PGlite's WebAssembly module that no type describes. */
interface PrivateModule {
  readonly NODEFS?: {
    readonly stream_ops?: { fsync?: (file: OpenFile) => number }
    readonly convertNodeCode?: (cause: unknown) => number
    doSetAttr?: (
      target: unknown,
      node: unknown,
      attributes: { readonly mode?: number },
      ...rest: Array<unknown>
    ) => void
  }
  readonly FS?: {
    readonly isDir?: (mode: number) => boolean
    readonly ErrnoError?: new (errno: number) => Error
    readonly streams?: ReadonlyArray<OpenFile | null | undefined>
  }
}

type Init = NodeFS["init"]

/**
 * PGlite's directory on disk, with the fsync that it lacks. PostgreSQL then does its own flushing, in its own order, for
 * commits, checkpoints and recovery alike, because the operation is there before the server starts.
 */
export class FlushedFileSystem extends NodeFS {
  flushCount = 0
  #streams: ReadonlyArray<OpenFile | null | undefined> = []
  readonly #flushFile: (descriptor: number) => void
  readonly #flushDirectory: (descriptor: number) => void

  constructor(directory: string, options: FlushOptions = {}) {
    super(directory)
    this.#flushFile = options.flushFile ?? fdatasyncSync
    this.#flushDirectory = options.flushDirectory ?? fsyncSync
  }

  /** Closes all files of a server that has ended by itself and left them open. */
  closeFiles() {
    const open = new Set(this.#streams.flatMap((file) => (file?.nfd === undefined ? [] : [file.nfd])))
    this.#streams = []
    for (const descriptor of open) closeSync(descriptor)
  }

  override async init(pglite: PGlite, options: Parameters<Init>[1]): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pglite, options)
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [
          ...(emscriptenOpts.preRun ?? []),
          (module: unknown) => this.#install(module as PrivateModule)
        ]
      }
    }
  }

  #install(module: PrivateModule) {
    const operations = module.NODEFS?.stream_ops
    const convertNodeCode = module.NODEFS?.convertNodeCode
    const isDir = module.FS?.isDir
    const ErrnoError = module.FS?.ErrnoError
    const streams = module.FS?.streams
    const setAttributes = module.NODEFS?.doSetAttr
    if (
      operations === undefined ||
      "fsync" in operations ||
      convertNodeCode === undefined ||
      isDir === undefined ||
      ErrnoError === undefined ||
      streams === undefined ||
      setAttributes === undefined
    ) {
      throw new Error("PGlite's file system layer is not the one this release knows how to flush")
    }
    this.#streams = streams
    // PGlite makes files open to everybody, whatever the process's umask says.
    module.NODEFS!.doSetAttr = (target, node, attributes, ...rest) => {
      const { mode } = attributes
      const closed = mode === undefined ? attributes : { ...attributes, mode: mode & ~0o077 }
      setAttributes(target, node, closed, ...rest)
    }
    operations.fsync = (file) => {
      if (file.nfd === undefined) return 0
      this.flushCount++
      try {
        if (isDir(file.node.mode)) this.#flushDirectory(file.nfd)
        else this.#flushFile(file.nfd)
        return 0
      } catch (cause) {
        throw new ErrnoError(convertNodeCode(cause))
      }
    }
  }
}
