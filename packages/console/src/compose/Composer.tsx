import type { PlatformId } from "@carillon/sdk"
import {
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from "react"
import { flushSync } from "react-dom"
import { workspace } from "../data/api.ts"
import { useHeldPost } from "../data/posts.ts"
import { useNextSlot } from "../data/queue.ts"
import { wallClock } from "../time/zone.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { buttonClass } from "../ui/Button.tsx"
import { later } from "../ui/later.ts"
import { useNarrow } from "../ui/useNarrow.ts"
import { useWide } from "../ui/useWide.ts"
import { toast } from "../ui/toast.ts"
import { AccountList } from "../post/AccountList.tsx"
import { ClientAnswers } from "../post/ClientAnswers.tsx"
import { HeldNote } from "../post/HeldNote.tsx"
import { AccountChips } from "./AccountChips.tsx"
import { AccountLine } from "./AccountLine.tsx"
import { ComposerBar } from "./ComposerBar.tsx"
import { ComposerContext, FormContext } from "./ComposerContext.ts"
import { ComposerDialogs } from "./ComposerDialogs.tsx"
import { type InitialDraft, isDraft as isADraft, isSaved } from "./Draft.ts"
import { words } from "./en.ts"
import { fieldNames, fieldOf } from "./fieldOf.ts"
import { FocusContext, makeFocusFields } from "./focusFields.ts"
import { type Level, ownOf, partAt, type When } from "./Form.ts"
import { tabHolding } from "./levels.ts"
import { MediaPart } from "./media/MediaPart.tsx"
import type { Placed } from "./problems.ts"
import { Notice } from "./Notice.tsx"
import { RepairNote } from "./RepairNote.tsx"
import { SubmitBar } from "./SubmitBar.tsx"
import { TextPart } from "./TextPart.tsx"
import { Trouble } from "./Trouble.tsx"
import { firstTime, shownTime } from "./times.ts"
import { useComposerData } from "./useComposerData.ts"
import { useDraft } from "./useDraft.ts"
import { useOtherTabs } from "./useOtherTabs.ts"
import { useSubmit } from "./useSubmit.ts"
import { WhenLine } from "./WhenLine.tsx"
import { inZone, slotWords } from "./zoned.ts"

/** Loaded after the fields, because nobody needs them to begin writing. */
const OptionsPart = later(() => import("./OptionsPart.tsx"), "OptionsPart")
const ThreadPart = later(() => import("./ThreadPart.tsx"), "ThreadPart")
const PreviewPane = later(() => import("./PreviewPane.tsx"), "PreviewPane")

const zone = workspace.timezone

/** Where this browser keeps that the preview is hidden. */
const hiddenKey = "carillon.preview"

interface Props {
  readonly initial: InitialDraft
  readonly onMade: (id: string) => void
  /** Writing is over. */
  readonly onSent: () => void
}

export const Composer = ({ initial, onMade, onSent }: Props) => {
  const { draft, store } = useDraft(initial, onMade)
  const { form, status, stored } = draft
  const { change } = store
  const [level, setLevel] = useState<Level>("everywhere")
  const [owner, setOwner] = useState<PlatformId | number | undefined>(undefined)
  const [isTiming, setTiming] = useState(false)
  const [isPreviewHidden, setPreviewHidden] = useState(() => localStorage.getItem(hiddenKey) === "hidden")
  const [isListed, setListed] = useState(false)
  const [isTried, setTried] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const [uploads, setUploads] = useState<ReadonlyMap<string, number>>(new Map())
  const [fields] = useState(makeFocusFields)
  const data = useComposerData(draft, level, isTried)
  const { chosen, isDue, isWritten, media, nameOf, now, outline, problems, sentence, tab, tabs } = data
  const isDraft = isADraft(draft)
  const slot = useNextSlot()
  const held = useHeldPost(initial.stored?.id)
  const others = useOtherTabs(stored?.id)
  const isNarrow = useNarrow()
  const isWide = useWide()

  const uploading = [...uploads.values()].reduce((sum, count) => sum + count, 0)
  useEffect(() => {
    if (uploading === 0) return
    store.setUploading(uploading)
    return () => store.setUploading(0)
  }, [store, uploading])

  const submit = useSubmit({
    draft,
    store,
    isHeld: held !== undefined,
    isDue,
    isWritten,
    uploading,
    findHere: data.findHere,
    onRefused: (found) => {
      if (found !== undefined) data.takeRefusal(found)
      setTried(true)
      setListed(true)
    },
    onSent
  })

  const saveFirst = async () => {
    if (uploading > 0) throw new Error(words.stillUploading(uploading))
    if (form.accounts.length === 0) throw new Error(words.chooseAccounts)
    await store.ask("save")
    await store.look()
    if (store.read().status.is === "conflict") throw new Error(words.clash.beforeApproval)
    return store.read().stored
  }

  const go = (placed: Placed) => {
    const target = fieldOf(placed)
    // The field may not be on the page before.
    flushSync(() => {
      setListed(false)
      if (target.level !== undefined) setLevel(target.level)
      if (target.owner !== undefined) setOwner(target.owner)
      setTiming(false)
    })
    if (placed.place.on === "time") {
      // When its fields close, the focus is where it was before.
      fields.focus(fieldNames.when)
      return setTiming(true)
    }
    fields.show(target.field, fieldNames.text(target.level ?? tab.level), fieldNames.text("everywhere"))
  }
  const describe = (id: string) => {
    const holding = tabHolding(form, tabs, id)!
    const at = holding.level
    flushSync(() => {
      setListed(false)
      setLevel(at)
    })
    fields.show(
      fieldNames.file(fieldNames.media(at), id),
      ...partAt(form, "thread", holding).value.map((_, index) =>
        fieldNames.file(fieldNames.itemMedia(at, index), id)
      )
    )
  }

  // The first field to fill in has the focus, except on a phone, where it would open the keyboard.
  const focusFirst = useEffectEvent(() => {
    if (document.activeElement !== document.body) return
    fields.focus(
      isNarrow ? "title" : form.accounts.length === 0 ? fieldNames.accounts : fieldNames.text("everywhere")
    )
  })
  const { areAccountsRead } = data
  useEffect(() => {
    if (areAccountsRead) focusFirst()
  }, [areAccountsRead])

  /** Drops the text, files or thread of a level, which then come from the level above. */
  const share = (of: Exclude<Level, "everywhere">, part: "caption" | "media" | "thread") => {
    const before = ownOf(form, of)
    const give = ({ caption, media, thread }: Partial<typeof before>) =>
      change(
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
  const latestShare = useRef(share)
  useLayoutEffect(() => {
    latestShare.current = share
  })

  const composer = useMemo(
    () => ({
      outline,
      accounts: chosen,
      media,
      problems,
      sentence,
      tabs,
      tab,
      nameOf,
      act: change,
      onLevel: setLevel,
      onShare: (...what: Parameters<typeof share>) => latestShare.current(...what),
      onUploading: (field: string | number, count: number) =>
        setUploads((before) => new Map(before).set(String(field), count))
    }),
    [outline, chosen, media, problems, sentence, tabs, tab, nameOf, change]
  )
  const chooseAccounts = useCallback(
    (accounts: ReadonlyArray<number>) => change({ type: "accounts", accounts }),
    [change]
  )
  const chooseWhen = useCallback((next: When) => change({ type: "when", when: next }), [change])

  const timeProblem = problems.find(({ place }) => place.on === "time")
  const choice = {
    accounts: data.offered,
    chosen: outline.accounts,
    troubles: data.troubles,
    register: fields.register,
    onChange: chooseAccounts
  }
  const Choice = isNarrow ? AccountLine : isWide ? AccountList : AccountChips
  const accounts = (
    <section aria-label={words.parts.accounts} className="flex max-h-full min-h-0 flex-col">
      {data.areAccountsPending ? (
        <Skeleton rows={1} height={36} />
      ) : data.hasAccounts ? (
        <Choice {...choice} />
      ) : (
        <EmptyState title={words.noAccounts.title} text={words.noAccounts.text}>
          <a className={buttonClass("main")} href="/app/accounts">
            {words.noAccounts.connect}
          </a>
        </EmptyState>
      )}
      {isTried && form.accounts.length === 0 && data.hasAccounts && <Trouble>{words.chooseAccounts}</Trouble>}
    </section>
  )
  const preview = (
    <Suspense>
      <PreviewPane
        previews={data.previews}
        level={tab.level}
        areAll={isWide}
        isHidden={isPreviewHidden}
        troubles={data.troubles}
        onHide={(hidden) => {
          setPreviewHidden(hidden)
          if (hidden) localStorage.setItem(hiddenKey, "hidden")
          else localStorage.removeItem(hiddenKey)
        }}
      />
    </Suspense>
  )

  return (
    <FocusContext value={fields}>
      <ComposerContext value={composer}>
        <FormContext value={form}>
          <div className="-mx-room flex min-h-0 flex-1 flex-col max-md:bg-card max-sm:mx-0" data-composer>
            <ComposerBar
              isNew={initial.stored === null}
              isRepair={initial.repairs.length > 0}
              isDraft={isDraft}
              isSaved={isSaved(draft)}
              status={status}
              id={stored?.id}
              onKeepDraft={() => void submit.keepDraft()}
              onRemove={() => setRemoving(true)}
            />
            {initial.repairs.length > 0 && <RepairNote failures={initial.repairs} />}
            {held !== undefined && (
              <div className="mx-room mb-3 flex-none">
                <HeldNote post={held} latest={saveFirst} onDecided={submit.leave} />
              </div>
            )}
            <div className="mx-room mb-3 flex-none empty:hidden">
              <ClientAnswers postId={stored?.id} version={stored?.version} />
            </div>
            {initial.nextTry !== null && (
              <Notice icon="clock" role="status">
                {words.nextTry(shownTime(inZone(initial.nextTry)))}
              </Notice>
            )}
            {others && (
              <Notice icon="copy" role="status">
                {words.otherTab}
              </Notice>
            )}
            {status.is === "refused" && (
              <Notice icon="warning" role="alert">
                {status.reason}
              </Notice>
            )}
            <div className={`${sheets} ${isPreviewHidden ? columns.alone : columns.beside}`}>
              {isWide && accounts}
              <div className={paper} data-paper>
                {!isWide && accounts}
                <section aria-label={words.parts.text}>
                  <TextPart />
                </section>
                <section aria-label={words.parts.media}>
                  <MediaPart />
                </section>
                <Suspense>
                  <ThreadPart />
                </Suspense>
                <Suspense>
                  <OptionsPart owner={owner} onOwner={setOwner} />
                </Suspense>
                {isNarrow && preview}
              </div>
              {!isNarrow && (
                <div className="max-h-full overflow-y-auto" data-scrolls>
                  {preview}
                </div>
              )}
            </div>
            <SubmitBar
              checkedAt={data.checkedAt}
              cost={data.cost}
              isDraft={isDraft}
              isHeld={held !== undefined}
              isDue={isDue}
              isListed={isListed}
              isSending={submit.isSending}
              slot={slot}
              onDescribe={describe}
              onGo={go}
              onKeepDraft={() => void submit.keepDraft()}
              onList={setListed}
              onSend={() => void submit.send()}
            >
              <WhenLine
                when={outline.when}
                zone={zone}
                slot={slotWords(slot)}
                problem={timeProblem && sentence(timeProblem)}
                now={now}
                usual={firstTime(undefined, wallClock(now, zone))}
                isOpen={isTiming}
                onOpen={setTiming}
                onChange={chooseWhen}
              />
            </SubmitBar>
            <ComposerDialogs
              draft={draft}
              store={store}
              submit={submit}
              isRemoving={isRemoving}
              onRemoving={setRemoving}
            />
          </div>
        </FormContext>
      </ComposerContext>
    </FocusContext>
  )
}

const sheets = [
  "grid min-h-0 flex-1 grid-rows-1 items-start gap-6 px-room pb-4",
  "max-md:flex max-md:flex-col max-md:items-stretch max-md:overflow-y-auto max-md:p-0"
].join(" ")

const columns = {
  alone: "grid-cols-beside xl:grid-cols-writing-alone",
  beside: "grid-cols-preview lg:grid-cols-preview-wide xl:grid-cols-writing"
}

const paper = [
  "flex max-h-full flex-col gap-4 overflow-y-auto rounded-card border border-line bg-card px-6 py-4",
  "*:flex-none max-md:max-h-none max-md:overflow-visible max-md:rounded-none max-md:border-0 max-md:px-4"
].join(" ")
