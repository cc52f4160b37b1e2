import type { MessageEntity } from "@carillon/domain"
import { createContext, useContext, useState } from "react"
import { less, more, ofText } from "./en.ts"
import { fold, type Limits } from "./fold.ts"
import { folds, type Look } from "./looks.ts"
import { formattedPieces, type Piece, piecesOf } from "./pieces.ts"

interface Props {
  readonly text: string
  readonly platform: string
  readonly look: Look
  readonly entities?: ReadonlyArray<MessageEntity>
  /** A name before the text. */
  readonly lead?: string | undefined
}

/** Folds texts that their network shows whole. */
export const FoldContext = createContext<Limits | undefined>(undefined)

const plain: ReadonlyArray<MessageEntity> = []

const linked = "text-link in-data-screen:font-semibold in-data-screen:text-inherit"

const looks: Readonly<Record<MessageEntity["type"], string>> = {
  bold: "font-semibold",
  italic: "italic",
  code: "font-mono whitespace-pre-wrap",
  pre: "font-mono whitespace-pre-wrap",
  blockquote: "bg-tint box-decoration-clone",
  text_link: ""
}

const lookOf = (kind: Piece["kind"], formats: NonNullable<Piece["formats"]>) =>
  [kind === "text" ? "" : linked, ...formats.map((format) => looks[format])].join(" ")

const opener = [
  "cursor-pointer border-0 bg-transparent p-0 text-soft hover:underline pointer-coarse:min-h-6",
  "in-data-screen:font-semibold in-data-screen:text-on-veil"
].join(" ")

/** A text as a network shows it, with coloured links and folded when long. */
export const PreviewText = ({ entities = plain, lead, look, platform, text }: Props) => {
  const [open, setOpen] = useState(false)
  const whole = useContext(FoldContext)
  const limits = folds[`${platform} ${look}`] ?? whole
  const head = limits === undefined ? null : fold(text, limits)
  const folded = head !== null && !open
  if (text.trim() === "" && lead === undefined) return null
  return (
    <p dir="auto" className="leading-writing whitespace-pre-line">
      {lead !== undefined && <strong>{lead} </strong>}
      {formattedPieces(piecesOf(folded ? head : text, platform), entities).map(
        ({ formats = [], kind, text: said }, index) =>
          kind === "text" && formats.length === 0 ? (
            said
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- the pieces have no other name than their place.
            <span key={index} className={lookOf(kind, formats)}>
              {said}
            </span>
          )
      )}
      {head !== null && (
        <>
          {folded ? "… " : " "}
          <button type="button" className={opener} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? less : more}
            <span className="unseen"> {ofText}</span>
          </button>
        </>
      )}
    </p>
  )
}
