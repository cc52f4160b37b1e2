import { workspace } from "../data/api.ts"
import { useNow } from "../time/useNow.ts"
import { Icon } from "../ui/Icon.tsx"
import { ApprovalActions, type ApprovalActionsProps } from "./ApprovalActions.tsx"
import { approvalSentence } from "./approvalSentence.ts"
import "./HeldNote.css"

/** Says which app asks to publish a post, and lets a person decide. */
export const HeldNote = (props: Omit<ApprovalActionsProps, "look">) => (
  <div className="held-note" role="note">
    <Icon name="clock" />
    <p>{approvalSentence(props.post, useNow(false), workspace.timezone)}</p>
    <ApprovalActions {...props} look="main" />
  </div>
)
