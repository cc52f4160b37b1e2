import glyphs from "./glyphs.svg?url&no-inline"

/** The sign of a network. It is decoration: the name stands beside it, or is in the accessible name. */
export const Glyph = ({
  large = false,
  platform
}: {
  readonly platform: string
  readonly large?: boolean
}) => (
  <svg className={large ? "glyph large" : "glyph"} aria-hidden="true">
    <use href={`${glyphs}#${platform}`} />
  </svg>
)
