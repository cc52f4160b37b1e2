import { platformRules, threadItems } from "@carillon/domain"
import { use, useEffect, useEffectEvent, useRef } from "react"
import { Icon } from "../ui/Icon.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { useAccounts } from "../data/accounts.ts"
import { useComposer, FormContext } from "./ComposerContext.ts"
import { words } from "./en.ts"
import { networkName } from "../data/networkName.ts"
import { resolvedFor } from "./resolvedFor.ts"
import type { Placed } from "./problems.ts"
import { clockOf } from "./zoned.ts"

interface Props {
  /** When the service answered; null: it could not be reached; undefined: it was not asked yet. */
  readonly checkedAt: Date | null | undefined
  readonly onDescribe: (id: string) => void
  readonly onGo: (placed: Placed) => void
  readonly onClose: () => void
}

/** Who checked, and when. */
const checkedWords = (at: Props["checkedAt"]) =>
  at === undefined
    ? words.problems.checking
    : at === null
      ? words.problems.checkedHere
      : words.problems.checked(clockOf(at))

/** Hints that forbid nothing: files without a description, where a network would show one. */
const useUndescribed = () => {
  const form = use(FormContext)
  const { accounts, media } = useComposer()
  const shown = accounts.flatMap((account) => {
    const rules = platformRules[account.platform]
    return rules.alt_text === undefined
      ? []
      : threadItems(rules, resolvedFor(form, account)).flatMap(({ media: files, options }) =>
          "alt_text" in options ? [] : files
        )
  })
  return [...new Set(shown)].flatMap((id) => {
    const file = media.get(id)
    return file?.alt_text === null && file.kind !== "document"
      ? [{ id, text: words.problems.notDescribed(file.name) }]
      : []
  })
}

const wayTo = ({ item, place }: Placed) =>
  item.code === "empty_post"
    ? words.goTo.write
    : item.code === "media_required"
      ? words.goTo.add
      : place.on === "option" && item.code === "invalid_value"
        ? words.goTo.correct
        : words.goTo[place.on]

/** Every problem of the post, each leading to the field that mends it. */
export const ProblemList = ({ checkedAt, onClose, onDescribe, onGo }: Props) => {
  const { problems, sentence } = useComposer()
  const accounts = useAccounts()
  const hints = useUndescribed()
  const box = useRef<HTMLDivElement>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation()
      onClose()
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    event.preventDefault()
    const rows = [...box.current!.querySelectorAll<HTMLElement>("button")]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    rows.at((at + (event.key === "ArrowDown" ? 1 : -1)) % rows.length)?.focus()
  })
  useEffect(() => {
    const list = box.current!
    list.querySelector<HTMLElement>("button")?.focus()
    list.addEventListener("keydown", onKey)
    return () => list.removeEventListener("keydown", onKey)
  }, [])
  useEffect(() => {
    const outside = ({ target }: PointerEvent) => {
      if (!(target as Element).closest("[data-problems], [data-opens-problems]")) onClose()
    }
    document.addEventListener("pointerdown", outside)
    return () => document.removeEventListener("pointerdown", outside)
  }, [onClose])

  return (
    <div ref={box} className={list} data-problems role="dialog" aria-labelledby="problems-title">
      <header className="flex flex-wrap items-baseline justify-between gap-x-3 px-2 py-1">
        <h2 className="text-base" id="problems-title">
          {words.problems.title(problems.length)}
        </h2>
        <span className="text-xs text-soft">{checkedWords(checkedAt)}</span>
      </header>
      <ul>
        {problems.map((placed) => {
          const { item } = placed
          const account = item.account_id === undefined ? undefined : accounts.get(item.account_id)
          return (
            <li key={`${item.path} ${item.code} ${item.account_id} ${item.media_id} ${item.rule}`}>
              <button
                type="button"
                className={entry}
                data-path={item.path}
                data-code={item.code}
                data-account={item.account_id}
                onClick={() => onGo(placed)}
              >
                {account !== undefined ? (
                  <Avatar account={account} size={24} />
                ) : item.platform === undefined ? (
                  <span className="text-bad">
                    <Icon name="warning" />
                  </span>
                ) : (
                  <Glyph platform={item.platform} />
                )}
                <span className="flex min-w-0 flex-1 flex-col">
                  <span>{sentence(placed)}</span>
                  {account !== undefined && (
                    <span className="text-xs text-soft">
                      {account.name}, {networkName(account)}
                    </span>
                  )}
                </span>
                <span className="inline-flex items-center gap-1 font-semibold text-brand">
                  {wayTo(placed)} <Icon name="arrow" />
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {hints.length > 0 && (
        <ul className="mt-1 border-0 border-t border-hair pt-1 text-soft" data-hints>
          {hints.map(({ id, text }) => (
            <li key={id}>
              <button type="button" className={entry} onClick={() => onDescribe(id)}>
                <Icon name="picture" />
                <span className="flex-1">{text}</span>
                <span>{words.goTo.describe}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const list = [
  "absolute end-room bottom-full z-30 mb-2 max-h-problems w-problems max-w-full overflow-auto",
  "rounded-card border border-line bg-card p-2 shadow-float max-md:inset-x-3 max-md:w-auto"
].join(" ")

const entry = [
  "flex min-h-12 w-full cursor-pointer items-center gap-3 rounded-control border-0 bg-transparent px-2",
  "text-left text-sm hover:bg-sunk"
].join(" ")
