import { CarillonError, type Media } from "@carillon/sdk"
import { useState } from "react"
import { carillon, signInAgain } from "../data/api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { toast } from "../ui/toasts.tsx"
import { words } from "../media/en.ts"
import { PostRows } from "./PostRows.tsx"
import { mediaRemoved } from "../data/media.ts"

interface Props {
  readonly media: Media
  readonly onClose: () => void
  readonly onRemoved: () => void
}

/** The posts that a refusal names. */
const postsOf = (error: CarillonError) =>
  error.errors.flatMap(({ path }) => path.match(/^\/v1\/posts\/(.+)$/)?.[1] ?? [])

export const RemoveFileDialog = ({ media, onClose, onRemoved }: Props) => {
  const [kept, setKept] = useState<CarillonError | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const remove = async () => {
    if (busy) return
    setBusy(true)
    try {
      await carillon.media.delete(media.id)
      void mediaRemoved(media.id)
      toast({ icon: "trash", text: words.removing.deleted(media.name) })
      onRemoved()
    } catch (error) {
      signInAgain(error)
      if (error instanceof CarillonError && error.code === "media_in_use") setKept(error)
      else setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }

  if (kept !== null) {
    const posts = postsOf(kept)
    return (
      <Dialog title={words.removing.kept(media.name)} onClose={onClose}>
        {posts.length > 0 && (
          <>
            <p>{words.removing.neededBy}</p>
            <PostRows file={media.id} ids={posts} most={10} />
          </>
        )}
        {posts.length < kept.errors.length && <p>{words.removing.others}</p>}
        <div className="actions">
          <Button autoFocus onPress={onClose}>
            {words.removing.close}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog alert title={words.removing.title(media.name)} onClose={onClose}>
      <p>{words.removing.text}</p>
      {problem !== null && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      <div className="actions">
        <Button autoFocus onPress={onClose}>
          {words.removing.keep}
        </Button>
        <Button look="danger" onPress={() => void remove()}>
          {words.removing.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
