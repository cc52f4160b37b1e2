/**
 * The letters and digits of a text, which are the same in what was sent and in what a server made of it: servers mark up
 * links and mentions, and some read Markdown.
 */
export const plainWords = (text: string, format: "html" | "plain" = "plain"): string => {
  const plain =
    format === "plain"
      ? text
      : text
          .replaceAll(/<[^>]*>/g, "")
          .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) =>
            decimal === undefined && hex === undefined
              ? (entities[name as string] ?? whole)
              : character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
          )
  return (
    plain
      // A mention is shown without its server.
      .replaceAll(/(?<![\w/])@([\w.-]+)@[\w.-]+/g, "@$1")
      .normalize("NFKC")
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}]+/gu, "")
  )
}

const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : "")

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " "
}
