import type { PostResult } from "@carillon/sdk"
import { ExternalLink } from "../ui/ExternalLink.tsx"
import type { RowState } from "./resultRows.ts"
import { resultWords as words } from "./resultWords.ts"
import { stateColors } from "./stateColors.ts"
import { StateSign } from "./StateSign.tsx"

type Item = NonNullable<PostResult["items"]>[number]

const states: Readonly<Record<Item["status"], RowState>> = {
  published: "live",
  failed: "failed",
  unconfirmed: "doubt",
  publishing: "going",
  waiting: "waiting"
}

/** Items after a failed one are never sent. */
const wordsOf = ({ error, status }: Item) =>
  status === "failed" && error === null ? words.items.notSent : words.items[status]

interface Props {
  readonly items: ReadonlyArray<Item>
  readonly sent: ReadonlyArray<string>
}

/** The posts of a thread, each with its link or state. */
export const ThreadItems = ({ items, sent }: Props) => (
  <ol className="flex flex-col text-sm">
    {items.map((item) => {
      const { index, platform_data, status } = item
      const state = states[status]
      return (
        <li key={index} className="flex min-h-6 items-center gap-2" data-item={index} data-status={status}>
          <StateSign state={state} />
          <span className="truncate">{sent[index] || words.sent.noText}</span>
          {platform_data?.url ? (
            <ExternalLink className="flex min-h-6 flex-none items-center" href={platform_data.url}>
              <span aria-hidden="true">{words.open}</span>
              <span className="unseen">{words.items.open(index + 1)}</span>
            </ExternalLink>
          ) : (
            <span className={`flex-none ${stateColors[state]}`}>{wordsOf(item)}</span>
          )}
        </li>
      )
    })}
  </ol>
)
