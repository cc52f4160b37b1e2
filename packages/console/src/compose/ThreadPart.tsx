import { mostThreadItems, type PlatformId, platformRules } from "@carillon/domain"
import { platformName } from "@carillon/domain/PlatformFacts"
import { use, useDeferredValue, useRef, useState } from "react"
import { flushSync } from "react-dom"
import type { Account } from "../data/accounts.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Switch } from "../ui/Switch.tsx"
import { TextButton } from "../ui/TextButton.tsx"
import { toast } from "../ui/toast.ts"
import { countersOf, isOf } from "./counters.ts"
import { words as allWords } from "./en.ts"
import { endOf } from "./endOf.ts"
import { useComposer, FormContext } from "./ComposerContext.ts"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"
import { type Form, type Item, partAt, type Tab } from "./Form.ts"
import { FollowingPost } from "./FollowingPost.tsx"
import { resolvedFor } from "./resolvedFor.ts"
import { Trouble } from "./Trouble.tsx"

const words = allWords.thread

/** The posts after the first, for the tab that is shown. */
export const ThreadPart = () => {
  const { act, nameOf, onShare, tab, tabs } = useComposer()
  const form = use(FormContext)
  const { level, platform } = tab
  const { own, value } = partAt(form, "thread", tab)
  const write = (next: ReadonlyArray<Item> | undefined) =>
    act({ type: "thread", of: level, platform, with: () => next })
  return (
    <section
      aria-label={allWords.parts.thread}
      className="flex flex-col items-start gap-2 *:w-full"
      data-thread
    >
      {tabs
        // A hidden level may still be uploading files.
        .filter((one) => partAt(form, "thread", one).own)
        .map((one) => (
          <Items key={one.level} tab={one} />
        ))}
      {!own && value.length === 0 && (
        <div>
          <TextButton onClick={() => write([{ key: 0, caption: "", media: [] }])}>
            {words.write(nameOf(level))}
          </TextButton>
        </div>
      )}
      {!own && value.length > 0 && (
        <>
          <ol className="flex flex-col gap-2 text-base text-soft">
            {value.map(({ caption, key }) => (
              <li key={key} dir="auto" className="border-0 border-s-2 border-line ps-4 whitespace-pre-wrap">
                {caption}
              </li>
            ))}
          </ol>
          <div className={ways}>
            <TextButton onClick={() => write(value)}>{words.write(nameOf(level))}</TextButton>
            <TextButton onClick={() => write([])}>{words.alone(nameOf(level))}</TextButton>
          </div>
        </>
      )}
      {level !== "everywhere" && own && (
        <div className={ways}>
          {value.length === 0 && <p>{words.isAlone(nameOf(level))}</p>}
          <TextButton onClick={() => onShare(level, "thread")}>{words.share}</TextButton>
        </div>
      )}
      {level === "everywhere" && value.length > 0 && <Networks />}
    </section>
  )
}

const ways = "flex flex-wrap gap-x-4 gap-y-1 text-sm"

/** Says which networks publish a thread, join its posts or refuse it. */
const Networks = () => {
  const { accounts, act } = useComposer()
  const fields = useFocusFields()
  const form = use(FormContext)
  const named = (ways: ReadonlyArray<Way>) => {
    const platforms = ways.map(({ platform }) => platformName(platform))
    return [new Intl.ListFormat("en").format(platforms), platforms.length] as const
  }
  const ways = waysOf(form, accounts)
  const threaded = ways.filter(({ way }) => way === "thread")
  const joined = ways.filter(({ way }) => way === "join")
  const refused = ways.filter(({ way }) => way === "refuse")
  return (
    <div className="flex flex-col gap-1 text-sm text-soft" ref={fields.register(fieldNames.thread)}>
      {threaded.length > 0 && <p>{words.threaded(named(threaded)[0])}</p>}
      {joined.length > 0 && <p>{words.joined(named(joined)[0])}</p>}
      {refused.length > 0 && <Trouble>{words.refused(...named(refused))}</Trouble>}
      {(refused.length > 0 || joined.length > 0 || form.joins) && (
        <Switch on={form.joins} onChange={(joins) => act({ type: "joins", joins })}>
          {words.join}
        </Switch>
      )}
    </div>
  )
}

interface Way {
  readonly platform: PlatformId
  readonly way: "thread" | "join" | "refuse"
}

