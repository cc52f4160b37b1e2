import { Link } from "@tanstack/react-router"
import { useInstance } from "../data/instance.ts"
import { ApprovalActions } from "../post/ApprovalActions.tsx"
import { approvalWords } from "../post/approvalWords.ts"
import { duplicatePath, repairPath } from "../post/editPath.ts"
import { reconnectPath } from "../post/reconnectPath.ts"
import { profileAddress } from "../post/resultRows.ts"
import { resultWords } from "../post/resultWords.ts"
import type { useAnswers } from "../post/useAnswers.ts"
import type { OpenDialog } from "../post/useAnswering.tsx"
import { Button, buttonClass } from "../ui/Button.tsx"
import { ExternalLink } from "../ui/ExternalLink.tsx"
import { Icon } from "../ui/Icon.tsx"
import { RoomAnchor } from "../ui/RoomAnchor.tsx"
import type { Cause } from "./causesOf.ts"
import { words } from "./en.ts"

export interface CauseActionsProps {
  readonly cause: Cause
  readonly look: "main" | undefined
  readonly answers: ReturnType<typeof useAnswers>
  readonly onAsk: (dialog: OpenDialog) => void
}

/** What a person can do about a cause. */
export const CauseActions = ({ answers, cause, look, onAsk }: CauseActionsProps) => {
  const testNetwork = useInstance()?.test_network_url ?? null
  const className = buttonClass(look)
  switch (cause.kind) {
    case "reconnect":
    case "ends":
      return (
        <RoomAnchor className={className} to={reconnectPath(cause.account.id)}>
          {words.reconnect.act}
        </RoomAnchor>
      )
    case "doubt": {
      const { account, result } = cause
      const { name } = account
      const profile = profileAddress(account, testNetwork)
      const busy = answers.busy === result.id
      return (
        <>
          {profile !== null && (
            <ExternalLink className={buttonClass("quiet")} href={profile}>
              {words.doubt.look}
              <span className="unseen"> {name}</span>
              <Icon name="link" />
            </ExternalLink>
          )}
          <Button isPending={busy} onPress={() => onAsk({ dialog: "live", result, name })}>
            {resultWords.act.live}
          </Button>
          <Button isPending={busy} onPress={() => onAsk({ dialog: "again", result, name })}>
            {resultWords.act.notLive}
          </Button>
        </>
      )
    }
    case "restored":
      return (
        <Link className={className} to="/posts/$id" params={{ id: cause.result.post_id }}>
          {words.restored.act}
        </Link>
      )
    case "failed": {
      const { accounts, act, posts, result } = cause
      const { name } = accounts[0]!
      if (act === "edit")
        return (
          <RoomAnchor
            className={className}
            to={repairPath(
              result.post_id,
              result.id,
              accounts.map(({ id }) => id)
            )}
          >
            {words.failed.edit}
          </RoomAnchor>
        )
      if (act === "repair")
        return (
          <Link className={className} to="/posts/$id" params={{ id: result.open_repair!.post_id }}>
            {resultWords.act.repair}
          </Link>
        )
      if (act === "rewrite")
        return (
          <>
            <Link className={buttonClass("quiet")} to="/posts/$id" params={{ id: result.post_id }}>
              {words.failed.details}
            </Link>
            <RoomAnchor
              className={className}
              to={duplicatePath(
                result.post_id,
                accounts.map(({ id }) => id)
              )}
            >
              {resultWords.act.rewrite}
            </RoomAnchor>
          </>
        )
      if (act === "sendAgain")
        return (
          <Button onPress={() => onAsk({ dialog: "again", result, name })}>{words.failed.sendAgain}</Button>
        )
      if (act === "copy")
        return (
          <Link className={className} to="/posts/$id" params={{ id: result.post_id }}>
            {words.failed.details}
          </Link>
        )
      return (
        <Button
          look={look}
          isPending={answers.busy === cause.key}
          onPress={() =>
            void answers.retry(
              posts.map(({ id }) => id),
              cause.key,
              accounts.map(({ id }) => id)
            )
          }
        >
          {result.failed_items
            ? resultWords.act.goOn
            : posts.length > 1
              ? words.failed.allAgain
              : words.failed.again}
        </Button>
      )
    }
    case "approval": {
      const { post } = cause
      return (
        <>
          <Link className={buttonClass("quiet")} to="/posts/$id" params={{ id: post.id }}>
            {approvalWords.look}
          </Link>
          <ApprovalActions post={post} look={look} />
        </>
      )
    }
    case "approvals":
      return (
        <a className={className} href="/approvals">
          {words.approvals.act}
        </a>
      )
  }
}
