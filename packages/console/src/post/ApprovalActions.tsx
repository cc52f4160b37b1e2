import type { ApprovePost } from "@carillon/sdk"
import { useState } from "react"
import { useNow } from "../time/useNow.ts"
import { Button } from "../ui/Button.tsx"
import { approvalWords as words } from "./approvalWords.ts"
import { ApproveDialog } from "./ApproveDialog.tsx"
import { type HeldPost, needsTime } from "./needsTime.ts"
import { RefuseDialog } from "./RefuseDialog.tsx"
import { useDecide } from "./useDecide.ts"

export interface ApprovalActionsProps {
  readonly post: HeldPost
  readonly look: "main" | undefined
  /** Stores what is not stored yet, and answers with the version to decide about. */
  readonly latest?: (() => Promise<Pick<HeldPost, "version"> | null>) | undefined
  readonly onDecided?: (() => void) | undefined
}

/** Approve and refuse, with the questions that they need. */
export const ApprovalActions = ({ latest, look, onDecided, post }: ApprovalActionsProps) => {
  const [dialog, setDialog] = useState<"when" | "why" | null>(null)
  const close = () => setDialog(null)
  const { approve, busy, refuse } = useDecide(() => setDialog("when"), latest, onDecided)
  const onApprove = (when: ApprovePost) => {
    close()
    void approve(post, when)
  }
  const asks = needsTime(post, useNow(false))
  return (
    <>
      <Button
        look={look}
        isPending={busy === post.id}
        onPress={() => (asks ? setDialog("when") : onApprove({}))}
      >
        {asks ? words.approveWhen : words.approve}
      </Button>
      <Button onPress={() => setDialog("why")}>{words.refuse}</Button>
      {dialog === "when" && <ApproveDialog post={post} onApprove={onApprove} onClose={close} />}
      {dialog === "why" && (
        <RefuseDialog
          approval={post.approval}
          onRefuse={(reason) => {
            close()
            void refuse(post, reason)
          }}
          onClose={close}
        />
      )}
    </>
  )
}
