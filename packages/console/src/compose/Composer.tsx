import { platformRules } from "@carillon/domain"
import {
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  type PlatformId,
  type Post
} from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { useBlocker, useNavigate } from "@tanstack/react-router"
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState
} from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { type Account, useAccountList, type Accounts } from "../accounts/useAccounts.ts"
import { carillon, queries, workspace } from "../api.ts"
import { calendarKey } from "../calendar/useCalendar.ts"
import { useMedia } from "../library/useMedia.ts"
import { MediaPart } from "./media/MediaPart.tsx"
import { placeOf as zonePlace, wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState, Skeleton } from "../ui/RoomState.tsx"
import { useNarrow } from "../ui/useNarrow.ts"
import { toast } from "../ui/toasts.tsx"
import { AccountChips } from "./AccountChips.tsx"
import { words } from "./en.ts"
import { everywhere, type Form, type Item, type When, fromPost, type Level, ownOf, partAt } from "./Form.ts"
import { resolvedFor, tabsOf } from "./levels.ts"
import { platformName } from "@carillon/domain/PlatformFacts"
import { optionOf } from "./options/optionOf.ts"
import { countsOf, type Placed } from "./problems.ts"
import { PartTabs } from "./PartTabs.tsx"
import { ProblemList } from "./ProblemList.tsx"
import { sentenceOf } from "./sentence.ts"
import { TextPart } from "./TextPart.tsx"
import { firstTime, shownTime } from "./times.ts"
import { useOtherTabs } from "./useOtherTabs.ts"
import { useProblems } from "./useProblems.ts"
import { type Begun, type Saving, useSession } from "./useSession.ts"
import { useUnchanged } from "./useUnchanged.ts"
import { readTime, WhenFields } from "./WhenFields.tsx"
import "../styles/compose.css"

/** After the fields: nobody waits for these to write. */
const ClashDialog = lazy(async () => ({ default: (await import("./ClashDialog.tsx")).ClashDialog }))
const OptionsPart = lazy(async () => ({ default: (await import("./OptionsPart.tsx")).OptionsPart }))
const ThreadPart = lazy(async () => ({ default: (await import("./ThreadPart.tsx")).ThreadPart }))
const PreviewPane = lazy(async () => ({ default: (await import("./preview/PreviewPane.tsx")).PreviewPane }))

const zone = workspace.timezone
const mac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** What is not wrong yet while nothing is written: it is said when the post is to go out. */
const quiet: ReadonlySet<string> = new Set(["no_account", "time_required", "empty_post"])

const none: Accounts = new Map()

