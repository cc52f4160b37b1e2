import { Duration, Effect, Schema } from "effect"
import type { Handle } from "../../engine/Handle.ts"
import type { Prepared, PublishRequest } from "../Platform.ts"
import { handleUnreadable, readHandleWith } from "../StoredHandle.ts"
import { Answered } from "./ThreadParent.ts"

const nullable = Schema.optionalKey(Schema.NullOr(Schema.String))

/** By the post's media id: the server's id of the file, its address, and whether the server still works on it. */
const MastodonHandle = Schema.Struct({
  files: Schema.Record(
    Schema.String,
    Schema.Struct({ id: Schema.String, url: nullable, ready: Schema.Boolean })
  ),
  /** Whether the server has quotes; left out where nothing asks for them. */
  quotes: Schema.optionalKey(Schema.Boolean),
  /** The post that is quoted, by the account's server. */
  quoted: Schema.optionalKey(Schema.Struct({ address: Schema.String, id: Schema.String })),
  answered: Schema.optionalKey(Answered),
  /** Posts of the same words that were there before; null where they could not be seen, left out where nothing asks for them. */
  seen: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))
})
export type MastodonHandle = typeof MastodonHandle.Type

export const decodeHandle = Schema.decodeUnknownOption(MastodonHandle)
export const readHandle = readHandleWith(decodeHandle, "Mastodon")
const lookAgain = Duration.seconds(5)

export const handleOf = ({ answered, files, quoted, quotes, seen }: MastodonHandle): Handle => ({
  files,
  ...(seen === undefined ? {} : { seen }),
  ...(answered === undefined ? {} : { answered }),
  ...(quotes === undefined ? {} : { quotes }),
  ...(quoted === undefined ? {} : { quoted })
})

export const toPrepared = (known: MastodonHandle): Prepared => {
  const handle = handleOf(known)
  return Object.values(known.files).every(({ ready }) => ready)
    ? { _tag: "ready", handle }
    : { _tag: "wait", handle, poll_after: lookAgain }
}

/** The server's ids of the post's files, in order. */
export const idsOf = ({ media }: PublishRequest, files: MastodonHandle["files"]) =>
  Effect.forEach(media, ({ id }) => {
    const file = files[id]
    return file === undefined ? Effect.fail(handleUnreadable("Mastodon")) : Effect.succeed(file.id)
  })
