import { Suspense } from "react"
import { workspace } from "../data/api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { later } from "../ui/later.ts"
import type { Draft } from "./Draft.ts"
import { words } from "./en.ts"
import { fromPost } from "./Form.ts"
import type { DraftStore } from "./useDraft.ts"
import type { useSubmit } from "./useSubmit.ts"

const ConflictDialog = later(() => import("./ConflictDialog.tsx"), "ConflictDialog")

interface Props {
  readonly draft: Draft
  readonly store: DraftStore
  readonly submit: ReturnType<typeof useSubmit>
  readonly isRemoving: boolean
  readonly onRemoving: (removing: boolean) => void
}

/** The dialogs that need an answer before writing goes on. */
export const ComposerDialogs = ({ draft, isRemoving, onRemoving, store, submit }: Props) => {
  const { form, status } = draft
  const { blocker } = submit
  return (
    <>
      {status.is === "conflict" && (
        <Suspense>
          <ConflictDialog
            mine={form}
            theirs={fromPost(status.theirs, workspace.timezone)}
            post={status.theirs}
            onClose={() => {}}
            onKeep={submit.keepMine}
            onUse={() => store.resolve("theirs")}
            onNew={() => void submit.storeNew()}
          />
        </Suspense>
      )}
      {blocker.status === "blocked" && (
        <ConfirmDialog
          {...words.leaving}
          onStay={blocker.reset}
          onGo={() => {
            store.end()
            blocker.proceed()
          }}
        />
      )}
      {isRemoving && (
        <ConfirmDialog
          {...words.removing}
          onStay={() => onRemoving(false)}
          onGo={() => {
            onRemoving(false)
            void submit.remove()
          }}
        />
      )}
      {status.is === "signedOut" && (
        <Dialog title={words.signedOut.title} alert onClose={() => {}}>
          <p>{words.signedOut.text}</p>
          <div className="actions">
            <Button
              look="main"
              autoFocus
              onPress={() =>
                location.assign(
                  `/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`
                )
              }
            >
              {words.signedOut.confirm}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