const useClock = () => {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 20_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The next free slot of the queue; null: there is none. */
const useNextSlot = () =>
  useQuery({
    queryKey: ["queue", "next"],
    queryFn: async ({ signal }) => {
      try {
        const { data } = await carillon.queue.next({ count: 1 }, { signal })
        return data[0]?.scheduled_at ?? null
      } catch (error) {
        if (error instanceof InvalidRequestError) return null
        throw error
      }
    },
    staleTime: 30_000
  }).data

const clockOf = (at: Date) => wallClock(at, zone).time

const savedWords = (saving: Saving, isSaved: boolean): ReactNode => {
  switch (saving.kind) {
    case "saving":
      return words.saving
    case "offline":
      return (
        <>
          <Icon name="offline" /> {words.keptHere}
        </>
      )
    case "refused":
      return (
        <span className="bad">
          <Icon name="warning" /> {words.notSaved}
        </span>
      )
    case "saved":
      return isSaved ? (
        <>
          <Icon name="check" /> {words.saved(clockOf(saving.at))}
        </>
      ) : (
        words.saving
      )
    case "none":
      return null
  }
}

interface Props {
  readonly begun: Begun
  readonly onMade: (id: string) => void
  /** It is no longer to be written. */
  readonly onSent: () => void
}

export const Composer = ({ begun, onMade, onSent }: Props) => {
  const navigate = useNavigate()
  const session = useSession(begun, { onMade })
  const { act, clash, form, isSaved, saving, stored } = session
  const now = useClock()
  const accountList = useAccountList()
  const accounts = accountList.data ?? none
  const chosen = useMemo(
    () => form.accounts.map((id) => accounts.get(id)).filter((one): one is Account => one !== undefined),
    [form.accounts, accounts]
  )
  const all = useMemo(() => [...accounts.values()], [accounts])
  const outline = useUnchanged({
    ...form,
    caption: "",
    thread: form.thread.map((item) => ({ ...item, caption: "" }))
  })
  const mediaIds = useMemo(() => idsIn(outline), [outline])
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
  const [isSending, setSending] = useState(false)
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
  const { askAgain, checkedAt, problems } = useProblems({
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
        const hasChains = platformRules[account.platform].chains !== undefined
        return { account, caption, media: files, options, following: hasChains ? thread : [] }
      }),
    [chosen, seen]
  )
  const isNarrow = useNarrow()
  const scroller = useRef<HTMLDivElement>(null)
  const closeList = useCallback(() => {
    setListed(false)
    document.querySelector<HTMLElement>("[data-opens-problems]")?.focus()
  }, [])

  // --- where the focus goes

  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    // The files of a level that is not shown are in the page too.
    const element =
      [...document.querySelectorAll<HTMLElement>(wanted.current)].find((one) => one.checkVisibility()) ??
      document.querySelector<HTMLElement>('[data-anchor="text"]')
    wanted.current = null
    element?.scrollIntoView({ block: "center" })
    element?.focus()
  })

  const go = ({ place }: Placed) => {
    setListed(false)
    switch (place.on) {
      case "accounts":
        wanted.current =
          place.account === null
            ? ".account-chip"
            : `[data-anchor="account:${CSS.escape(String(place.account))}"]`
        return
      case "text":
        setLevel(place.level)
        wanted.current = '[data-anchor="text"]'
        return
      case "thread":
        setLevel(place.level)
        wanted.current =
          place.item === null
            ? ".networks label, .thread .link"
            : `[data-thread="${place.level}"] [data-item="${place.item}"] ${place.media === null ? "textarea" : `[data-anchor="media:${place.media}"]`}`
        return
      case "time":
        wanted.current = '[data-anchor="time"]'
        return
      case "media":
        setLevel(place.level)
        wanted.current = `[data-anchor="${place.media === null ? "media" : `media:${place.media}`}"]`
        return
      case "option":
        setOwner(place.account ?? place.platform)
        wanted.current = `[data-option="${CSS.escape(optionOf(place.path))}"] :is(input, select, textarea, button)`
        return
    }
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

  /** Gives the text, the files or the chain of a level back to the one above it. */
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

  const chooseAccounts = useCallback(
    (ids: ReadonlyArray<number>) => act({ type: "accounts", accounts: ids }),
    [act]
  )
  const chooseWhen = useCallback((when: When) => act({ type: "when", when }), [act])
  const shareText = useCallback((of: Exclude<Level, "everywhere">) => latest.current.share(of, "caption"), [])
  const shareMedia = useCallback((of: Exclude<Level, "everywhere">) => latest.current.share(of, "media"), [])
  const shareThread = useCallback(
    (of: Exclude<Level, "everywhere">) => latest.current.share(of, "thread"),
    []
  )
  const showUploads = useCallback(
    (field: string | number, count: number) =>
      setUploads((before) => new Map(before).set(String(field), count)),
    []
  )

  // --- sending

  const leave = useRef(false)
  const depart = (to: "/" | "/posts/$id", id?: string) => {
    leave.current = true
    onSent()
    void queries.invalidateQueries({ queryKey: calendarKey })
    void queries.invalidateQueries({ queryKey: ["queue"] })
    if (id !== undefined) void queries.invalidateQueries({ queryKey: ["post", id] })
    return to === "/"
      ? navigate({ to: "/", ignoreBlocker: true })
      : navigate({ to: "/posts/$id", params: { id: id! }, ignoreBlocker: true })
  }

  const undo = async (post: Post) => {
    try {
      await carillon.posts.update(post.id, { is_draft: true }, { ifMatch: post })
      toast({ icon: "check", text: words.sent.undone })
    } catch (error) {
      toast({
        icon: "cross",
        text: words.sent.notUndone(error instanceof Error ? error.message : String(error))
      })
    }
    void queries.invalidateQueries({ queryKey: calendarKey })
  }

  const told = (post: Post) => {
    if (form.when.kind === "now") return depart("/posts/$id", post.id)
    const isPlanned = stored !== null && !stored.draft
    if (isPlanned) toast({ icon: "check", text: words.sent.saved })
    if (isDue) return depart("/posts/$id", post.id)
    if (!isPlanned) {
      const { day, time } = wallClock(new Date(post.scheduled_at ?? post.created_at), zone)
      const at = shownTime(`${day}T${time}`)
      toast({
        icon: "check",
        text: form.when.kind === "queue" ? words.sent.queued(at) : words.sent.planned(at),
        action: { label: words.sent.undo, act: () => void undo(post) }
      })
    }
    return depart("/")
  }

  const notDone = (error: unknown, again: () => void) => {
    if (error instanceof InvalidRequestError) {
      setTried(true)
      setListed(true)
      void askAgain()
    } else if (error instanceof ConflictError && error.code === "post_not_editable") {
      toast({ icon: "cross", text: words.failed.underway })
      void depart("/posts/$id", stored!.id)
    } else if (error instanceof ConnectionError)
      toast({
        icon: "offline",
        text: words.failed.offline,
        action: { label: words.failed.retry, act: again }
      })
    else if (error instanceof ConflictError && error.code !== "stale_version")
      toast({ icon: "cross", text: error.message })
    void session.failed(error, again)
  }

  const send = async () => {
    if (isSending) return
    if (uploading > 0) {
      toast({ icon: "upload", text: words.stillUploading(uploading) })
      return
    }
    setSending(true)
    try {
      const found = await askAgain()
      if (found.length > 0) {
        setTried(true)
        setListed(true)
        return
      }
      await told(await session.send())
    } catch (error) {
      notDone(error, () => void latest.current.send())
    } finally {
      setSending(false)
    }
  }

  const keepDraft = async () => {
    if (isSending) return
    if (form.accounts.length === 0) {
      setTried(true)
      return setListed(true)
    }
    setSending(true)
    try {
      await (isDraft ? session.saveDraft() : session.unplan())
      session.end()
      toast({ icon: "check", text: isDraft ? words.sent.kept : words.sent.undone })
      await depart("/")
    } catch (error) {
      notDone(error, () => void latest.current.keepDraft())
    } finally {
      setSending(false)
    }
  }

  const save = () => {
    if (!isDraft) return void send()
    if (form.accounts.length === 0) {
      setTried(true)
      return setListed(true)
    }
    session.saveDraft().catch((error) => notDone(error, save))
  }

  const remove = async () => {
    setRemoving(false)
    try {
      if (stored !== null) await carillon.posts.delete(stored.id, { ifMatch: stored })
      session.end()
      toast({ icon: "check", text: words.removed })
      await depart("/")
    } catch (error) {
      notDone(error, () => void latest.current.remove())
    }
  }

  const latest = useRef({ send, save, share, keepDraft, remove })
  latest.current = { send, save, share, keepDraft, remove }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      if (document.querySelector(".veil") !== null) return
      if (event.key === "Enter") void latest.current.send()
      else if (event.key === "s") latest.current.save()
      else return
      event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])

  // --- leaving

  const hasUnsaved = stored === null ? session.touched && isWritten : !isSaved
  const blocker = useBlocker({
    withResolver: true,
    // What is written is kept in this browser: a reload or a closed tab loses nothing.
    enableBeforeUnload: false,
    shouldBlockFn: ({ next }) => {
      if (leave.current || !hasUnsaved) return false
      if (stored !== null && next.pathname.endsWith(`/posts/${stored.id}`)) return false
      if (isDraft && form.accounts.length > 0) {
        // A draft is saved by itself: it needs no question.
        session.saveDraft().then(
          () => queries.invalidateQueries({ queryKey: calendarKey }),
          (error) => notDone(error, () => {})
        )
        return false
      }
      return true
    }
  })

  // --- what is seen

  const usual = firstTime(undefined, wallClock(now, zone))
  const slotWords = slot === undefined ? "" : slot === null ? words.when.full : shownTime(inZone(slot))
  const main =
    form.when.kind === "now"
      ? words.send.now
      : !isDraft
        ? isDue
          ? words.send.saveDue
          : words.send.save
        : form.when.kind === "queue"
          ? slot == null
            ? words.send.queueAnyhow
            : words.send.queue(slotWords)
          : form.when.value === ""
            ? words.send.chooseTime
            : words.send.schedule(shownTime(form.when.value))
  const describable = new Set(
    chosen.filter(takesDescription(form)).flatMap((account) => resolvedFor(form, account).media)
  )
  const hints = [...describable].flatMap((id) => {
    const file = media.get(id)
    return file?.alt_text === null && file.kind !== "document"
      ? [{ id, text: words.problems.notDescribed(file.name) }]
      : []
  })
  const timeProblem = shown.find(({ place }) => place.on === "time")
  const whenWords =
    form.when.kind === "now"
      ? words.when.now
      : form.when.kind === "queue"
        ? `${words.when.queue}: ${slotWords}`
        : form.when.value === ""
          ? words.send.chooseTime
          : shownTime(form.when.value)
  const checkedWords =
    checkedAt === undefined
      ? words.problems.checking
      : checkedAt === null
        ? words.problems.checkedHere
        : words.problems.checked(clockOf(checkedAt))

  const whenFields = (
    <WhenFields
      when={outline.when}
      zone={zone}
      slot={slotWords}
      problem={timeProblem && sentence(timeProblem)}
      now={now}
      usual={usual}
      onChange={chooseWhen}
    />
  )

  return (
    <div className="composer">
      <div className="bar">
        <Button square look="quiet" aria-label={words.back} onPress={() => void navigate({ to: "/" })}>
          <Icon name="left" />
        </Button>
        <h1 tabIndex={-1}>{begun.stored === null ? words.newPost : words.editPost}</h1>
        <span className={isDraft ? "state draft" : "state planned"}>
          {isDraft ? words.draft : words.planned}
        </span>
        <span className="saved" aria-live="polite">
          {savedWords(saving, isSaved)}
        </span>
        <div className="end">
          {(stored !== null || isNarrow) && (
            <MenuTrigger>
              <AriaButton className="button quiet square" aria-label={words.more}>
                <Icon name="more" />
              </AriaButton>
              <Popover className="popover" placement="bottom end">
                <Menu className="menu" aria-label={words.more}>
                  {isNarrow && (
                    <MenuItem className="entry" onAction={() => void keepDraft()}>
                      <Icon name="pencil" />
                      {isDraft ? words.send.keepDraft : words.send.makeDraft}
                    </MenuItem>
                  )}
                  {stored !== null && (
                    <MenuItem
                      className="entry"
                      onAction={() => void navigate({ to: "/compose", search: { from: stored.id } })}
                    >
                      <Icon name="copy" />
                      {words.duplicate}
                    </MenuItem>
                  )}
                  {stored !== null && (
                    <MenuItem className="entry danger" onAction={() => setRemoving(true)}>
                      <Icon name="trash" />
                      {words.remove}
                    </MenuItem>
                  )}
                </Menu>
              </Popover>
            </MenuTrigger>
          )}
        </div>
      </div>
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
            <TextPart
              form={form}
              outline={outline}
              accounts={chosen}
              media={media}
              problems={shown}
              sentence={sentence}
              tabs={tabs}
              level={tab.level}
              nameOf={nameOf}
              onLevel={setLevel}
              onShare={shareText}
              act={act}
            />
          </section>
          <section aria-label={words.parts.media} id="part-media">
            <MediaPart
              form={outline}
              accounts={chosen}
              tabs={tabs}
              tab={tab}
              nameOf={nameOf}
              problems={shown}
              sentence={sentence}
              act={act}
              onLevel={setLevel}
              onShare={shareMedia}
              onUploading={showUploads}
            />
          </section>
          <Suspense>
            <ThreadPart
              form={form}
              accounts={chosen}
              media={media}
              problems={shown}
              sentence={sentence}
              tabs={tabs}
              tab={tab}
              nameOf={nameOf}
              act={act}
              onShare={shareThread}
              onUploading={showUploads}
            />
          </Suspense>
          <Suspense>
            <OptionsPart
              form={outline}
              accounts={chosen}
              problems={shown}
              sentence={sentence}
              act={act}
              owner={owner}
              onOwner={setOwner}
            />
          </Suspense>
          {isNarrow && (
            <div id="part-preview">
              <Suspense>
                <PreviewPane previews={previews} level={tab.level} />
              </Suspense>
            </div>
          )}
          {isNarrow && (
            <section aria-labelledby="when-title" id="part-when">
              <h2 id="when-title">{words.parts.when}</h2>
              {whenFields}
            </section>
          )}
        </div>
        {!isNarrow && (
          <div className="preview-side">
            <Suspense>
              <PreviewPane previews={previews} level={tab.level} />
            </Suspense>
          </div>
        )}
      </div>
      <footer className="send-bar">
        {isNarrow ? (
          <p className="when-line">
            <Icon name="calendar" />
            <strong>{whenWords}</strong> {form.when.kind === "at" && zonePlace(zone)}
            <button
              type="button"
              className="link"
              onClick={() => {
                document.getElementById("part-when")!.scrollIntoView({ block: "center" })
                document.querySelector<HTMLElement>("#part-when :is(input, [aria-current])")?.focus()
              }}
            >
              {words.change}
            </button>
          </p>
        ) : (
          whenFields
        )}
        <div className="acts">
          {shown.length > 0 && (
            <button
              type="button"
              className="problem-button"
              data-opens-problems
              aria-expanded={isListed}
              aria-haspopup="dialog"
              aria-label={words.problems.title(shown.length)}
              onClick={() => setListed(!isListed)}
            >
              <Icon name="warning" />
              {isNarrow ? shown.length : words.problems.title(shown.length)}
            </button>
          )}
          {isListed && shown.length > 0 && (
            <ProblemList
              problems={shown}
              sentence={sentence}
              accounts={accounts}
              checked={checkedWords}
              hints={hints}
              onHint={(id) => {
                setListed(false)
                setLevel(tabs.find((one) => partAt(form, "media", one).value.includes(id))!.level)
                wanted.current = `[data-anchor="media:${CSS.escape(id)}"]`
              }}
              onGo={go}
              onClose={closeList}
            />
          )}
          {!isNarrow && (
            <Button onPress={() => void keepDraft()}>
              {isDraft ? words.send.keepDraft : words.send.makeDraft}
            </Button>
          )}
          <Button look="main" data-opens-problems onPress={() => void send()}>
            {isSending ? words.send.sending : main}
            {!isNarrow && <kbd aria-hidden="true">{mac ? "⌘↵" : "Ctrl ↵"}</kbd>}
          </Button>
        </div>
      </footer>
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
            onNew={() => {
              session.createDraft().then(
                (post) => {
                  session.end()
                  return depart("/posts/$id", post.id)
                },
                (error) => notDone(error, () => {})
              )
            }}
          />
        </Suspense>
      )}
      {blocker.status === "blocked" && (
        <Dialog title={words.leaving.title} alert onClose={blocker.reset}>
          <p>{words.leaving.text}</p>
          <div className="actions">
            <Button autoFocus onPress={blocker.reset}>
              {words.leaving.stay}
            </Button>
            <Button
              look="danger"
              onPress={() => {
                session.end()
                blocker.proceed()
              }}
            >
              {words.leaving.leave}
            </Button>
          </div>
        </Dialog>
      )}
      {isRemoving && (
        <Dialog title={words.removing.title} alert onClose={() => setRemoving(false)}>
          <p>{words.removing.text}</p>
          <div className="actions">
            <Button autoFocus onPress={() => setRemoving(false)}>
              {words.removing.keep}
            </Button>
            <Button look="danger" onPress={() => void remove()}>
              {words.removing.confirm}
            </Button>
          </div>
        </Dialog>
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
  )
}

const inZone = (instant: string) => {
  const { day, time } = wallClock(new Date(instant), zone)
  return `${day}T${time}`
}

/** Networks that show descriptions, where the post has none of its own for them. */
const takesDescription =
  (form: Form) =>
  (account: Account): boolean =>
    platformRules[account.platform].alt_text !== undefined &&
    !("alt_text" in resolvedFor(form, account).options)

/** Every file that the form names. */
const idsIn = ({ media, ofAccounts, platforms, thread }: Form): ReadonlyArray<string> => [
  ...new Set([
    ...media,
    ...inItems(thread),
    ...[...Object.values(platforms), ...Object.values(ofAccounts)].flatMap((own) => [
      ...(own.media ?? []),
      ...inItems(own.thread ?? []),
      ...["cover_image", "thumbnail"].flatMap((name) => {
        const id = own.options[name]
        return typeof id === "string" ? [id] : []
      })
    ])
  ])
]

const inItems = (items: ReadonlyArray<Item>) => items.flatMap((item) => item.media)
