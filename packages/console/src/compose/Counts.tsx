import { platformName } from "@carillon/domain/PlatformFacts"
import { Glyph } from "../ui/Glyph.tsx"
import type { Counter } from "./counters.ts"
import { words } from "./en.ts"

const number = (value: number) => value.toLocaleString("en")

const leftOf = ({ most, value }: Counter) =>
  value > most ? words.over(number(value - most)) : words.left(number(most - value))

const Count = ({ counter }: { readonly counter: Counter }) => {
  const { account, links, most, own, platform, tags, value } = counter
  return (
    <li className={value > most ? `${line} font-semibold text-bad` : `${line} text-soft`}>
      <Glyph platform={platform} />
      <span className="unseen">{platformName(platform)}</span>
      {account !== undefined && <span className="max-w-chip truncate">{account}</span>}
      <span className="tabular-nums">
        {own ? words.ownCount(leftOf(counter)) : leftOf(counter)}
        {!own && tags !== null && ` · ${words.tags(number(tags.value), number(tags.most))}`}
        {!own && links !== null && ` · ${words.linksCount(links)}`}
      </span>
    </li>
  )
}

const line = "inline-flex items-center gap-2 text-sm"

/** How much of each network's limit a text leaves. */
export const Counts = ({
  counters,
  id
}: {
  readonly counters: ReadonlyArray<Counter>
  readonly id: string
}) => (
  <ul className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1 py-2" id={id}>
    {counters.map((counter) => (
      <Count key={counter.key} counter={counter} />
    ))}
  </ul>
)
