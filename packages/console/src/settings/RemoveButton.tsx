import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"

interface Props {
  readonly label: string
  readonly title: string
  readonly text: string
  readonly go: string
  readonly isPending: boolean
  readonly onGo: () => void
}

/** Removes what its row is about, after a question. */
export const RemoveButton = ({ go, isPending, label, onGo, text, title }: Props) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="quiet" square aria-label={label} isPending={isPending} onPress={() => setAsking(true)}>
        <Icon name="trash" />
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={title}
          text={text}
          go={go}
          stay={words.cancel}
          onStay={() => setAsking(false)}
          onGo={() => {
            setAsking(false)
            onGo()
          }}
        />
      )}
    </>
  )
}
