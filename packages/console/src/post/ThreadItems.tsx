import type { PostResult } from "@carillon/sdk"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { resultWords as words } from "./resultWords.ts"

type Item = NonNullable<PostResult["items"]>[number]

const signs: Readonly<Record<Item["status"], IconName>> = {
  published: "check",
  failed: "cross",
  unconfirmed: "question",
  publishing: "bell",
  waiting: "clock"
}

/** Items after a failed one are never sent. */
const stateOf = ({ error, status }: Item) =>
  status === "failed" && error === null ? words.items.notSent : words.items[status]

/** The posts of a thread, each with its link or state. */
export const ThreadItems = ({
  items,
  sent
}: {
  readonly items: ReadonlyArray<Item>
  readonly sent: ReadonlyArray<string>
}) => (
  <ol className="thread-items">
    {items.map((item) => {
      const { index, platform_data, status } = item
      return (
        <li key={index} className={status} data-item={index} data-status={status}>
          <span className="sign" aria-hidden="true">
            <Icon name={signs[status]} />
          </span>
          <span className="words">{sent[index] || words.sent.noText}</span>
          {platform_data?.url ? (
            <a href={platform_data.url} target="_blank" rel="noreferrer">
              <span aria-hidden="true">{words.open}</span>
              <span className="unseen">
                {words.items.open(index + 1)}, {words.newTab}
              </span>
            </a>
          ) : (
            <span className="so">{stateOf(item)}</span>
          )}
        </li>
      )
    })}
  </ol>
)
