import type { Media } from "@carillon/sdk"
import { placementFacts, rulesFor } from "@carillon/domain"
import { memo, useState } from "react"
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import { useMedia } from "../data/media.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import type { Level } from "./Form.ts"
import { networkName } from "../data/networkName.ts"
import { chooseAccount, hidePreview, preview, showPreview } from "../preview/en.ts"
import { lookOf } from "../preview/looks.ts"
import { filesOf, Preview, type PreviewContent } from "../preview/Preview.tsx"
import { listed } from "../data/offered.ts"
import { useOffers } from "../data/accounts.ts"

interface Props {
  /** One for each chosen account. */
  readonly previews: ReadonlyArray<PreviewContent>
  /** The tab being written, whose preview is shown until another is chosen. */
  readonly level: Level
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

const hiddenKey = "carillon.preview"

/** The post as each of its networks will show it, one at a time. */
export const PreviewPane = memo(({ level, previews }: Props) => {
  const [hidden, setHidden] = useState(() => localStorage.getItem(hiddenKey) === "hidden")
  // A chosen preview lasts until another tab is written.
  const [asked, setAsked] = useState<{ readonly account: number; readonly at: Level }>()
  const hide = (next: boolean) => {
    setHidden(next)
    if (next) localStorage.setItem(hiddenKey, "hidden")
    else localStorage.removeItem(hiddenKey)
  }
  const items = useMedia(previews.flatMap(filesOf))
  const shown =
    previews.find(({ account }) => asked?.at === level && account.id === asked.account) ??
    previews.find(({ account }) => account.id === level || account.platform === level) ??
    previews[0]
  return (
    <section className="preview-pane" aria-label={preview} data-hidden={hidden || undefined}>
      <header>
        {!hidden && <h2>{preview}</h2>}
        <Button look="quiet" aria-expanded={!hidden} onPress={() => hide(!hidden)}>
          <Icon name="monitor" />
          {hidden ? showPreview : hidePreview}
        </Button>
      </header>
      {!hidden &&
        (shown === undefined ? (
          <p className="nothing">{chooseAccount}</p>
        ) : (
          <Tabs
            selectedKey={shown.account.id}
            onSelectionChange={(key) => setAsked({ account: Number(key), at: level })}
            keyboardActivation="automatic"
          >
            <TabList className="preview-tabs" aria-label={preview}>
              {previews.map((content) => {
                const { account } = content
                const known = content.media.flatMap((id) => items.get(id) ?? [])
                const { name } = lookOf(account.platform, factsOf(content, known).placement, known)
                return (
                  <Tab key={account.id} id={account.id} className="preview-tab">
                    <Glyph platform={account.platform} />
                    <span className={account.id === shown.account.id ? undefined : "unseen"}>{name}</span>
                    <span className="unseen">
                      {networkName(account)} {account.name}
                    </span>
                  </Tab>
                )
              })}
            </TabList>
            <TabPanel key={shown.account.id} id={shown.account.id} className="preview-panel">
              <Shown content={shown} items={items} />
            </TabPanel>
          </Tabs>
        ))}
    </section>
  )
})
