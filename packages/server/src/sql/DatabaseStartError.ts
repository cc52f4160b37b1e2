import { Schema } from "effect"

/** Why the database cannot be used. The message is for the person who runs the service and holds no secret. */
export class DatabaseStartError extends Schema.TaggedError<DatabaseStartError>()("DatabaseStartError", {
  reason: Schema.Literals([
    "directory_in_use",
    "directory_unusable",
    "wrong_version",
    "wrong_encoding",
    "not_durable",
    "invalid_url",
    "unreachable",
    "pooled",
    "newer_database",
    "older_database",
    "migration_failed"
  ]),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
