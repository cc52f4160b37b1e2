import { Schema } from "effect"

/** The database inside this process has ended and will not come back in it. The message holds no secret. */
export class DatabaseStopped extends Schema.TaggedError<DatabaseStopped>()("DatabaseStopped", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}
