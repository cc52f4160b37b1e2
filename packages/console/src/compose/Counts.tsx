import { platformName } from "@carillon/domain/PlatformFacts"
import type { CSSProperties } from "react"
import { Glyph } from "../ui/Glyph.tsx"
import type { Counter } from "./counters.ts"
import { words } from "./en.ts"

const number = (value: number) => value.toLocaleString("en")

const Count = ({ counter: { links, most, own, platform, tags, value } }: { readonly counter: Counter }) => (
  <li className={own ? "counter own" : "counter"} data-over={value > most || undefined}>
    {!own && (
      <span
        className="ring"
        aria-hidden="true"
        style={{ "--full": Math.min(value / most, 1) } as CSSProperties}
      />
    )}
    <Glyph platform={platform} />
    <span className="unseen">{platformName(platform)}</span>
    <span className="figures">
      {own ? words.ownCount(number(value), number(most)) : words.count(number(value), number(most))}
      {!own && tags !== null && ` · ${words.tags(number(tags.value), number(tags.most))}`}
      {!own && links !== null && ` · ${words.linksCount(links)}`}
    </span>
  </li>
)

/** How much of each network's limit a text uses. */
export const Counts = ({ counters }: { readonly counters: ReadonlyArray<Counter> }) => (
  <ul className="counters">
    {counters.map((counter) => (
      <Count key={counter.key} counter={counter} />
    ))}
  </ul>
)
