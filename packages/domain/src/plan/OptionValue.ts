import { Schema } from "effect"
import type { PlatformId } from "../PlatformFacts.ts"
import { mediaOptions } from "../PlatformOptions.ts"
import { platformOptions } from "../platforms/PlatformDefinitions.ts"
import type { Attachment } from "./Attachments.ts"
import type { Setting } from "./Settings.ts"
import { Unusable } from "./Unusable.ts"

/** The value of an option; ids of media are known only when the files have been sent. */
export type Value =
  | { readonly value: unknown }
  | { readonly media: ReadonlyArray<Attachment>; readonly many: boolean }

/**
 * The value as the platform's option takes it: `true` is a boolean for a flag and text for a text, `a,b` is a list for a
 * list. A value that fits nothing is sent as it is, so that the service says what is wrong.
 */
export const readValue = async (
  platform: PlatformId,
  { from, option, text }: Setting,
  toAttachment: (value: string, where: string) => Attachment | Promise<Attachment>
): Promise<Value> => {
  const fields: Readonly<Record<string, { readonly schema: unknown }>> = platformOptions[platform].fields
  const field = fields[option]
  if (field === undefined) {
    throw new Unusable(
      `${from}: ${platform} has no option ${JSON.stringify(option)}.`,
      `Available options: ${Object.keys(fields).join(", ")}.`
    )
  }
  const many = option === "media"
  if (many || mediaOptions.some((known) => known === option)) {
    const parts = many ? text.split(",").map((part) => part.trim()) : [text]
    return { media: await Promise.all(parts.map((part) => toAttachment(part, from))), many }
  }
  const readings = [...asJson(text), text, text.split(",").map((part) => part.trim())]
  const accepts = Schema.is(Schema.toEncoded(field.schema as Parameters<typeof Schema.toEncoded>[0]))
  return { value: readings.find((reading) => accepts(reading)) ?? readings[0] }
}

const asJson = (text: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}
