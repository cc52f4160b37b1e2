import { platformName } from "@carillon/domain/PlatformFacts"
import { useCallback, useDeferredValue, useMemo } from "react"
import { type Account, type Accounts, useAccountList } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { useMedia } from "../data/media.ts"
import { isOver } from "../post/resultRows.ts"
import type { Draft } from "./Draft.ts"
import { words } from "./en.ts"
import { everywhere, type Form, type Level, mediaIn } from "./Form.ts"
import { tabsOf } from "./levels.ts"
import type { Placed } from "./problems.ts"
import { sentenceOf } from "./sentenceOf.ts"
import { troubleOf } from "./troubleOf.ts"
import { useClock } from "./useClock.ts"
import { useProblems } from "./useProblems.ts"
import { useRules } from "./useRules.ts"
import { useUnchanged } from "./useUnchanged.ts"
import { readTime } from "./readTime.ts"

const zone = workspace.timezone

/** Not wrong yet while nothing is written: said when the post is to go out. */
const quiet: ReadonlySet<string> = new Set(["no_account", "time_required", "empty_post"])

const none: Accounts = new Map()

/** What the composer shows of a draft: its accounts, files, tabs, problems and previews. */
export const useComposerData = (draft: Draft, wanted: Level, isTried: boolean) => {
  const { form, stored } = draft
  const now = useClock()
  const accountList = useAccountList()
  const accounts = accountList.data ?? none
  const chosen = useMemo(
    () => form.accounts.map((id) => accounts.get(id)).filter((one): one is Account => one !== undefined),
    [form.accounts, accounts]
  )
  const offered = useMemo(
    () => [...accounts.values()].filter((one) => !isOver(one) || form.accounts.includes(one.id)),
    [accounts, form.accounts]
  )
  const outline = useUnchanged({
    ...form,
    caption: "",
    thread: form.thread.map((item) => ({ ...item, caption: "" }))
  })
  const mediaIds = useMemo(() => mediaIn(outline), [outline])
  const media = useMedia(mediaIds)

  const tabs = useMemo(() => tabsOf(outline, chosen), [outline, chosen])
  const tab = tabs.find(({ level }) => level === wanted) ?? everywhere
  const nameOf = useCallback(
    (level: Level): string =>
      level === "everywhere"
        ? words.everywhere
        : typeof level === "number"
          ? (accounts.get(level)?.name ?? "")
          : platformName(level),
    [accounts]
  )

  const keepsTime =
    stored !== null && !stored.draft && JSON.stringify(stored.form.when) === JSON.stringify(form.when)
  const time = useMemo(
    () => (outline.when.kind === "at" ? readTime(outline.when.value, zone) : null),
    [outline.when]
  )
  const isPast = time !== null && !keepsTime && time.at.getTime() < now.getTime() - 60_000
  const checked = useMemo(
    (): Form => (keepsTime ? { ...form, when: { kind: "now" } } : form),
    [form, keepsTime]
  )
  const { checkedAt, cost, findHere, problems, takeRefusal } = useProblems({
    accounts: chosen,
    checked,
    form,
    isPast,
    media
  })
  const isWritten =
    form.caption !== "" ||
    form.media.length > 0 ||
    form.thread.length > 0 ||
    Object.keys(form.platforms).length > 0
  const shown = useMemo(
    () =>
      isTried
        ? problems
        : problems.filter(
            ({ item }) => !quiet.has(item.code) && (isWritten || item.code !== "media_required")
          ),
    [problems, isTried, isWritten]
  )
  const rules = useRules()
  const sentence = useCallback(
    ({ item }: Placed) =>
      sentenceOf(item, { fileName: (id) => media.get(id)?.name, kindsTaken: rules?.kindsTaken }),
    [media, rules]
  )
  const isJudged = isWritten || isTried
  const troubles = useMemo(
    () => new Map(isJudged ? form.accounts.map((id) => [id, troubleOf(shown, id)]) : []),
    [form.accounts, isJudged, shown]
  )

  const seen = useDeferredValue(form)
  const previews = useMemo(() => rules?.previewsOf(seen, chosen) ?? [], [rules, chosen, seen])

  return {
    now,
    areAccountsRead: accountList.data !== undefined,
    areAccountsPending: accountList.isPending,
    hasAccounts: accounts.size > 0,
    offered,
    chosen,
    outline,
    media,
    tabs,
    tab,
    nameOf,
    /** Its time has come: what is saved goes out at once. */
    isDue: keepsTime && time !== null && time.at.getTime() <= now.getTime(),
    isWritten,
    problems: shown,
    sentence,
    troubles,
    checkedAt,
    cost,
    findHere,
    takeRefusal,
    previews
  }
}
