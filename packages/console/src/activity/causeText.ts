import { networkName } from "../data/networkName.ts"
import { approvalSentence } from "../post/approvalSentence.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { saidBy, titleOf } from "../post/resultRows.ts"
import { resultWords } from "../post/resultWords.ts"
import { repairWords } from "../post/stateWords.ts"
import type { Cause } from "./causesOf.ts"
import { words } from "./en.ts"

export const nameOf = (text: string | null | undefined) => titleOf(text ?? null, 60) || words.noText

/** The heading of a cause, and the line below it. */
export const causeText = (
  cause: Cause,
  now: number,
  zone: string
): readonly [title: string, text: string] => {
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
    case "approval": {
      const { post } = cause
      return [words.approval.title(nameOf(post.caption)), approvalSentence(post, now, zone)]
    }
    case "approvals":
      return [words.approvals.title(cause.total), words.approvals.text]
  }
}
