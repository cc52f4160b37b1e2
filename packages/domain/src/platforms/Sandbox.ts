import { Schema } from "effect"
import { onePlacement, rulesOf } from "../Platform.ts"
import { mostThreadItems } from "../Thread.ts"
import type { CredentialForm } from "./ConnectForm.ts"
import { altText, option, overrides, text } from "./OptionFields.ts"

const maximumAltText = 2000

/** The test network of `packages/sandbox`. */
export const sandboxRules = rulesOf("sandbox", {
  alt_text: maximumAltText,
  chains: { max_items: mostThreadItems },
  ...onePlacement({
    caption: { unit: "graphemes", max: 500 },
    text_only: true,
    images: {
      max_count: 4,
      mime_types: ["image/jpeg", "image/png", "image/webp", "image/gif"],
      max_bytes: 20_000_000
    },
    videos: {
      max_count: 1,
      mime_types: ["video/mp4", "video/quicktime", "video/webm"],
      max_bytes: 1_000_000_000,
      max_duration_ms: 600_000
    },
    mixed: true
  })
})

export const SandboxOptions = Schema.Struct({
  ...overrides,
  title: option(text(100), "Title", "The post's title, at most 100 characters. Default: `null`, none."),
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "SandboxOptions" })

export const sandboxForm = {
  summary: "For testing: nothing leaves this machine",
  fields: {
    username: { label: "Name", help: "The account's name: any letters, digits, dots and dashes" },
    password: {
      label: "Password",
      help: "The password, on the test network always “sandbox”.",
      secret: true,
      value: "sandbox"
    }
  }
} as const satisfies CredentialForm
