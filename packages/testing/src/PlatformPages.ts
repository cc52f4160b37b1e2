import {
  codecWords,
  measures,
  type MediaRules,
  optionSchemas,
  type PlacementRules,
  platformRules,
  type PlatformId,
  type PlatformRules,
  textUnits,
  type ThreadLimits,
  type VideoRules
} from "@carillon/domain"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const directory = join(import.meta.dirname, "../../../docs/platforms")
const heading = "## Limits and options"

export const pageOf = (platform: PlatformId) => join(directory, `${platform}.md`)

/** The part of a platform's page that follows from its rules, to the next heading of the same level. */
export const generatedPart = (page: string): string => {
  const [, rest = ""] = page.split(`${heading}\n`)
  return normalised(rest.split("\n## ")[0]!)
}

/** Without what a formatter of Markdown changes. */
export const normalised = (text: string) =>
  text
    .split("\n")
    .map((line) => line.replace(/-{3,}/g, "---").replace(/ +/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n")

const number = (value: number) => value.toLocaleString("en")

const captionLimits = ({ caption }: PlacementRules) =>
  [
    `${number(caption.max)} ${textUnits[caption.unit]}`,
    ...(caption.max_bytes === undefined ? [] : [`${number(caption.max_bytes)} bytes of UTF-8`]),
    ...(caption.max_hashtags === undefined ? [] : [`${caption.max_hashtags} hashtags`]),
    ...(caption.max_mentions === undefined ? [] : [`${caption.max_mentions} mentions`]),
    ...(caption.max_links === undefined ? [] : [`${caption.max_links} different links`]),
    ...(caption.forbidden === undefined
      ? []
      : [`none of ${[...caption.forbidden].map((one) => `\`${one}\``).join(" ")}`])
  ].join(", ")

const mediaLimits = (rules: MediaRules) =>
  [
    `${rules.max_count} in a post`,
    rules.mime_types.join(", "),
    ...(["video_codecs", "audio_codecs"] as const).flatMap((rule) => {
      const codecs = rule in rules ? (rules as VideoRules)[rule] : undefined
      return codecs === undefined ? [] : [codecWords(rule, codecs)]
    }),
    ...(Object.keys(measures) as Array<keyof typeof measures>).flatMap((rule) => {
      const limit = (rules as { readonly [rule: string]: unknown })[rule]
      return typeof limit === "number" ? [`at ${measures[rule].at} ${measures[rule].words(limit)}`] : []
    })
  ].join("; ")

const placementRows = (placement: PlacementRules) => [
  ["caption", captionLimits(placement)],
  ["text alone", placement.text_only ? "yes" : "no"],
  ...(["images", "gifs", "videos", "documents"] as const).flatMap((group) => {
    const rules = placement[group]
    return rules === undefined ? [] : [[group, mediaLimits(rules)]]
  }),
  ...(placement.covers === undefined ? [] : [["cover", mediaLimits(placement.covers)]]),
  ...(placement.fetched === undefined
    ? []
    : [["fetched from `PUBLIC_URL`", placement.fetched.map((what) => `${what}s`).join(", ")]]),
  ...(placement.min_count === undefined ? [] : [["media together, at least", String(placement.min_count)]]),
  ...(placement.max_count === undefined ? [] : [["media together, at most", String(placement.max_count)]]),
  ["several kinds together", placement.mixed ? "yes" : "no"],
  ...(placement.equal_size ? [["sizes", "all alike"]] : [])
]

interface Shape {
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly items?: Shape
  readonly format?: string
  readonly $ref?: string
}

const shapeOf = (schema: Shape): string => {
  if (schema.$ref?.endsWith("ThreadItemRequest") === true) return "text, or object"
  if (schema.$ref !== undefined) return schema.$ref.endsWith("MediaId") ? "media id" : "object"
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(", ")
  if (schema.anyOf !== undefined) {
    const forms = schema.anyOf.filter(({ type }) => type !== "null")
    return forms.map(shapeOf).join(forms.every((form) => form.enum !== undefined) ? ", " : ", or ")
  }
  if (schema.type === "array") return `list of: ${shapeOf(schema.items ?? {})}`
  return schema.format === "uri" ? "address" : schema.type === "string" ? "text" : (schema.type ?? "any")
}

const optionRows = ({ platform }: PlatformRules) => {
  const { properties } = optionSchemas[platform] as unknown as {
    readonly properties: Readonly<Record<string, Shape & { readonly description: string }>>
  }
  return Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    shapeOf(schema),
    schema.description
  ])
}

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n")

const list = (rows: ReadonlyArray<ReadonlyArray<string>>) =>
  rows.map(([what, limit]) => `- **${what}**: ${limit}`).join("\n")

const words = new Intl.ListFormat("en-GB")

const threadLimits = ({ at_once, first_only = [], max_items }: ThreadLimits) => {
  const options = words.format(first_only.map((name) => `\`${name}\``))
  return [
    `A thread has at most ${max_items} items, including the post itself${at_once === true ? ", which go out all at once or not at all" : ""}.`,
    `\`alt_text\` describes the media of the first item; the others use the descriptions stored with their media.`,
    ...(options === ""
      ? []
      : [`${options} ${first_only.length === 1 ? "belongs" : "belong"} to the first item only.`])
  ].join(" ")
}

/** The part of a platform's page about its rules. */
export const limitsAndOptions = (rules: PlatformRules): string =>
  [
    "Images are fitted (converted, scaled, compressed) unless `processing_enabled` is false. Videos are sent as they are, or converted if the operator has set `VIDEO_TRANSCODING`.",
    ...rules.placements.map(
      (placement) =>
        `${placement.name === "post" ? "### Every post" : `### ${placement.name}`}\n\n` +
        list(placementRows(placement))
    ),
    ...(rules.chains === undefined ? [] : [`### Threads\n\n${threadLimits(rules.chains)}`]),
    `### Options in \`platform_configurations.${rules.platform}\``,
    "No option is required, null means the same as leaving it out, and an entry in `account_configurations` sets it for one account.",
    table(["option", "value", "meaning"], optionRows(rules))
  ].join("\n\n")

const begin = ({ name }: PlatformRules) =>
  `# ${name}

**This release does not publish to ${name}.** No account can be connected yet. What follows is what posts are checked
against as soon as accounts can be.
`

/** Writes the part of every page that follows from the rules: \`npx node packages/testing/src/PlatformPages.ts\`. */
if (import.meta.main) {
  for (const rules of Object.values(platformRules)) {
    const page = pageOf(rules.platform)
    const text = existsSync(page) ? readFileSync(page, "utf8") : begin(rules)
    const [before, after = ""] = text.split(`${heading}\n`)
    const next = after.indexOf("\n## ")
    const rest = next === -1 ? "" : after.slice(next)
    writeFileSync(page, `${before!.trimEnd()}\n\n${heading}\n\n${limitsAndOptions(rules)}\n${rest}`)
  }
  execFileSync("oxfmt", [directory])
}
