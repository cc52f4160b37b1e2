import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useNarrow } from "../ui/useNarrow.ts"
import { words } from "./en.ts"
import type { Saving } from "./useSession.ts"
import { clockOf } from "./zoned.ts"

interface Props {
  readonly isNew: boolean
  readonly isRepair: boolean
  readonly isDraft: boolean
  readonly isSaved: boolean
  readonly saving: Saving
  /** undefined: it is not stored yet. */
  readonly id: string | undefined
  readonly onKeepDraft: () => void
  readonly onRemove: () => void
}

/** What is being written, whether it is saved, and what else can be done with it. */
export const ComposerBar = ({
  id,
  isDraft,
  isNew,
  isRepair,
  isSaved,
  onKeepDraft,
  onRemove,
  saving
}: Props) => {
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  return (
    <div className="bar">
      <Button square look="quiet" aria-label={words.back} onPress={() => void navigate({ to: "/" })}>
        <Icon name="left" />
      </Button>
      <h1 tabIndex={-1}>{isRepair ? words.repair.title : isNew ? words.newPost : words.editPost}</h1>
      <span className={isDraft ? "state draft" : "state planned"}>
        {isDraft ? words.draft : words.planned}
      </span>
      <span className="saved" aria-live="polite">
        {savedWords(saving, isSaved)}
      </span>
      <div className="end">
        {(id !== undefined || isNarrow) && (
          <MenuTrigger>
            <AriaButton className="button quiet square" aria-label={words.more}>
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
    </div>
  )
}

const savedWords = (saving: Saving, isSaved: boolean): ReactNode => {
  switch (saving.kind) {
    case "saving":
      return words.saving
    case "offline":
      return (
        <>
          <Icon name="offline" /> {words.keptHere}
        </>
      )
    case "refused":
      return (
        <span className="bad">
          <Icon name="warning" /> {words.notSaved}
        </span>
      )
    case "saved":
      return isSaved ? (
        <>
          <Icon name="check" /> {words.saved(clockOf(saving.at))}
        </>
      ) : (
        words.saving
      )
    case "none":
      return null
  }
}
