import { platformRules, threadItems } from "@carillon/domain"
import { use, useEffect, useEffectEvent, useRef } from "react"
import { Icon } from "../ui/Icon.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { useAccounts } from "../data/accounts.ts"
import { useComposer, FormContext } from "./ComposerContext.ts"
import { words } from "./en.ts"
import { networkName } from "../data/networkName.ts"
import { resolvedFor } from "./levels.ts"
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
  const list = useRef<HTMLDivElement>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation()
      onClose()
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    event.preventDefault()
    const rows = [...list.current!.querySelectorAll<HTMLElement>("button")]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    rows.at((at + (event.key === "ArrowDown" ? 1 : -1)) % rows.length)?.focus()
  })
  useEffect(() => {
    const box = list.current!
    box.querySelector<HTMLElement>("button")?.focus()
    box.addEventListener("keydown", onKey)
    return () => box.removeEventListener("keydown", onKey)
  }, [])
  useEffect(() => {
    const outside = ({ target }: PointerEvent) => {
      if (!(target as Element).closest(".problem-list, [data-opens-problems]")) onClose()
    }
    document.addEventListener("pointerdown", outside)
    return () => document.removeEventListener("pointerdown", outside)
  }, [onClose])

  return (
    <div ref={list} className="problem-list" role="dialog" aria-labelledby="problems-title">
      <header>
        <h2 id="problems-title">{words.problems.title(problems.length)}</h2>
        <span>{checkedWords(checkedAt)}</span>
      </header>
      <ul>
        {problems.map((placed) => {
          const { item } = placed
          const account = item.account_id === undefined ? undefined : accounts.get(item.account_id)
          return (
            <li key={`${item.path} ${item.code} ${item.account_id} ${item.media_id} ${item.rule}`}>
              <button
                type="button"
                data-path={item.path}
                data-code={item.code}
                data-account={item.account_id}
                onClick={() => onGo(placed)}
              >
                {account !== undefined ? (
                  <Avatar account={account} size={18} />
                ) : item.platform === undefined ? (
                  <Icon name="warning" />
                ) : (
                  <Glyph platform={item.platform} />
                )}
                <span className="what">
                  <span>{sentence(placed)}</span>
                  {account !== undefined && (
                    <span className="of">
                      {account.name}, {networkName(account)}
                    </span>
                  )}
                </span>
                <span className="goes">
                  {wayTo(placed)} <Icon name="arrow" />
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {hints.length > 0 && (
        <ul className="hints">
          {hints.map(({ id, text }) => (
            <li key={id}>
              <button type="button" onClick={() => onDescribe(id)}>
                <Icon name="picture" />
                <span className="what">{text}</span>
                <span className="goes">{words.goTo.describe}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
