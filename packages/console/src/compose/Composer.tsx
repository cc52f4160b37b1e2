import { platformRules } from "@carillon/domain"
import type { PlatformId } from "@carillon/sdk"
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react"
import { type Account, useAccountList, type Accounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { useMedia } from "../data/media.ts"
import { MediaPart } from "./media/MediaPart.tsx"
import { wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { useNarrow } from "../ui/useNarrow.ts"
import { toast } from "../ui/toasts.tsx"
import { AccountChips } from "./AccountChips.tsx"
import { ComposerBar } from "./ComposerBar.tsx"
import { Composing, Written } from "./Composing.ts"
import { isOver } from "../post/resultRows.ts"
import { words } from "./en.ts"
import { everywhere, type Form, type When, fromPost, type Level, mediaIn, ownOf, partAt } from "./Form.ts"
import { resolvedFor, tabHolding, tabsOf } from "./levels.ts"
import { platformName } from "@carillon/domain/PlatformFacts"
import { countsOf, type Placed } from "./problems.ts"
import { PartTabs } from "./PartTabs.tsx"
import { Question } from "./Question.tsx"
import { RepairNote } from "./RepairNote.tsx"
import { SendBar } from "./SendBar.tsx"
import { sentenceOf } from "./sentence.ts"
import { targetOf } from "./targetOf.ts"
import { TextPart } from "./TextPart.tsx"
import { firstTime, shownTime } from "./times.ts"
import { useClock } from "./useClock.ts"
import { useNextSlot } from "../data/queue.ts"
import { useOtherTabs } from "./useOtherTabs.ts"
import { useProblems } from "./useProblems.ts"
import { useSending } from "./useSending.ts"
import { type Begun, useSession } from "./useSession.ts"
import { useUnchanged } from "./useUnchanged.ts"
import { useWantedFocus } from "./useWantedFocus.ts"
import { readTime, WhenFields } from "./WhenFields.tsx"
import { inZone, slotWords } from "./zoned.ts"
import "./Composer.css"

/** After the fields: nobody waits for these to write. */
const ClashDialog = lazy(async () => ({ default: (await import("./ClashDialog.tsx")).ClashDialog }))
const OptionsPart = lazy(async () => ({ default: (await import("./OptionsPart.tsx")).OptionsPart }))
const ThreadPart = lazy(async () => ({ default: (await import("./ThreadPart.tsx")).ThreadPart }))
const PreviewPane = lazy(async () => ({ default: (await import("./PreviewPane.tsx")).PreviewPane }))

const zone = workspace.timezone
/** What is not wrong yet while nothing is written: it is said when the post is to go out. */
const quiet: ReadonlySet<string> = new Set(["no_account", "time_required", "empty_post"])

const none: Accounts = new Map()

interface Props {
  readonly begun: Begun
  readonly onMade: (id: string) => void
  /** It is no longer to be written. */
  readonly onSent: () => void
}

export const Composer = ({ begun, onMade, onSent }: Props) => {
  const session = useSession(begun, { onMade })
  const { act, clash, form, isSaved, saving, stored } = session
  const now = useClock()
  const accountList = useAccountList()
  const accounts = accountList.data ?? none
  const chosen = useMemo(
    () => form.accounts.map((id) => accounts.get(id)).filter((one): one is Account => one !== undefined),
    [form.accounts, accounts]
  )
  const all = useMemo(
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
  const slot = useNextSlot()
  const others = useOtherTabs(stored?.id)

  const [asked, setLevel] = useState<Level>("everywhere")
  const tabs = useMemo(() => tabsOf(outline, chosen), [outline, chosen])
  const tab = tabs.find(({ level }) => level === asked) ?? everywhere
  const nameOf = useCallback(
    (level: Level): string =>
      level === "everywhere"
        ? words.everywhere
        : typeof level === "number"
          ? (accounts.get(level)?.name ?? "")
          : platformName(level),
    [accounts]
  )
  const [owner, setOwner] = useState<PlatformId | number | undefined>(undefined)
  const [isListed, setListed] = useState(false)
  const [isTried, setTried] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const [uploads, setUploads] = useState<ReadonlyMap<string, number>>(new Map())
  const uploading = [...uploads.values()].reduce((sum, count) => sum + count, 0)

  const isDraft = stored === null || stored.draft
  const keepsTime =
    stored !== null && !stored.draft && JSON.stringify(stored.form.when) === JSON.stringify(form.when)
  const read = useMemo(
    () => (outline.when.kind === "at" ? readTime(outline.when.value, zone) : null),
    [outline.when]
  )
  const isPast = read !== null && !keepsTime && read.at.getTime() < now.getTime() - 60_000
  /** Its time has come: what is saved goes out at once. */
  const isDue = keepsTime && read !== null && read.at.getTime() <= now.getTime()
  const checked = useMemo(
    (): Form => (keepsTime ? { ...form, when: { kind: "now" } } : form),
    [form, keepsTime]
  )
  const { askAgain, checkedAt, cost, problems } = useProblems({
    accounts: chosen,
    checked,
    form,
    isPast,
    media,
    zone
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
  const sentence = useCallback(({ item }: Placed) => sentenceOf(item, (id) => media.get(id)?.name), [media])
  const counts = useMemo(() => countsOf(shown), [shown])

  const seen = useDeferredValue(form)
  const previews = useMemo(
    () =>
      chosen.map((account) => {
        const { caption, media: files, options, thread } = resolvedFor(seen, account)
        const hasThreads = platformRules[account.platform].chains !== undefined
        return { account, caption, media: files, options, following: hasThreads ? thread : [] }
      }),
    [chosen, seen]
  )
  const isNarrow = useNarrow()
  const scroller = useRef<HTMLDivElement>(null)
  const wanted = useWantedFocus()
  const go = (placed: Placed) => {
    const { level, owner: of, selector } = targetOf(placed)
    setListed(false)
    if (level !== undefined) setLevel(level)
    if (of !== undefined) setOwner(of)
    wanted.current = selector
  }

  // A room that opens has the focus: on the first thing that is to be done. On a phone that would open the keyboard.
  const isReady = accountList.data !== undefined
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isReady || isBegun.current) return
    isBegun.current = true
    if (document.activeElement !== document.body) return
    document
      .querySelector<HTMLElement>(
        isNarrow ? ".composer h1" : form.accounts.length === 0 ? ".account-chip" : '[data-anchor="text"]'
      )
      ?.focus()
  }, [isReady, isNarrow, form.accounts.length])

  /** Gives the text, the files or the thread of a level back to the one above it. */
  const share = (of: Exclude<Level, "everywhere">, part: "caption" | "media" | "thread") => {
    const before = ownOf(form, of)
    const give = ({ caption, media, thread }: Partial<typeof before>) =>
      act(
        part === "caption"
          ? { type: "caption", of, caption }
          : part === "media"
            ? { type: "media", of, media }
            : { type: "thread", of, platform: tab.platform, with: () => thread }
      )
    give({})
    if (JSON.stringify(before[part]) === JSON.stringify(partAt(form, part, tab).inherited)) return
    toast({
      icon: "check",
      text: words.shared[part](nameOf(of)),
      action: { label: words.shared.undo, act: () => give(before) }
    })
  }

  const latest = useRef(share)
  latest.current = share

  const chooseAccounts = useCallback(
    (ids: ReadonlyArray<number>) => act({ type: "accounts", accounts: ids }),
    [act]
  )
  const chooseWhen = useCallback((when: When) => act({ type: "when", when }), [act])
  const showUploads = useCallback(
    (field: string | number, count: number) =>
      setUploads((before) => new Map(before).set(String(field), count)),
    []
  )

  const composing = useMemo(
    () => ({
      outline,
      accounts: chosen,
      media,
      problems: shown,
      sentence,
      tabs,
      tab,
      nameOf,
      act,
      onLevel: setLevel,
      onShare: (...what: Parameters<typeof share>) => latest.current(...what),
      onUploading: showUploads
    }),
    [outline, chosen, media, shown, sentence, tabs, tab, nameOf, act, showUploads]
  )

  const { blocker, isSending, keepDraft, remove, send, storeNew } = useSending({
    session,
    isDraft,
    isDue,
    isWritten,
    uploading,
    askAgain,
    onRefused: () => {
      setTried(true)
      setListed(true)
    },
    onSent
  })

  const timeProblem = shown.find(({ place }) => place.on === "time")
  const whenFields = (
    <WhenFields
      when={outline.when}
      zone={zone}
      slot={slotWords(slot)}
      problem={timeProblem && sentence(timeProblem)}
      now={now}
      usual={firstTime(undefined, wallClock(now, zone))}
      onChange={chooseWhen}
    />
  )

  const preview = (
    <Suspense>
      <PreviewPane previews={previews} level={tab.level} />
    </Suspense>
  )

  return (
    <Composing value={composing}>
      <Written value={form}>
        <div className="composer">
          <ComposerBar
            isNew={begun.stored === null}
            isRepair={begun.repairs.length > 0}
            isDraft={isDraft}
            isSaved={isSaved}
            saving={saving}
            id={stored?.id}
            onKeepDraft={() => void keepDraft()}
            onRemove={() => setRemoving(true)}
          />
          {begun.repairs.length > 0 && <RepairNote failures={begun.repairs} />}
          {begun.nextTry !== null && (
            <p className="note" role="status">
              <Icon name="clock" /> {words.nextTry(shownTime(inZone(begun.nextTry)))}
            </p>
          )}
          {others && (
            <p className="note" role="status">
              <Icon name="copy" /> {words.otherTab}
            </p>
          )}
          {saving.kind === "refused" && (
            <p className="note bad" role="alert">
              <Icon name="warning" /> {saving.why}
            </p>
          )}
          {isNarrow && <PartTabs scroller={scroller} />}
          <div className="sheets" ref={scroller}>
            <div className="sheet">
              <section aria-label={words.parts.accounts} id="part-accounts">
                {accountList.isPending ? (
                  <Skeleton rows={1} height={36} />
                ) : accounts.size === 0 ? (
                  <EmptyState title={words.noAccounts.title} text={words.noAccounts.text}>
                    <a className="button main" href="/app/accounts">
                      {words.noAccounts.connect}
                    </a>
                  </EmptyState>
                ) : (
                  <AccountChips
                    accounts={all}
                    chosen={outline.accounts}
                    counts={counts}
                    judged={isWritten || isTried}
                    onChange={chooseAccounts}
                  />
                )}
                {isTried && form.accounts.length === 0 && accounts.size > 0 && (
                  <p className="wrong">
                    <Icon name="warning" />
                    {words.chooseAccounts}
                  </p>
                )}
              </section>
              <section aria-label={words.parts.text} id="part-text">
                <TextPart />
              </section>
              <section aria-label={words.parts.media} id="part-media">
                <MediaPart />
              </section>
              <Suspense>
                <ThreadPart />
              </Suspense>
              <Suspense>
                <OptionsPart owner={owner} onOwner={setOwner} />
              </Suspense>
              {isNarrow && <div id="part-preview">{preview}</div>}
              {isNarrow && (
                <section aria-labelledby="when-title" id="part-when">
                  <h2 id="when-title">{words.parts.when}</h2>
                  {whenFields}
                </section>
              )}
            </div>
            {!isNarrow && <div className="preview-side">{preview}</div>}
          </div>
          <SendBar
            checkedAt={checkedAt}
            cost={cost}
            isDraft={isDraft}
            isDue={isDue}
            isListed={isListed}
            isSending={isSending}
            slot={slot}
            onDescribe={(id) => {
              setListed(false)
              setLevel(tabHolding(form, tabs, id)!.level)
              wanted.current = `[data-anchor="media:${CSS.escape(id)}"]`
            }}
            onGo={go}
            onKeepDraft={() => void keepDraft()}
            onList={setListed}
            onSend={() => void send()}
          >
            {whenFields}
          </SendBar>
          {clash !== null && (
            <Suspense>
              <ClashDialog
                mine={form}
                theirs={fromPost(clash.theirs, zone)}
                post={clash.theirs}
                onClose={() => {}}
                onKeep={() => {
                  session.rebase(clash.theirs, form)
                  clash.again()
                }}
                onUse={() => session.rebase(clash.theirs, null)}
                onNew={storeNew}
              />
            </Suspense>
          )}
          {blocker.status === "blocked" && (
            <Question
              {...words.leaving}
              onStay={blocker.reset}
              onGo={() => {
                session.end()
                blocker.proceed()
              }}
            />
          )}
          {isRemoving && (
            <Question
              {...words.removing}
              onStay={() => setRemoving(false)}
              onGo={() => {
                setRemoving(false)
                void remove()
              }}
            />
          )}
          {session.signedOut && (
            <Dialog title={words.signedOut.title} alert onClose={() => {}}>
              <p>{words.signedOut.text}</p>
              <div className="actions">
                <Button
                  look="main"
                  autoFocus
                  onPress={() =>
                    location.assign(
                      `/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`
                    )
                  }
                >
                  {words.signedOut.confirm}
                </Button>
              </div>
            </Dialog>
          )}
        </div>
      </Written>
    </Composing>
  )
}
