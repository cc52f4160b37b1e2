import type { ReactNode } from "react"
import { Icon } from "../ui/Icon.tsx"
import type { PostState } from "./PostState.ts"
import { StateSign } from "./StateSign.tsx"

/** A word in a chip; a line of a list; two lines with what there is to say about the post. */
type Size = "small" | "medium" | "large"

interface Look {
  readonly line: string
  readonly picture: string
  readonly words?: string
  readonly text?: string
  readonly detail?: string
  readonly accounts?: string
}

const looks: Readonly<Record<Size, Look>> = {
  small: { line: "gap-2 text-xs", picture: "size-6" },
  medium: {
    line: "min-h-touch gap-3 text-sm",
    picture: "size-8",
    words: "gap-1 max-sm:flex-col max-sm:gap-0",
    text: "font-semibold",
    detail: "flex-none",
    accounts: "max-sm:hidden"
  },
  large: {
    line: "min-h-touch gap-3 text-sm",
    picture: "size-8",
    words: "flex-col",
    detail: "flex items-center gap-1 text-xs text-soft"
  }
}

/** Two strokes stand for a post that is only text. */
const Picture = ({ look, url }: { readonly look: string; readonly url: string | null }) => (
  <span
    className={`grid flex-none place-items-center overflow-hidden rounded-tile bg-sunk text-edge ${look}`}
  >
    {url === null ? (
      <Icon name="text" />
    ) : (
      <img src={url} alt="" loading="lazy" draggable={false} className="size-full object-cover" />
    )}
  </span>
)

interface Props {
  readonly size: Size
  /** Its caption, or as much of it as there is space for. */
  readonly text: ReactNode
  /** What is said about it. It is never cut off. */
  readonly detail?: ReactNode
  readonly time?: ReactNode
  readonly state?: PostState
  /** The address of its picture; `null` for a post that has none. */
  readonly picture?: string | null
  /** Whom it goes to. */
  readonly accounts?: ReactNode
}

/** A post in a line, in every list. The caller makes it a link, a button, or something to drag. */
export const PostLine = ({ accounts, detail, picture, size, state, text, time }: Props) => {
  const look = looks[size]
  return (
    <span className={`flex min-w-0 flex-1 items-center ${look.line}`}>
      {time !== undefined && <span className="flex-none text-soft">{time}</span>}
      {state !== undefined && <StateSign state={state} />}
      {picture !== undefined && <Picture look={look.picture} url={picture} />}
      <span className={`flex min-w-0 flex-1 ${look.words ?? ""}`}>
        <span dir="auto" className={`truncate ${look.text ?? ""}`}>
          {text}
        </span>
        {detail !== undefined && <span className={look.detail}>{detail}</span>}
      </span>
      {accounts !== undefined && <span className={look.accounts}>{accounts}</span>}
    </span>
  )
}
