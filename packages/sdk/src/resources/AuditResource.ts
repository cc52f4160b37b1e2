import { listAt, type ListRequest } from "../ListRequest.ts"
import type { RequestOptions, Transport } from "../Transport.ts"
import type { AuditEntryList, AuditFilter } from "../Wire.ts"

/** The trail of who did what in the workspace. It needs the scope `admin`. */
export class AuditResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * The last year, newest first.
   *
   * ```ts
   * for await (const { at, actor, action, subject } of carillon.audit.list({ action: "sign_in.refused" }))
   *   console.log(at, actor?.name, action, subject?.name)
   * ```
   */
  list(filter: AuditFilter = {}, options: RequestOptions = {}): ListRequest<AuditEntryList> {
    return listAt(this.#transport, () => "/v1/audit", filter, options)
  }
}
