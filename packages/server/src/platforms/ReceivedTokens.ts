import { Effect, Schema } from "effect"
import { PublishError } from "./Platform.ts"

/** Reads the tokens of an answer of which nothing is ever quoted: an error would keep those that it does not know. */
export const receivedTokens =
  <A>(platform: string, Tokens: Schema.Decoder<A>) =>
  (body: unknown): Effect.Effect<A, PublishError> =>
    Schema.decodeUnknownEffect(Tokens)(body).pipe(
      Effect.mapError(
        () =>
          new PublishError({
            class: "transient",
            code: "unreadable_answer",
            message: `${platform} answered the sign-in with an unreadable body. Try again.`
          })
      )
    )
