import type { PlatformId } from "@carillon/sdk"
import { platformName } from "@carillon/domain/PlatformFacts"
import { memo, type ReactNode, type RefCallback, use, useId, useMemo, useRef } from "react"
import { flushSync } from "react-dom"
import { Tab as TabHead, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import { Badge } from "../ui/Badge.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { tabClass } from "../ui/tabClass.ts"
import { TextButton } from "../ui/TextButton.tsx"
import { useComposer, FormContext } from "./ComposerContext.ts"
import { Counts } from "./Counts.tsx"
import { words } from "./en.ts"
import { endOf } from "./endOf.ts"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"
import { type Form, type Level, partAt, type Tab } from "./Form.ts"
import { InsertButtons } from "./InsertButtons.tsx"
import { MarkedTextArea } from "./MarkedTextArea.tsx"
import type { Placed } from "./problems.ts"
import { Trouble } from "./Trouble.tsx"
import { useRules } from "./useRules.ts"

/** The networks that refuse the shared text. */
const tooLongFor = (problems: ReadonlyArray<Placed>): ReadonlyArray<PlatformId> => [
  ...new Set(
    problems
      .filter(({ item }) => item.code.startsWith("caption_"))
      .flatMap(({ item }) => (item.platform === undefined ? [] : [item.platform as PlatformId]))
  )
]

const ownWords = (form: Form, tab: Tab) => {
  const parts = (["caption", "media", "thread"] as const).filter((part) => partAt(form, part, tab).own)
  return parts.length === 0 ? null : words.own(parts.map((part) => words.ownParts[part]))
}

/** The text of a tab, and how many characters are left on each network. */
const Writing = ({
  field,
  label,
  tab: { level, platform },
  wrong
}: {
  readonly field: RefCallback<HTMLTextAreaElement>
  readonly label: string
  readonly tab: Tab
  readonly wrong: boolean
}) => {
  const { accounts, act, media } = useComposer()
  const form = use(FormContext)
  const counts = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const rules = useRules()
  const counters = useMemo(
    () => rules?.countersOf(form, accounts, media, level) ?? [],
    [rules, form, accounts, media, level]
  )
  const { inherited, own, value } = partAt(form, "caption", { level, platform })
  return (
    <>
      {own ? (
        <MarkedTextArea
          large
          ref={(element) => {
            area.current = element
            return field(element)
          }}
          data-writing
          aria-label={label}
          aria-describedby={counts}
          aria-invalid={wrong || undefined}
          placeholder={words.placeholder}
          value={value}
          end={endOf(counters)}
          onChange={(caption) => act({ type: "caption", of: level, caption })}
        />
      ) : (
        // Read-only: the shared text is changed in its own tab.
        <p dir="auto" className="min-h-12 py-2 text-lg leading-writing whitespace-pre-wrap text-soft">
          {inherited || words.placeholder}
        </p>
      )}
      <div className="flex items-start gap-3">
        <Counts counters={counters} id={counts} />
        {own && <InsertButtons text={area} />}
      </div>
    </>
  )
}

/** Begins a separate text with the inherited one. */
const WriteOwn = ({
  isField,
  name,
  onWrite,
  tab
}: {
  readonly tab: Tab
  readonly name: string
  /** It stands in the place of the text, and takes its focus. */
  readonly isField?: boolean
  readonly onWrite: (of: Level, caption: string) => void
}) => {
  const fields = useFocusFields()
  const { inherited } = partAt(use(FormContext), "caption", tab)
  return (
    <TextButton
      ref={isField ? fields.register(fieldNames.text(tab.level)) : undefined}
      onClick={() => onWrite(tab.level, inherited)}
    >
      {words.writeOwn(name)}
    </TextButton>
  )
}

export const TextPart = memo(() => {
  const {
    act,
    nameOf,
    onLevel,
    onShare,
    outline,
    problems,
    sentence,
    tab: { level },
    tabs
  } = useComposer()
  const fields = useFocusFields()
  const wrongAt = (one: Level, parts: ReadonlyArray<string> = ["text"]) =>
    problems.filter(
      ({ item, place }) =>
        (place.on === "text" || place.on === "media" || place.on === "thread") &&
        parts.includes(place.on) &&
        (place.level === one ||
          (place.on === "text" &&
            place.level === "everywhere" &&
            (item.platform as Level | undefined) === one))
    ).length

  const writeOwn = (of: Level, caption: string) => {
    flushSync(() => {
      act({ type: "caption", of, caption })
      onLevel(of)
    })
    fields.focus(fieldNames.text(of))
  }

  const below = (one: Level): ReactNode => {
    const mine = problems.filter(({ place }) => place.on === "text" && place.level === one)
    const said = [...new Map(mine.map((placed) => [sentence(placed), placed])).entries()]
    const offers = one === "everywhere" ? tooLongFor(mine) : []
    return said.map(([text, { item }]) => (
      <Trouble key={text}>
        {text}{" "}
        {item.platform !== undefined && offers.includes(item.platform as PlatformId) && (
          <WriteOwn
            tab={{ level: item.platform as PlatformId, platform: item.platform as PlatformId }}
            name={platformName(item.platform as PlatformId)}
            onWrite={writeOwn}
          />
        )}
      </Trouble>
    ))
  }

  return (
    <Tabs
      className="outline-none"
      selectedKey={String(level)}
      onSelectionChange={(key) => {
        const tab = tabs.find((one) => String(one.level) === key)
        if (tab !== undefined) onLevel(tab.level)
      }}
    >
      <TabList
        aria-label={words.parts.text}
        className="flex gap-4 overflow-x-auto border-0 border-b border-hair scrollbar-none"
      >
        {tabs.map((tab) => {
          const { level: one, platform } = tab
          const wrong = wrongAt(one, ["text", "media", "thread"])
          const own = one === "everywhere" ? null : ownWords(outline, tab)
          return (
            <TabHead key={String(one)} id={String(one)} className={tabClass}>
              {platform !== undefined && <Glyph platform={platform} />}
              {nameOf(one)}
              {own !== null && (
                <span className="rounded-control bg-tint px-2 text-xs font-normal text-brand">{own}</span>
              )}
              {one !== "everywhere" && wrong > 0 && (
                <Badge>
                  {wrong}
                  <span className="unseen"> {words.accountState.problems(wrong)}</span>
                </Badge>
              )}
            </TabHead>
          )
        })}
      </TabList>
      {tabs.map((tab) => {
        const { level: one } = tab
        const { own } = partAt(outline, "caption", tab)
        return (
          <TabPanel key={String(one)} id={String(one)} className="pt-2 outline-none">
            <Writing
              tab={tab}
              label={one === "everywhere" ? words.sharedText : words.textFor(nameOf(one))}
              wrong={wrongAt(one) > 0}
              field={fields.register(fieldNames.text(one))}
            />
            {below(one)}
            {one !== "everywhere" &&
              (own ? (
                <TextButton onClick={() => onShare(one, "caption")}>{words.useShared}</TextButton>
              ) : (
                <WriteOwn isField tab={tab} name={nameOf(one)} onWrite={writeOwn} />
              ))}
          </TabPanel>
        )
      })}
    </Tabs>
  )
})
