import type { AuditEntry, AuditFilter } from "@carillon/sdk"
import { allOf } from "./allOf.ts"
import { carillon } from "./api.ts"
import { usePages } from "./usePages.ts"

export type AuditFilters = Omit<AuditFilter, "limit" | "offset">

/** Who did what in the last year, newest first. */
export const useAudit = (filters: AuditFilters) =>
  usePages<AuditEntry>(["audit", filters], (page, options) =>
    carillon.audit.list({ ...filters, ...page }, options)
  )

/** All of it. */
export const everyAuditEntry = (filters: AuditFilters): Promise<ReadonlyArray<AuditEntry>> =>
  allOf(carillon.audit.list({ ...filters, limit: 200 }))