/** What each network makes of the thread. */
const waysOf = (form: Form, accounts: ReadonlyArray<Account>): ReadonlyArray<Way> => {
  const ways = accounts.flatMap((account): ReadonlyArray<Way> => {
    const { id, platform } = account
    if (partAt(form, "thread", { level: id, platform }).value.length === 0) return []
    const isJoined = resolvedFor(form, account).thread.length === 0
    const hasThreads = platformRules[platform].chains !== undefined
    return [{ platform, way: isJoined ? "join" : hasThreads ? "thread" : "refuse" }]
  })
  return [...new Map(ways.map((one) => [`${one.platform} ${one.way}`, one])).values()]
}

const Items = ({ tab }: { readonly tab: Tab }) => {
  const { accounts, act, media, onUploading, problems, sentence, tab: shown } = useComposer()
  const form = use(FormContext)
  const { level, platform } = tab
  const { value: items } = partAt(form, "thread", tab)
  const fields = useFocusFields()
  const add = useRef<HTMLButtonElement>(null)
  const [said, setSaid] = useState("")
  const seen = useDeferredValue(form)
  const members = accounts.filter((account) => isOf(level, account))
  const count = items.length + 1

  const write = (change: (now: ReadonlyArray<Item>) => ReadonlyArray<Item>) =>
    act({ type: "thread", of: level, platform, with: change })
  const put = (key: number, part: Partial<Item>) =>
    write((now) => now.map((item) => (item.key === key ? { ...item, ...part } : item)))

  const nameOf = (key: number) => `item ${level} ${key}`

  const append = () => {
    const key = Math.max(-1, ...items.map((item) => item.key)) + 1
    flushSync(() => write((now) => [...now, { key, caption: "", media: [] }]))
    fields.focus(`${nameOf(key)} text`)
  }

  const remove = (item: Item, index: number) => {
    write((now) => now.filter(({ key }) => key !== item.key))
    toast({
      icon: "trash",
      text: words.removed(index + 2),
      action: {
        label: allWords.shared.undo,
        act: () => write((now) => now.toSpliced(Math.min(index, now.length), 0, item))
      }
    })
    add.current?.focus()
  }

  /** Swaps an item with the one before it. The one before the first is the post itself. */
  const raise = (index: number) => {
    const item = items[index]!
    if (index > 0) return write((now) => now.with(index - 1, now[index]!).with(index, now[index - 1]!))
    const first = { caption: partAt(form, "caption", tab).value, media: partAt(form, "media", tab).value }
    act({ type: "caption", of: level, caption: item.caption })
    act({ type: "media", of: level, media: item.media })
    put(item.key, first)
  }
  const move = (index: number, on: "earlier" | "later") => {
    const to = on === "earlier" ? index - 1 : index + 1
    const name = nameOf(items[index]!.key)
    flushSync(() => {
      raise(Math.max(index, to))
      setSaid(words.moved(index + 2, to + 2))
    })
    fields.focus(...[on, "earlier", "later", "text"].map((part) => `${name} ${part}`))
  }

  const first = partAt(seen, "caption", tab).value
  const joined = countersOf(seen, accounts, media, level).filter(({ isJoined }) => isJoined)

  return (
    <div hidden={level !== shown.level}>
      <ol className="flex flex-col gap-4">
        {items.map((item, index) => {
          const counters = countersOf(seen, accounts, media, level, index + 1)
          const here = problems.filter(
            ({ place }) => place.on === "thread" && place.level === level && place.item === index
          )
          const onTiles = here.flatMap((placed) =>
            placed.place.on === "thread" &&
            placed.place.media !== null &&
            item.media.includes(placed.place.media)
              ? [{ id: placed.place.media, sentence: sentence(placed), placed }]
              : []
          )
          return (
            <FollowingPost
              key={item.key}
              item={item}
              names={[fieldNames.item(level, index), nameOf(item.key), fieldNames.itemMedia(level, index)]}
              index={index}
              count={count}
              accounts={members}
              counters={counters}
              end={endOf([...counters, ...joined], [{ caption: first }, ...items.slice(0, index)])}
              onTiles={onTiles}
              below={[
                ...new Set(
                  here.filter((placed) => !onTiles.some((tile) => tile.placed === placed)).map(sentence)
                )
              ]}
              onChange={(part) => put(item.key, part)}
              onMove={(on) => move(index, on)}
              onRemove={() => remove(item, index)}
              onUploading={(uploads) => onUploading(`thread ${level} ${item.key}`, uploads)}
            />
          )
        })}
      </ol>
      {count < mostThreadItems ? (
        <div className="-ms-3">
          <Button ref={add} look="quiet" onPress={append}>
            <Icon name="plus" />
            {words.add}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-soft">{words.full(mostThreadItems)}</p>
      )}
      <p className="unseen" role="status">
        {said}
      </p>
    </div>
  )
}
