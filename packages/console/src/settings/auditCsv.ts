import type { AuditEntry } from "@carillon/sdk"
import { words } from "./en.ts"

/** Excel takes a cell that begins so for a formula. */
const formula = /^[=+\-@\t\r]/

const cell = (value: string | null | undefined) => {
  const text = value ?? ""
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The entries as a table that spreadsheets open: UTF-8 with its mark, RFC 4180. */
export const auditCsv = (entries: ReadonlyArray<AuditEntry>) =>
  `\ufeff${[
    words.audit.columns,
    ...entries.map(({ action, actor, address, at, subject }) => [
      at,
      actor?.type,
      actor?.id,
      actor?.name,
      action,
      subject?.type,
      subject?.id,
      subject?.name,
      address
    ])
  ]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("")}`
