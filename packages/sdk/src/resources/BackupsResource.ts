import type { RequestOptions, Transport } from "../Transport.ts"
import type { BackupSchedule, CreateBackup } from "../Wire.ts"

/** A backup on its way. */
export interface Backup {
  /** A name for its file, which has the time in it. */
  readonly name: string
  /** A tar file. Without its last part, `manifest.json`, it is not whole. */
  readonly bytes: ReadableStream<Uint8Array>
}

/** Backups of the instance, for admin keys of its default workspace. */
export class BackupsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Whether the service makes scheduled backups, and the outcome of the last one.
   *
   * ```ts
   * const { every_seconds, last, succeeded_at } = await carillon.backups.schedule()
   * ```
   */
  schedule(options: RequestOptions = {}): Promise<BackupSchedule> {
    return this.#transport.request("GET", "/v1/backups", options)
  }

  /**
   * Makes a backup of the whole instance while it runs. It is asked for once, and takes as long as it takes.
   *
   * ```ts
   * import { writeFile } from "node:fs/promises"
   *
   * const { name, bytes } = await carillon.backups.create({ include_media: true })
   * await writeFile(name, bytes)
   * ```
   *
   * @throws PermissionError `default_workspace_only` with a key of another workspace; `owner_only` for a manager
   */
  async create(asked: CreateBackup = {}, options: Pick<RequestOptions, "signal"> = {}): Promise<Backup> {
    const { body, headers } = await this.#transport.download("/v1/backups", asked, options.signal)
    const [, name = "carillon.tar"] =
      /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "") ?? []
    return { name, bytes: body! }
  }
}
