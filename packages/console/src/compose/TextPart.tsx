import type { Media, PlatformId } from "@carillon/sdk"
import { type CSSProperties, type ReactNode, useMemo } from "react"
import { Tab as TabHead, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import type { Account } from "../accounts/useAccounts.ts"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { type Counter, countersOf } from "./counters.ts"
import { words } from "./en.ts"
import { type Action, type Form, type Level } from "./Form.ts"
import { partAt, type Tab } from "./levels.ts"
import { platformName } from "@carillon/domain/PlatformFacts"
import type { Placed } from "./problems.ts"

interface Props {
  readonly form: Form
  readonly accounts: ReadonlyArray<Account>
  readonly media: ReadonlyMap<string, Media>
  readonly problems: ReadonlyArray<Placed>
  readonly sentence: (placed: Placed) => string
  readonly tabs: ReadonlyArray<Tab>
  readonly level: Level
  readonly nameOf: (level: Level) => string
  readonly onLevel: (level: Level) => void
  /** Gives a level back to the one above it. */
  readonly onShare: (of: Exclude<Level, "everywhere">) => void
  readonly act: (action: Action) => void
}

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
    <Mark platform={platform} />
    <span className="unseen">{platformName(platform)}</span>
    <span className="figures">
      {own ? words.ownCount(number(value), number(most)) : words.count(number(value), number(most))}
      {!own && tags !== null && ` · ${words.tags(number(tags.value), number(tags.most))}`}
      {!own && links && ` · ${words.linksCount}`}
    </span>
  </li>
)

/** Networks of which an account does not take the shared text, each once. */
const tooLongFor = (problems: ReadonlyArray<Placed>): ReadonlyArray<PlatformId> => [
  ...new Set(
    problems
      .filter(({ item }) => item.code.startsWith("caption_"))
      .flatMap(({ item }) => (item.platform === undefined ? [] : [item.platform as PlatformId]))
  )
]

const ownWords = (form: Form, tab: Tab) => {
  const caption = partAt(form, "caption", tab).own
  const media = partAt(form, "media", tab).own
  return caption && media ? words.ownBoth : caption ? words.ownText : media ? words.ownFiles : null
}

export const TextPart = ({
  accounts,
  act,
  form,
  level,
  media,
  nameOf,
  onLevel,
  onShare,
  problems,
  sentence,
  tabs
}: Props) => {
  const counters = useMemo(() => countersOf(form, accounts, media, level), [form, accounts, media, level])
  const wrongAt = (one: Level, parts: ReadonlyArray<string> = ["text"]) =>
    problems.filter(
      ({ item, place }) =>
        (place.on === "text" || place.on === "media") &&
        parts.includes(place.on) &&
        (place.level === one ||
          (place.on === "text" &&
            place.level === "everywhere" &&
            (item.platform as Level | undefined) === one))
    ).length

  const writeOwn = (of: Level, caption: string) => {
    act({ type: "caption", of, caption })
    onLevel(of)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-anchor="text"]')?.focus())
  }

  const below = (one: Level): ReactNode => {
    const mine = problems.filter(({ place }) => place.on === "text" && place.level === one)
    const said = [...new Map(mine.map((placed) => [sentence(placed), placed])).entries()]
    const offers = one === "everywhere" ? tooLongFor(mine) : []
    return (
      <>
        {said.map(([text, { item }]) => (
          <p key={text} className="wrong">
            <Icon name="warning" />
            <span>
              {text}{" "}
              {item.platform !== undefined && offers.includes(item.platform as PlatformId) && (
                <button
                  type="button"
                  className="link"
                  onClick={() => writeOwn(item.platform as PlatformId, form.caption)}
                >
                  {words.writeOwn(platformName(item.platform as PlatformId))}
                </button>
              )}
            </span>
          </p>
        ))}
      </>
    )
  }

  return (
    <Tabs
      className="text-part"
      selectedKey={String(level)}
      onSelectionChange={(key) => {
        const tab = tabs.find((one) => String(one.level) === key)
        if (tab !== undefined) onLevel(tab.level)
      }}
    >
      <TabList aria-label={words.parts.text} className="text-tabs">
        {tabs.map((tab) => {
          const { level: one, platform } = tab
          const wrong = wrongAt(one, ["text", "media"])
          const own = one === "everywhere" ? null : ownWords(form, tab)
          return (
            <TabHead key={String(one)} id={String(one)} className="tab">
              {platform !== undefined && <Mark platform={platform} />}
              {nameOf(one)}
              {own !== null && <span className="badge own">{own}</span>}
              {one !== "everywhere" && wrong > 0 && (
                <span className="badge wrong-count">
                  {wrong}
                  <span className="unseen"> {words.accountState.problems(wrong)}</span>
                </span>
              )}
            </TabHead>
          )
        })}
      </TabList>
      {tabs.map((tab) => {
        const { level: one } = tab
        const { inherited, own, value } = partAt(form, "caption", tab)
        return (
          <TabPanel key={String(one)} id={String(one)} className="panel">
            {own ? (
              <textarea
                className="writing"
                aria-label={one === "everywhere" ? words.sharedText : words.textFor(nameOf(one))}
                aria-invalid={wrongAt(one) > 0 || undefined}
                placeholder={words.placeholder}
                spellCheck
                value={value}
                data-anchor="text"
                onChange={({ target }) => act({ type: "caption", of: one, caption: target.value })}
              />
            ) : (
              // The shared text can be read here, and pressing it begins one of its own.
              <div className="writing inherited">
                <p>{inherited || words.placeholder}</p>
              </div>
            )}
            <ul className="counters">
              {counters.map((counter) => (
                <Count key={`${counter.platform} ${counter.own}`} counter={counter} />
              ))}
            </ul>
            {below(one)}
            {one !== "everywhere" &&
              (own ? (
                <button type="button" className="link" data-anchor="shared" onClick={() => onShare(one)}>
                  {words.useShared}
                </button>
              ) : (
                <button
                  type="button"
                  className="link"
                  data-anchor="text"
                  onClick={() => writeOwn(one, inherited)}
                >
                  {words.writeOwn(nameOf(one))}
                </button>
              ))}
          </TabPanel>
        )
      })}
    </Tabs>
  )
}
