import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { workspace } from "../data/api.ts"
import { reconnectPath } from "../post/reconnectPath.ts"
import { repairPath, duplicatePath } from "../post/editPath.ts"
import type { OpenDialog } from "../post/useAnswering.tsx"
import { formatMoment } from "../post/formatMoment.ts"
import { profileAddress, saidBy, titleOf } from "../post/resultRows.ts"
import { repairWords } from "../post/stateWords.ts"
import type { useAnswers } from "../post/useAnswers.ts"
import { resultWords } from "../post/resultWords.ts"
import { Button } from "../ui/Button.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { networkName } from "../data/networkName.ts"
import { RoomAnchor } from "../ui/RoomAnchor.tsx"
import { useInstance } from "../data/instance.ts"
import { words } from "./en.ts"
import { dismissResults } from "./dismissResults.ts"
import type { Cause, Hanging } from "./causesOf.ts"

const nameOf = (text: string | null | undefined) => titleOf(text ?? null, 60) || words.noText

/** The sentence of a cause, and the line below it. */
export const saying = (cause: Cause, now: number): readonly [title: string, text: string] => {
  const zone = workspace.timezone
  const when = (at: string) => formatMoment(at, now, zone)
  switch (cause.kind) {
    case "reconnect": {
      const { account, failed, fate, next, total } = cause
      const network = networkName(account)
      const lines = [
        ...(total > 0 && next !== null ? [words.reconnect[fate](total, when(next))] : []),
        ...(failed > 0 ? [words.reconnect.failed(failed)] : [])
      ]
      return [
        account.status === "disconnected"
          ? words.reconnect.gone(network, account.name)
          : words.reconnect.title(network, account.name),
        lines.length === 0 ? words.reconnect.none : lines.join(" ")
      ]
    }
    case "doubt":
      return [
        words.doubt.title(networkName(cause.account), cause.account.name, nameOf(cause.posts[0]?.text)),
        words.doubt.text(when(cause.at))
      ]
    case "restored": {
      const { account, posts } = cause
      return [words.restored.title(networkName(account), account.name, posts.length), words.restored.text]
    }
    case "failed": {
      const { accounts, posts, result } = cause
      const network = networkName(accounts[0]!)
      const message = result.error?.message ?? ""
      const said = saidBy(message)
      return [
        result.failed_items
          ? words.failed.broken(network, nameOf(posts[0]!.text))
          : cause.act === "rewrite"
            ? words.failed.rejected(network, nameOf(posts[0]!.text))
            : posts.length > 1
              ? words.failed.posts(network, accounts[0]!.name, posts.length)
              : accounts.length > 1
                ? words.failed.several(accounts.map(({ name }) => name).join(", "), nameOf(posts[0]!.text))
                : words.failed.one(network, nameOf(posts[0]!.text)),
        cause.act === "rewrite"
          ? resultWords.why.rejected(network, result.platform_data?.review_reason ?? null)
          : cause.act === "repair"
            ? repairWords(result)
            : cause.act === "sendAgain"
              ? resultWords.why.notLive
              : said === null
                ? message
                : `“${said}”`
      ]
    }
    case "ends":
      return [words.ends.title(networkName(cause.account), cause.account.name, cause.days), words.ends.text]
    case "approvals": {
      const { approval, created_at, scheduled_at } = cause.first
      return [
        words.approvals.title(cause.total),
        words.approvals.text(approval?.app ?? "", when(scheduled_at ?? created_at))
      ]
    }
  }
}

const signs: Readonly<Record<Cause["kind"], IconName>> = {
  reconnect: "cross",
  doubt: "question",
  restored: "question",
  failed: "cross",
  ends: "clock",
  approvals: "clock"
}

const mostCards = 3

const Cards = ({ more, posts }: { readonly posts: ReadonlyArray<Hanging>; readonly more: number }) => (
  <ul className="cards">
    {posts.slice(0, mostCards).map(({ id, picture, text }) => (
      <li key={id}>
        <Link to="/posts/$id" params={{ id }} className="post-chip">
          {picture === null ? null : <img src={picture} alt="" width={28} height={28} loading="lazy" />}
          <span>{nameOf(text)}</span>
        </Link>
      </li>
    ))}
    {more > 0 && <li className="more">{words.andMore(more)}</li>}
  </ul>
)

interface Props {
  readonly cause: Cause
  readonly now: number
  readonly first: boolean
  readonly leaving: boolean
  readonly rooms: { readonly compose: boolean; readonly accounts: boolean }
  readonly answers: ReturnType<typeof useAnswers>
  readonly onAsk: (asked: OpenDialog) => void
}

/** One cause, what hangs on it, and the one thing to do. */
export const CauseRow = ({ answers, cause, first, leaving, now, onAsk, rooms }: Props) => {
  const testNetwork = useInstance()?.test_network_url ?? null
  const [title, text] = saying(cause, now)
  const id = `cause-${cause.key}`
  const look = first ? ("main" as const) : undefined
  const total = cause.kind === "reconnect" ? Math.max(cause.total, cause.posts.length) : cause.posts.length
  return (
    <li
      className={`cause ${cause.kind}`}
      data-cause={cause.key}
      data-leaving={leaving || undefined}
      inert={leaving}
      tabIndex={-1}
      aria-labelledby={id}
    >
      <div className="inner">
        <span className="sign" aria-hidden="true">
          <Icon name={signs[cause.kind]} />
        </span>
        <div className="told">
          <h3 id={id}>{title}</h3>
          <p>{text}</p>
          {(cause.kind === "reconnect" || cause.kind === "restored" || cause.posts.length > 1) &&
            total > 0 && <Cards posts={cause.posts} more={total - Math.min(mostCards, cause.posts.length)} />}
        </div>
        <div className="does">
          {deeds({ answers, cause, look, onAsk, rooms, testNetwork })}
          {cause.kind === "failed" && (
            <Button
              square
              look="quiet"
              aria-label={words.failed.leave}
              onPress={() => void dismissResults(cause.results)}
            >
              <Icon name="cross" />
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

const deeds = ({
  answers,
  cause,
  look,
  onAsk,
  rooms,
  testNetwork
}: Pick<Props, "answers" | "cause" | "onAsk" | "rooms"> & {
  readonly look: "main" | undefined
  readonly testNetwork: string | null
}): ReactNode => {
  const className = `button ${look ?? ""}`
  switch (cause.kind) {
    case "reconnect":
    case "ends":
      return (
        rooms.accounts && (
          <RoomAnchor className={className} to={reconnectPath(cause.account.id)}>
            {words.reconnect.act}
          </RoomAnchor>
        )
      )
    case "doubt": {
      const { account, result } = cause
      const { name } = account
      const profile = profileAddress(account, testNetwork)
      const busy = answers.busy === result.id
      return (
        <>
          {profile !== null && (
            <a className="button quiet" href={profile} target="_blank" rel="noreferrer">
              {words.doubt.look}
              <span className="unseen">
                {" "}
                {name}, {resultWords.newTab}
              </span>
              <Icon name="link" />
            </a>
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
      if (act === "edit" && rooms.compose)
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
            <Link className="button quiet" to="/posts/$id" params={{ id: result.post_id }}>
              {words.failed.details}
            </Link>
            {rooms.compose && (
              <RoomAnchor
                className={className}
                to={duplicatePath(
                  result.post_id,
                  accounts.map(({ id }) => id)
                )}
              >
                {resultWords.act.rewrite}
              </RoomAnchor>
            )}
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
    case "approvals":
      return (
        <a className={className} href="/approvals">
          {words.approvals.act}
        </a>
      )
  }
}
