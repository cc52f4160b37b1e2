import { workspace } from "../data/api.ts"
import { useNow } from "../time/useNow.ts"
import { ApprovalActions, type ApprovalActionsProps } from "./ApprovalActions.tsx"
import { approvalSentence } from "./approvalSentence.ts"
import { StateSign } from "./StateSign.tsx"

/** Says who asks to publish a post, and lets a person decide. */
export const HeldNote = (props: Omit<ApprovalActionsProps, "look">) => (
  <div className="flex flex-wrap items-center gap-2 rounded-control bg-tint px-3 py-2 text-sm" role="note">
    <StateSign state="approval" />
    <p className="min-w-48 flex-1">{approvalSentence(props.post, useNow(false), workspace.timezone)}</p>
    <ApprovalActions {...props} look="main" />
  </div>
)
