import type { PlatformId } from "@carillon/sdk"
import { memo, type ReactNode, Suspense } from "react"
import { flushSync } from "react-dom"
import { later } from "../../ui/later.ts"
import { TextButton } from "../../ui/TextButton.tsx"
import { useComposer } from "../ComposerContext.ts"
import { fieldNames } from "../fieldOf.ts"
import { useFocusFields } from "../focusFields.ts"
import { type Level, partAt } from "../Form.ts"
import type { Placed } from "../problems.ts"
import { mediaNeeded } from "../sentenceOf.ts"
import { Trouble } from "../Trouble.tsx"
import { useRules } from "../useRules.ts"
import { words } from "./en.ts"
import { MediaField } from "./MediaField.tsx"

const InheritedMedia = later(() => import("./InheritedMedia.tsx"), "InheritedMedia")

/** The files of a level: its own, or those of the level above. */
export const MediaPart = memo(() => {
  const { accounts, act, nameOf, onLevel, onShare, onUploading, outline, problems, sentence, tab, tabs } =
    useComposer()
  const fields = useFocusFields()
  const rules = useRules()
  const { level, platform } = tab
  const { own, value } = partAt(outline, "media", tab)
  const withOwn = tabs.filter((one) => partAt(outline, "media", one).own)
  // The tab whose files are shown; dropped files go to it.
  const owner = own
    ? level
    : (withOwn.find((one) => one.level !== "everywhere" && one.level === platform)?.level ?? "everywhere")

  const choose = (of: Level, media: ReadonlyArray<string>) => {
    flushSync(() => {
      act({ type: "media", of, media })
      onLevel(of)
    })
    fields.focus(fieldNames.media(of))
  }

  /** What is wrong with the files as a whole, each sentence once, and one for all networks that lack files. */
  const below = (found: ReadonlyArray<Placed>, offered: boolean): ReactNode => {
    const lacking = new Set(
      found.flatMap(({ item }) => (item.code === "media_required" ? (item.platform as PlatformId) : []))
    )
    const said = found.map((placed) =>
      lacking.size > 1 && placed.item.code === "media_required"
        ? ([mediaNeeded([...lacking], rules?.kindsTaken([...lacking])), undefined] as const)
        : ([sentence(placed), placed.item] as const)
    )
    return [...new Map(said)].map(([text, item]) => {
      const network = item?.platform as PlatformId | undefined
      return (
        <Trouble key={text}>
          {text}{" "}
          {offered && network !== undefined && (
            <TextButton onClick={() => choose(network, outline.media)}>
              {words.own.choose(nameOf(network))}
            </TextButton>
          )}
        </Trouble>
      )
    })
  }

  const several = new Set(accounts.map((account) => account.platform)).size > 1
  return (
    <>
      {withOwn.map((one) => {
        const files = partAt(outline, "media", one).value
        const here = problems.filter(({ place }) => place.on === "media" && place.level === one.level)
        const onTiles = here.flatMap((placed) =>
          placed.place.on === "media" && placed.place.media !== null && files.includes(placed.place.media)
            ? [{ id: placed.place.media, sentence: sentence(placed), placed }]
            : []
        )
        return (
          <div key={one.level} data-files={one.level} hidden={one.level !== level}>
            <MediaField
              name={fieldNames.media(one.level)}
              label={one.level === "everywhere" ? words.label : words.own.label(nameOf(one.level))}
              media={files}
              takesDrops={one.level === owner}
              accounts={
                one.level === "everywhere"
                  ? accounts
                  : accounts.filter((account) => account.id === one.level || account.platform === one.level)
              }
              problems={onTiles}
              onChange={(ids) => act({ type: "media", of: one.level, media: ids })}
              onUploading={(count) => onUploading(one.level, count)}
            />
            {below(
              here.filter((placed) => !onTiles.some((tile) => tile.placed === placed)),
              several && one.level === "everywhere"
            )}
            {one.level !== "everywhere" && (
              <TextButton onClick={() => onShare(one.level as PlatformId | number, "media")}>
                {words.own.share}
              </TextButton>
            )}
          </div>
        )
      })}
      {!own && (
        <Suspense>
          <InheritedMedia
            field={fieldNames.media(level)}
            media={value}
            name={nameOf(level)}
            onChoose={() => choose(level, value)}
          />
          {below(
            problems.filter(
              ({ item, place }) =>
                place.on === "media" &&
                place.level === owner &&
                (item.account_id === level || (level === platform && item.platform === level))
            ),
            false
          )}
        </Suspense>
      )}
    </>
  )
})
