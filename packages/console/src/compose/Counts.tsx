import { platformName } from "@carillon/domain/PlatformFacts"
import { Glyph } from "../ui/Glyph.tsx"
import type { Counter } from "./counters.ts"
import { words } from "./en.ts"

const number = (value: number) => value.toLocaleString("en")

const leftOf = ({ most, value }: Counter) =>
  value > most ? words.over(number(value - most)) : words.left(number(most - value))

const Count = ({ counter }: { readonly counter: Counter }) => {
  const { links, most, own, platform, tags, value } = counter
  return (
    <li className="counter" data-own={own || undefined} data-over={value > most || undefined}>
      <Glyph platform={platform} />
      <span className="unseen">{platformName(platform)}</span>
      <span className="figures">
        {own ? words.ownCount(leftOf(counter)) : leftOf(counter)}
        {!own && tags !== null && ` · ${words.tags(number(tags.value), number(tags.most))}`}
        {!own && links !== null && ` · ${words.linksCount(links)}`}
      </span>
    </li>
  )
}

/** How much of each network's limit a text leaves. */
export const Counts = ({
  counters,
  id
}: {
  readonly counters: ReadonlyArray<Counter>
  readonly id?: string
}) => (
  <ul className="counters" id={id}>
    {counters.map((counter) => (
      <Count key={counter.key} counter={counter} />
    ))}
  </ul>
)
