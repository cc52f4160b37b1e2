import { LinkCard } from "./LinkCard.tsx"

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const textIn = (button: unknown) =>
  typeof button === "object" && button !== null && "text" in button ? String(button.text) : ""

/** The buttons below a message of Telegram. */
export const LinkButtons = ({ rows }: { readonly rows: unknown }) =>
  listOf(rows).map((row, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- two rows may be alike.
    <span key={index} className="flex flex-wrap gap-2">
      {listOf(row).map((button, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- two buttons may be alike.
        <LinkCard key={place}>{textIn(button)}</LinkCard>
      ))}
    </span>
  ))
