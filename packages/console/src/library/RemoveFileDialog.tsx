import { CarillonError, type Media } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import { carillon } from "../data/api.ts"
import { mediaRemoved } from "../data/media.ts"
import { reasonOf } from "../data/reasonOf.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { toast } from "../ui/toasts.tsx"
import { words } from "../media/en.ts"
import { PostRows } from "./PostRows.tsx"

interface Props {
  readonly media: Media
  readonly onClose: () => void
  readonly onRemoved: () => void
}

/** The posts that a refusal names. */
const postsOf = (error: CarillonError) =>
  error.errors.flatMap(({ path }) => path.match(/^\/v1\/posts\/(.+)$/)?.[1] ?? [])

export const RemoveFileDialog = ({ media, onClose, onRemoved }: Props) => {
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => carillon.media.delete(media.id),
    onSuccess: () => {
      void mediaRemoved(media.id)
      toast({ icon: "trash", text: words.removing.deleted(media.name) })
      onRemoved()
    }
  })

  if (error instanceof CarillonError && error.code === "media_in_use") {
    const posts = postsOf(error)
    return (
      <Dialog title={words.removing.kept(media.name)} onClose={onClose}>
        {posts.length > 0 && (
          <>
            <p>{words.removing.neededBy}</p>
            <PostRows file={media.id} ids={posts} most={10} />
          </>
        )}
        {posts.length < error.errors.length && <p>{words.removing.others}</p>}
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
      {error !== null && (
        <p className="text-sm text-bad" role="alert">
          {reasonOf(error)}
        </p>
      )}
      <div className="actions">
        <Button autoFocus onPress={onClose}>
          {words.removing.keep}
        </Button>
        <Button look="danger" onPress={() => !isPending && mutate()}>
          {words.removing.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
