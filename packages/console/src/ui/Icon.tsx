import sprite from "./icons.svg?url&no-inline"

export type IconName =
  | "left"
  | "right"
  | "down"
  | "check"
  | "cross"
  | "question"
  | "bell"
  | "globe"
  | "calendar"
  | "trash"
  | "picture"
  | "warning"
  | "refresh"
  | "offline"
  | "more"
  | "plus"
  | "pencil"
  | "copy"
  | "link"
  | "upload"
  | "search"
  | "clock"
  | "queue"
  | "activity"
  | "accounts"
  | "bolt"
  | "arrow"
  | "eye"
  | "heart"
  | "comment"
  | "send"
  | "bookmark"
  | "repeat"
  | "play"
  | "monitor"

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" aria-hidden="true">
    <use href={`${sprite}#${name}`} />
  </svg>
)
