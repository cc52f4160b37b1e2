import { withoutCharacterReferences } from "./CharacterReferences.ts"

/**
 * The letters and digits of a text, which are the same in what was sent and in what a server made of it: servers mark up
 * links and mentions, and some read Markdown.
 */
export const plainWords = (text: string, format: "html" | "plain" = "plain"): string => {
  const plain = format === "plain" ? text : withoutCharacterReferences(text.replaceAll(/<[^>]*>/g, ""))
  return (
    plain
      // A mention is shown without its server.
      .replaceAll(/(?<![\w/])@([\w.-]+)@[\w.-]+/g, "@$1")
      .normalize("NFKC")
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}]+/gu, "")
  )
}
