import { Schema } from "effect"
import { AppliedMigration, BackupTable } from "./SnapshotRepository.ts"

/** A change of the file that older releases cannot read raises it. */
export const backupFormat = 2

/** What a backup says of itself, beside the digests of its parts. */
export const BackupManifest = Schema.Struct({
  kind: Schema.Literal("carillon backup"),
  format: Schema.Literal(backupFormat),
  made_at: Schema.String,
  database: Schema.Literals(["embedded", "postgres"]),
  migrations: Schema.Array(AppliedMigration),
  tables: Schema.Array(BackupTable),
  media: Schema.Struct({
    included: Schema.Boolean,
    /** Items whose bytes were not there, or not those of their row, when their turn came. */
    left_out: Schema.Array(
      Schema.Struct({ id: Schema.String, reason: Schema.Literals(["missing", "damaged"]) })
    )
  }),
  secret: Schema.Struct({
    included: Schema.Boolean,
    /** The same for the same CARILLON_SECRET. */
    check: Schema.String
  })
})
export interface BackupManifest extends Schema.Schema.Type<typeof BackupManifest> {}

/** Where the parts of a backup are in its archive. */
export const partNames = {
  table: (name: string) => `tables/${name}.jsonl.gz`,
  media: (id: string) => `media/${id}`,
  secret: "secret.json"
} as const

/** The purpose of the derived key that signs backups. */
export const backupKeyPurpose = "backups"

/** The purpose of the derived key whose beginning is `secret.check`. */
const checkPurpose = "which secret a backup was made under"

export const secretCheck = (secrets: { key(purpose: string): Uint8Array }): string =>
  Buffer.from(secrets.key(checkPurpose)).toString("hex").slice(0, 32)
