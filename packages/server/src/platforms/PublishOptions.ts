import { type PlatformId, platformOptions } from "@carillon/domain"
import { Option, Schema } from "effect"
import type { PublishRequest } from "./Platform.ts"

/** The options of a post, by the schema that accepted them. `null` means the same as leaving an option out, so none is null here. */
export type PublishOptions<P extends PlatformId> = {
  readonly [Name in keyof (typeof platformOptions)[P]["Type"]]: Exclude<
    (typeof platformOptions)[P]["Type"][Name],
    null
  >
}

export const publishOptions = <P extends PlatformId>(platform: P) => {
  const decode = Schema.decodeUnknownOption(Schema.toType(platformOptions[platform] as Schema.Top))
  return ({ options }: Pick<PublishRequest, "options">) =>
    Option.getOrElse(decode(options), () => ({})) as PublishOptions<P>
}
