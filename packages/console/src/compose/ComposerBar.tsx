import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, Suspense, useState } from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { clientWords } from "../post/clientWords.ts"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { later } from "../ui/later.ts"
import { useNarrow } from "../ui/useNarrow.ts"
import { words } from "./en.ts"
import type { Status } from "./Draft.ts"
import { useFocusFields } from "./focusFields.ts"
import { clockOf } from "./zoned.ts"

const AskClientDialog = later(() => import("../post/AskClientDialog.tsx"), "AskClientDialog")

interface Props {
  readonly isNew: boolean
  readonly isRepair: boolean
  readonly isDraft: boolean
  readonly isSaved: boolean
  readonly status: Status
  /** undefined: it is not stored yet. */
  readonly id: string | undefined
  readonly onKeepDraft: () => void
  readonly onRemove: () => void
}

/** The title, whether the post is saved, and further actions. */
export const ComposerBar = ({
  id,
  isDraft,
  isNew,
  isRepair,
  isSaved,
  onKeepDraft,
  onRemove,
  status
}: Props) => {
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const [isAsking, setAsking] = useState(false)
  const fields = useFocusFields()
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2" data-bar>
      <Button square look="quiet" aria-label={words.back} onPress={() => void navigate({ to: "/" })}>
        <Icon name="left" />
      </Button>
      <h1 className="min-w-0 outline-none max-md:text-lg" tabIndex={-1} ref={fields.register("title")}>
        {isRepair ? words.repair.title : isNew ? words.newPost : words.editPost}
      </h1>
      <span
        className={`rounded-control px-2 text-xs ${isDraft ? "bg-sunk text-soft" : "bg-wait-tint text-wait"}`}
        data-state={isDraft ? "draft" : "planned"}
      >
        {isDraft ? words.draft : words.scheduled}
      </span>
      <span
        className="inline-flex items-center gap-1 text-xs text-soft tabular-nums"
        data-saved
        aria-live="polite"
      >
        {savedWords(status, isSaved)}
      </span>
      <div className="ms-auto">
        {(id !== undefined || isNarrow) && (
          <MenuTrigger>
            <AriaButton className={`${buttonClass("quiet")} square`} aria-label={words.more}>
              <Icon name="more" />
            </AriaButton>
            <Popover className="popover" placement="bottom end">
              <Menu className="menu" aria-label={words.more}>
                {isNarrow && (
                  <MenuItem className="entry" onAction={onKeepDraft}>
                    <Icon name="pencil" />
                    {isDraft ? words.send.keepDraft : words.send.makeDraft}
                  </MenuItem>
                )}
                {id !== undefined && (
                  <MenuItem
                    className="entry"
                    onAction={() => void navigate({ to: "/compose", search: { from: id } })}
                  >
                    <Icon name="copy" />
                    {words.duplicate}
                  </MenuItem>
                )}
                {id !== undefined && (
                  <MenuItem className="entry" onAction={() => setAsking(true)}>
                    <Icon name="comment" />
                    {clientWords.ask}
                  </MenuItem>
                )}
                {id !== undefined && (
                  <MenuItem className="entry danger" onAction={onRemove}>
                    <Icon name="trash" />
                    {words.remove}
                  </MenuItem>
                )}
              </Menu>
            </Popover>
          </MenuTrigger>
        )}
      </div>
      {isAsking && id !== undefined && (
        <Suspense>
          <AskClientDialog postId={id} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  )
}

const savedWords = (status: Status, isSaved: boolean): ReactNode => {
  switch (status.is) {
    case "saving":
      return words.saving
    case "offline":
    case "signedOut":
      return (
        <>
          <Icon name="offline" /> {words.keptHere}
        </>
      )
    case "refused":
      return (
        <span className="text-bad">
          <Icon name="warning" /> {words.notSaved}
        </span>
      )
    case "saved":
      return isSaved ? (
        <>
          <Icon name="check" /> {words.saved(clockOf(status.at))}
        </>
      ) : (
        words.saving
      )
    case "idle":
    case "conflict":
    case "gone":
    case "ended":
      return null
  }
}
