import { CarillonError, type Media, NotFoundError } from "@carillon/sdk"
import { useRef, useState } from "react"
import { carillon, signInAgain } from "../data/api.ts"
import { mediaRemoved } from "../data/media.ts"
import { reasonOf } from "../data/reasonOf.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { toast } from "../ui/toast.ts"
import { words } from "../media/en.ts"
import { PostRows } from "./PostRows.tsx"

interface Props {
  readonly files: ReadonlyArray<Media>
  readonly onClose: () => void
  /** What could be removed is gone, and no question is left. */
  readonly onRemoved: () => void
}

interface Refusal {
  readonly file: Media
  readonly error: CarillonError
}

/** The posts that a refusal names. */
const postsOf = ({ error }: Refusal) =>
  error.errors.flatMap(({ path }) => path.match(/^\/v1\/posts\/(.+)$/)?.[1] ?? [])

/** Removes one file; a refusal says which posts need it. */
const remove = async (file: Media): Promise<Refusal | null> => {
  try {
    await carillon.media.delete(file.id)
  } catch (error) {
    if (error instanceof CarillonError && error.code === "media_in_use") return { file, error }
    if (!(error instanceof NotFoundError)) throw error
  }
  return null
}

/** Asks once, then removes one file after the other. What a scheduled post needs stays. */
export const RemoveFilesDialog = ({ files, onClose, onRemoved }: Props) => {
  const [left, setLeft] = useState(files)
  const [refusals, setRefusals] = useState<ReadonlyArray<Refusal>>([])
  const [done, setDone] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const isStopped = useRef(false)

  const removeAll = async () => {
    setError(null)
    const removed: Array<Media> = []
    const refused = [...refusals]
    let failure: unknown = null
    for (const file of left) {
      if (isStopped.current) break
      setDone(removed.length)
      try {
        const refusal = await remove(file)
        if (refusal === null) removed.push(file)
        else refused.push(refusal)
      } catch (thrown) {
        failure = thrown
        break
      }
    }
    void mediaRemoved(removed.map(({ id }) => id))
    if (signInAgain(failure)) return
    const isOver = failure === null && (isStopped.current || refused.length === 0)
    if (removed.length > 0 && failure === null)
      toast({ icon: "trash", text: words.removing.deleted(removed) })
    if (isOver) return onRemoved()
    const settled = new Set([...removed, ...refused.map(({ file }) => file)])
    setDone(null)
    setError(failure)
    setRefusals(refused)
    setLeft(left.filter((file) => !settled.has(file)))
  }

  const stay = () => {
    isStopped.current = true
    onClose()
  }

  if (left.length === 0)
    return (
      <Dialog title={words.removing.kept(refusals.map(({ file }) => file))} onClose={onClose}>
        <p>{words.removing.neededBy}</p>
        {refusals.slice(0, mostShown).map((refusal) => (
          <Needed key={refusal.file.id} refusal={refusal} isOne={refusals.length === 1} />
        ))}
        {refusals.length > mostShown && (
          <p className="text-xs text-soft">{words.drawer.morePosts(refusals.length - mostShown)}</p>
        )}
        <div className="actions">
          <Button autoFocus onPress={onClose}>
            {words.removing.close}
          </Button>
        </div>
      </Dialog>
    )
  const used = left.filter(({ used_by }) => used_by.length > 0).length
  return (
    <Dialog alert title={words.removing.title(left)} onClose={stay}>
      <p>{words.removing.text(files.length === 1)}</p>
      {files.length > 1 && used > 0 && <p>{words.removing.used(used)}</p>}
      {error !== null && (
        <p className="text-sm text-bad" role="alert">
          {reasonOf(error)}
        </p>
      )}
      <div className="actions">
        <Button autoFocus onPress={stay}>
          {done === null || files.length === 1
            ? words.removing.keep(files.length === 1)
            : words.removing.stop}
        </Button>
        <Button look="danger" onPress={() => done === null && void removeAll()}>
          {done === null || files.length === 1
            ? words.removing.confirm
            : words.removing.busy(done, left.length)}
        </Button>
      </div>
    </Dialog>
  )
}

const mostShown = 10

/** A file that stays, and posts that need it. */
const Needed = ({ isOne, refusal }: { readonly refusal: Refusal; readonly isOne: boolean }) => {
  const posts = postsOf(refusal)
  return (
    <section>
      {!isOne && <h3 className="truncate text-sm">{refusal.file.name}</h3>}
      {posts.length > 0 && <PostRows file={refusal.file.id} ids={posts} most={isOne ? mostShown : 2} />}
      {posts.length < refusal.error.errors.length && <p>{words.removing.others}</p>}
    </section>
  )
}
