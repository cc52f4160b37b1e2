import type { ReviewLink } from "@carillon/sdk"
import { useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { reviewLinksChanged, useReviewLinks } from "../data/clientReviews.ts"
import { useAct } from "../data/useAct.ts"
import { useNow } from "../time/useNow.ts"
import { Button } from "../ui/Button.tsx"
import { CopyField } from "../ui/CopyField.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { TextField } from "../ui/TextField.tsx"
import { clientWords as words } from "./clientWords.ts"
import { formatMoment } from "./formatMoment.ts"

interface Props {
  readonly postId: string
  readonly onClose: () => void
}

/** Makes links with which clients see the post and answer, and revokes them. */
export const AskClientDialog = ({ onClose, postId }: Props) => {
  const [name, setName] = useState("")
  const [made, setMade] = useState<string>()
  const { act, busy } = useAct()
  const links = useReviewLinks(postId)
  const changed = () => reviewLinksChanged(postId)
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void act("make", {
            do: async () => {
              const { url } = await carillon.clientReviews.createLink(postId, { name: name.trim() || null })
              setMade(url)
              setName("")
            },
            failed: words.failed,
            changed
          })
        }}
      >
        <p>{words.text}</p>
        {made !== undefined && (
          <div className="flex flex-col gap-1" role="status">
            <CopyField label={words.link} value={made} />
            <p className="text-xs text-soft">{words.once}</p>
          </div>
        )}
        <TextField
          label={words.name}
          help={words.nameHelp}
          value={name}
          onChange={(value) => setName(value.slice(0, 100))}
          autoFocus
        />
        <Loaded query={links} failed={words.notRead} rows={1} height={40}>
          {(found) =>
            found.length > 0 && (
              <section className="flex flex-col gap-1" aria-label={words.links}>
                <h3 className="text-sm">{words.links}</h3>
                <ul className="max-h-list divide-y divide-hair overflow-y-auto">
                  {found.map((link) => (
                    <Link
                      key={link.id}
                      link={link}
                      isBusy={busy === link.id}
                      onRevoke={() =>
                        void act(link.id, {
                          do: () => carillon.clientReviews.revokeLink(postId, link.id),
                          done: words.revoked,
                          failed: words.notRevoked,
                          changed
                        })
                      }
                    />
                  ))}
                </ul>
              </section>
            )
          }
        </Loaded>
        <div className="actions">
          <Button onPress={onClose}>{words.done}</Button>
          <Button look="main" type="submit" isPending={busy === "make"}>
            {words.make}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface LinkProps {
  readonly link: ReviewLink
  readonly isBusy: boolean
  readonly onRevoke: () => void
}

const Link = ({ isBusy, link, onRevoke }: LinkProps) => {
  const now = useNow(false)
  const at = (time: string) => formatMoment(time, now, workspace.timezone)
  const name = link.name ?? words.unnamed
  return (
    <li className="flex items-center gap-2 py-2 text-sm">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate">{name}</span>
        <small className="text-soft">
          {link.last_opened_at === null ? words.unopened : words.opened(at(link.last_opened_at))},{" "}
          {words.until(at(link.expires_at))}
        </small>
      </span>
      <Button aria-label={words.revokeLabel(name)} isPending={isBusy} onPress={onRevoke}>
        {words.revoke}
      </Button>
    </li>
  )
}
