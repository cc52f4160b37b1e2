/** The text of HTML, with the characters that its references stand for. A name that is not among these stays as it is. */
export const withoutCharacterReferences = (html: string): string =>
  html.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return characters[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ""
    }
  )

const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " "
}
