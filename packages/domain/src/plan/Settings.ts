import type { PlatformId } from "../PlatformFacts.ts"
import type { Attachment } from "./Attachments.ts"
import { Unusable } from "./Unusable.ts"

/** `--set tiktok.is_aigc=true`, `--set @demo.title=Bells`, `--caption-for 42=Hello`. */
export interface Setting {
  /** A platform, or an account as in `--to`. */
  readonly target: string
  readonly option: string
  readonly text: string
  readonly from: string
}

/** The value of an option; ids of media are known only when the files have been sent. */
export type Value =
  | { readonly value: unknown }
  | { readonly media: ReadonlyArray<Attachment>; readonly many: boolean }

export const toSetting = (text: string, from = "--set"): Setting => {
  // Handles contain dots too.
  const [, target, option, value] = /^([^=]+)\.([^.=]+)=(.*)$/s.exec(text) ?? []
  if (target !== undefined) return { target, option: option!, text: value!, from }
  throw new Unusable(
    `${from}: ${JSON.stringify(text)} is not platform.option=value.`,
    "For example: --set tiktok.is_aigc=true, or --set @demo.title=Bells for one account."
  )
}

export const toCaptionFor = (text: string): Setting => {
  const [, target, caption] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (target !== undefined) return { target, option: "caption", text: caption!, from: "--caption-for" }
  throw new Unusable(
    `--caption-for: ${JSON.stringify(text)} is not account=caption.`,
    'For example: --caption-for 42="Good evening"; a platform or @handle works too.'
  )
}

/**
 * The value as the platform's option takes it: `true` is a boolean for a flag and text for a text, `a,b` is a list for a
 * list. A value that fits nothing is sent as it is, so that the service says what is wrong.
 */
export const readValue = async (
  platform: PlatformId,
  { from, option, text }: Setting,
  toAttachment: (value: string, where: string) => Attachment | Promise<Attachment>
): Promise<Value> => {
  // A command that sets no option need not load them.
  const { mediaOptions } = await import("../PlatformOptions.ts")
  const { platformOptions } = await import("../platforms/PlatformDefinitions.ts")
  const { Schema } = await import("effect")
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
