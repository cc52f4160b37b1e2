import type { Media } from "@carillon/sdk"
import { placementFacts, rulesFor } from "@carillon/domain"
import { memo, type ReactNode, useEffect, useRef, useState } from "react"
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import { useMedia } from "../data/media.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { Select } from "../ui/Select.tsx"
import type { Level } from "./Form.ts"
import { networkName } from "../data/networkName.ts"
import { chooseAccount, hidePreview, preview, previewFor, showPreview } from "../preview/en.ts"
import { lookOf } from "../preview/looks.ts"
import { filesOf, Nothing, Preview, type PreviewContent } from "../preview/Preview.tsx"
import { listed } from "../data/offered.ts"
import { useOffers } from "../data/accounts.ts"

interface Props {
  /** One for each chosen account. */
  readonly previews: ReadonlyArray<PreviewContent>
  /** The tab being written, whose preview is shown until another is chosen. */
  readonly level: Level
  /** Whether there is room for all of them. */
  readonly areAll: boolean
  readonly isHidden: boolean
  readonly troubles: ReadonlyMap<number, string>
  readonly onHide: (hidden: boolean) => void
}

const factsOf = ({ account, options }: PreviewContent, known: ReadonlyArray<Media>) =>
  placementFacts(rulesFor(account), options, known)

const Shown = ({
  content,
  items
}: {
  readonly content: PreviewContent
  readonly items: ReadonlyMap<string, Media>
}) => {
  const { account, media } = content
  const { offers } = useOffers([account], account.platform === "pinterest")
  return (
    <Preview
      {...content}
      items={items}
      facts={factsOf(
        content,
        media.flatMap((id) => items.get(id) ?? [])
      )}
      boards={listed(offers, "board_ids")}
    />
  )
}

const headingOf = (content: PreviewContent, items: ReadonlyMap<string, Media>) => {
  const known = content.media.flatMap((id) => items.get(id) ?? [])
  return lookOf(content.account.platform, factsOf(content, known).placement, known).name
}

interface ListProps {
  readonly previews: ReadonlyArray<PreviewContent>
  readonly items: ReadonlyMap<string, Media>
}

/** All previews side by side. Those that are out of sight are not drawn. */
const All = ({ items, previews, troubles }: ListProps & Pick<Props, "troubles">) => (
  <ul className="grid grid-cols-posts items-start gap-4">
    {previews.map((content) => {
      const { account } = content
      return (
        <li key={account.id} className="min-w-0">
          <h3 className="flex items-center gap-2 pb-2 text-sm">
            <Glyph platform={account.platform} />
            <span className="min-w-0 truncate">
              {networkName(account)} · {headingOf(content, items)}
              <span className="unseen"> {account.name}</span>
            </span>
            <span className="flex-none text-bad">{troubles.get(account.id)}</span>
          </h3>
          <InSight>
            <Shown content={content} items={items} />
          </InSight>
        </li>
      )
    })}
  </ul>
)

/** Draws what is in it while it is near the screen, and keeps its height otherwise. */
const InSight = ({ children }: { readonly children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number | null>(360)
  useEffect(() => {
    const element = box.current!
    const observer = new IntersectionObserver(
      (entries) => setHeight(entries.at(-1)!.isIntersecting ? null : element.offsetHeight),
      // What is out of sight in a scroller meets no margin of the window.
      { root: element.closest("[data-scrolls]"), rootMargin: "50%" }
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} style={height === null ? undefined : { height }}>
      {height === null && children}
    </div>
  )
}

/** More tabs could not be told apart. */
const mostTabs = 6

/** One preview at a time, in a tab for each account, or chosen from a list. */
const OneOf = ({ items, level, previews }: ListProps & Pick<Props, "level">) => {
  // A chosen preview lasts until another tab is written.
  const [asked, setAsked] = useState<{ readonly account: number; readonly at: Level }>()
  const shown =
    previews.find(({ account }) => asked?.at === level && account.id === asked.account) ??
    previews.find(({ account }) => account.id === level || account.platform === level) ??
    previews[0]!
  const choose = (key: unknown) => setAsked({ account: Number(key), at: level })
  if (previews.length > mostTabs)
    return (
      <>
        <Select
          label={previewFor}
          options={previews.map(({ account }) => ({
            id: String(account.id),
            name: `${account.name}, ${networkName(account)}`
          }))}
          value={String(shown.account.id)}
          onChange={choose}
        />
        <Shown key={shown.account.id} content={shown} items={items} />
      </>
    )
  return (
    <Tabs selectedKey={shown.account.id} onSelectionChange={choose} keyboardActivation="automatic">
      <TabList
        className="mb-3 flex w-fit max-w-full flex-wrap gap-1 rounded-control bg-sunk p-1"
        aria-label={preview}
      >
        {previews.map((content) => {
          const { account } = content
          return (
            <Tab key={account.id} id={account.id} className={tab}>
              <Glyph platform={account.platform} />
              <span className={account.id === shown.account.id ? undefined : "unseen"}>
                {headingOf(content, items)}
              </span>
              <span className="unseen">
                {networkName(account)} {account.name}
              </span>
            </Tab>
          )
        })}
      </TabList>
      <TabPanel key={shown.account.id} id={shown.account.id} className="outline-offset-4">
        <Shown content={shown} items={items} />
      </TabPanel>
    </Tabs>
  )
}

const tab = [
  "inline-flex min-h-8 min-w-8 cursor-pointer items-center justify-center gap-1 rounded-tile border border-transparent px-2",
  "text-sm hover:bg-hair selected:border-line selected:bg-raised max-md:min-h-touch max-md:min-w-touch"
].join(" ")

/** The post as each of its networks will show it. */
export const PreviewPane = memo(({ areAll, isHidden, level, onHide, previews, troubles }: Props) => {
  const items = useMedia(previews.flatMap(filesOf))
  return (
    <section className="flex min-w-0 flex-col gap-3" aria-label={preview}>
      <header className="flex items-center justify-between gap-2 text-soft">
        {!isHidden && <h2 className="text-sm">{preview}</h2>}
        <Button look="quiet" aria-expanded={!isHidden} onPress={() => onHide(!isHidden)}>
          <Icon name="monitor" />
          {isHidden ? showPreview : hidePreview}
        </Button>
      </header>
      {!isHidden &&
        (previews.length === 0 ? (
          <Nothing>{chooseAccount}</Nothing>
        ) : areAll ? (
          <All items={items} previews={previews} troubles={troubles} />
        ) : (
          <OneOf items={items} level={level} previews={previews} />
        ))}
    </section>
  )
})
