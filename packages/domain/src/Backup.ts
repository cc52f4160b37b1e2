import { Schema } from "effect"
import { Text } from "./Text.ts"

/** What CARILLON_SECRET is encrypted under in a backup. */
export const BackupPassphrase = Text.check(Schema.isBetweenLength(12, 1024))

/** `POST /v1/backups` */
export const CreateBackup = Schema.Struct({
  include_media: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "With the bytes of all media. Default: false." })
  ),
  passphrase: Schema.optionalKey(
    Schema.NullOr(
      BackupPassphrase.annotate({
        description:
          "The backup then holds `CARILLON_SECRET`, encrypted under it. Without it, accounts have to be connected again " +
          "after a restore, unless the same secret is set there."
      })
    )
  )
}).annotate({ identifier: "CreateBackup" })
export interface CreateBackup extends Schema.Schema.Type<typeof CreateBackup> {}
