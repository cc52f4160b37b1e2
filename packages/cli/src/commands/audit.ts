import type { AuditAction, AuditActor, AuditEntry, AuditSubject } from "@carillon/sdk"
import { Command, Option } from "@commander-js/extra-typings"
import type { MakeCommand } from "../MakeCommand.ts"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import { isoTime, limitOption, offsetOption, severalOf } from "../ListOptions.ts"
import type { Column } from "../Table.ts"
import { shortTime } from "../Text.ts"

/** Typed by the contract, so that a new one is not forgotten; see PlatformIds. */
const known = {
  "sign_in.accepted": true,
  "sign_in.refused": true,
  "sign_in.code_refused": true,
  "sign_in.new_device": true,
  "password.refused": true,
  "sign_out.everywhere": true,
  "totp.set": true,
  "totp.removed": true,
  "recovery_codes.replaced": true,
  "recovery_code.used": true,
  "passkey.created": true,
  "passkey.deleted": true,
  "owner_link.created": true,
  "member.created": true,
  "member.updated": true,
  "app.connected": true,
  "app.updated": true,
  "app.disconnected": true,
  "api_key.created": true,
  "api_key.deleted": true,
  "account.connected": true,
  "account.refused": true,
  "account.reconnected": true,
  "account.disconnected": true,
  "webhook.created": true,
  "webhook.updated": true,
  "webhook.secret_rotated": true,
  "webhook.deleted": true,
  "notifications.set": true,
  "notifications.deleted": true,
  "review_link.created": true,
  "review_link.revoked": true,
  "post.approved": true,
  "post.refused": true,
  "workspace.created": true,
  "backup.created": true,
  "platform_app.set": true,
  "platform_app.removed": true
} satisfies Record<AuditAction, true>

const actions = Object.keys(known) as ReadonlyArray<AuditAction>

export const auditCommand: MakeCommand = (open) =>
  withExamples(
    withFields(new Command("audit"), "AuditEntry")
      .addOption(
        new Option(
          "--action <actions>",
          `filter by action (comma-separated): ${actions.join(", ")}`
        ).argParser(severalOf("action", actions))
      )
      .option("--actor <id>", "filter by actor: ID of a key, app or member")
      .option("--from <time>", "show entries from this time on (ISO 8601)", isoTime)
      .option("--to <time>", "show entries up to this time (ISO 8601)", isoTime)
      .addOption(limitOption())
      .addOption(offsetOption())
      .action(async (filter) => {
        const { client, output } = await open()
        await output.list(await client.audit.list(filter), columns, "No entries.")
      }),
    "audit",
    "audit --action sign_in.refused,sign_in.accepted --from 2026-12-01T00:00:00Z"
  )

const named = (one: AuditActor | AuditSubject | null) =>
  one === null ? null : `${one.type} ${one.name ?? one.id ?? ""}`.trim()

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { title: "TIME", of: (entry) => shortTime(entry.at) },
  { title: "ACTOR", of: (entry) => named(entry.actor) },
  { title: "ACTION", of: (entry) => entry.action },
  { title: "SUBJECT", of: (entry) => named(entry.subject) },
  { title: "ADDRESS", of: (entry) => entry.address }
]
