import type { Post } from "@carillon/sdk"
import { useState } from "react"
import { workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { approvalSentence } from "../post/approvalSentence.ts"
import { whoChanged } from "../post/whoChanged.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { diffWords, type Piece } from "./diffWords.ts"
import { words } from "./en.ts"
import { type Form, sameForm } from "./Form.ts"

interface Props {
  readonly mine: Form
  readonly theirs: Form
  /** The post at the service, which says who changed it and when. */
  readonly post: Post
  readonly onKeep: () => void
  readonly onUse: () => void
  readonly onNew: () => void
  readonly onClose: () => void
}

const Text = ({ pieces, title }: { readonly title: string; readonly pieces: ReadonlyArray<Piece> }) => (
  <section className="rounded-card border border-line px-4 py-3">
    <h3 className="pb-1 text-sm">{title}</h3>
    <p dir="auto" className="max-h-list overflow-auto text-sm whitespace-pre-wrap">
      {pieces.length === 0 && <em>{words.clash.noText}</em>}
      {pieces.map(({ differs, text }, index) => {
        const Part = differs ? "mark" : "span"
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text that changes no more.
          <Part key={index} className={differs ? differing : undefined}>
            {text}
          </Part>
        )
      })}
    </p>
  </section>
)

const differing = "rounded-tile bg-tint font-semibold text-brand underline underline-offset-4"

/** Lets a person choose between two versions of a post. */
export const ConflictDialog = ({ mine, onClose, onKeep, onNew, onUse, post, theirs }: Props) => {
  const [left, right] = diffWords(mine.caption, theirs.caption)
  const [now] = useState(Date.now)
  const others = !sameForm({ ...mine, caption: theirs.caption }, theirs)
  return (
    <Dialog title={words.clash.title} alert wide onClose={onClose}>
      <p>{whoChanged(post, { me: boot.member.name, now, zone: workspace.timezone })}.</p>
      {post.approval?.status === "waiting" && (
        <p>{approvalSentence({ ...post, approval: post.approval }, now, workspace.timezone)}</p>
      )}
      <div className="grid grid-cols-posts gap-3">
        <Text title={words.clash.mine} pieces={left} />
        <Text title={words.clash.theirs} pieces={right} />
      </div>
      {others && <p>{mine.caption === theirs.caption ? words.clash.onlyOthers : words.clash.others}</p>}
      <div className="actions">
        <Button look="quiet" onPress={onNew}>
          {words.clash.asNew}
        </Button>
        <Button onPress={onUse}>{words.clash.takeTheirs}</Button>
        <Button look="main" autoFocus onPress={onKeep}>
          {words.clash.keepMine}
        </Button>
      </div>
    </Dialog>
  )
}
