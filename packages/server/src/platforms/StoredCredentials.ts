import { Effect, Redacted, Schema } from "effect"
import { type Credentials, PublishError } from "./Platform.ts"

/** Stored credentials that no longer decode can only be replaced by connecting again. */
export const decodeCredentials = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  platform: string
) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (credentials: Credentials): Effect.Effect<S["Type"], PublishError> =>
    decode(Redacted.value(credentials)).pipe(
      Effect.mapError(
        () =>
          new PublishError({
            class: "reconnect",
            code: "credentials_unreadable",
            message: `The stored credentials of this ${platform} account cannot be read. Connect the account again.`
          })
      )
    )
}
