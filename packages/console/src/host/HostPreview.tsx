import { networkName } from "../data/networkName.ts"
import type { Media } from "@carillon/sdk"
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react"
import type { Offer } from "../data/accounts.ts"
import { listed, type Offered } from "../data/offered.ts"
import { Preview } from "../preview/Preview.tsx"
import { FoldContext } from "../preview/PreviewText.tsx"
import { formatMoment } from "../post/formatMoment.ts"
import { placeOf, wallClock } from "../time/zone.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { AccountShown, ContentShown } from "./appData.ts"
import { AskToPublish } from "./AskToPublish.tsx"
import { callTool, type Input, openLink, tellModel } from "./bridge.ts"
import { words } from "./en.ts"
import { withName } from "../data/withName.ts"
import { type Notice, NoticeLine } from "./NoticeLine.tsx"
import { type Changed, noticeOf } from "./noticeOf.ts"
import { WhenField } from "./WhenField.tsx"

/** The answer of the tool `preview_post`. */
export interface Answer {
  readonly valid: boolean
  readonly goes_out: "now" | "later" | "never"
  readonly scheduled_at: string | null
  readonly warnings: ReadonlyArray<string>
  readonly problems: ReadonlyArray<{ readonly code: string; readonly message: string }>
  readonly accounts: ReadonlyArray<{
    readonly account_id: number
    readonly caption_length: number
    readonly caption_limit: number
    readonly caption_unit: string
    readonly problems: ReadonlyArray<string>
  }>
}

export interface PreviewShown extends ContentShown {
  readonly answer: Answer
}

interface Props {
  readonly shown: PreviewShown
  readonly input: Input
  /** The outcome of the step that led here. */
  readonly noticeBefore: Notice | undefined
  /** Shows the preview of another post instead. */
  readonly onAgain: (input: Input, notice: Notice) => Promise<void>
}

const headingOf = ({ answer: { goes_out, scheduled_at, valid }, needs_approval, timezone }: PreviewShown) => {
  if (!valid) return words.goesOut.refused
  if (goes_out === "now") return words.goesOut.now
  if (goes_out === "never") return needs_approval ? words.goesOut.approval : words.goesOut.never
  return scheduled_at === null
    ? words.goesOut.some
    : words.goesOut.later(formatMoment(scheduled_at, Date.now(), timezone), placeOf(timezone))
}

/** Names accounts in a sentence of a tool by username alone: ids are for models. */
const withoutIds = (text: string, accounts: PreviewShown["accounts"]) =>
  accounts.reduce(
    (said, { account: { id, username } }) => said.replace(` (account ${id})`, ` @${username}`),
    text.replaceAll(/ \((@[^,)]+), account \d+\)/g, " $1")
  )

const Lines = ({
  label,
  lines,
  look
}: {
  readonly label: string
  readonly lines: ReadonlyArray<ReactNode>
  readonly look: string
}) =>
  lines.length > 0 && (
    <ul className={`list-disc ps-4 text-sm ${look}`} aria-label={label}>
      {lines.map((line, index) => (
        // Lines may repeat, and none moves.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>{line}</li>
      ))}
    </ul>
  )

interface OnAccountProps {
  readonly shown: AccountShown
  readonly answer: Answer["accounts"][number]
  readonly problems: ReadonlyArray<string>
  readonly items: ReadonlyMap<string, Media>
}

/** Keeps the buttons below the text on the screen. */
const most = { characters: 280, lines: 6 }

/** The post as one account gets it. */
const OnAccount = ({ answer, items, problems, shown }: OnAccountProps) => {
  const { caption_length, caption_limit, caption_unit } = answer
  const account = useMemo(() => withName(shown.account), [shown])
  const [boards, setBoards] = useState<ReadonlyArray<Offered>>([])
  useEffect(() => {
    if (account.platform !== "pinterest") return
    callTool("get_platform_options", { account_id: account.id })
      .then(({ structuredContent }) => {
        const { choices } = structuredContent as unknown as Offer
        return setBoards(listed([{ account, choices }], "board_ids"))
      })
      // Without names, the preview says only that a board is chosen.
      .catch(() => {})
  }, [account])
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h2 className="flex items-center gap-2 text-sm">
        <Avatar account={account} size={28} />
        {account.name} <small className="font-normal text-soft">{networkName(account)}</small>
      </h2>
      <Lines label={words.problems} look="text-bad" lines={problems} />
      <FoldContext value={most}>
        <Preview {...shown} account={account} items={items} boards={boards} />
      </FoldContext>
      <p className={`text-xs tabular-nums ${caption_length > caption_limit ? "text-bad" : "text-soft"}`}>
        {words.count(caption_length, caption_limit, caption_unit)}
      </p>
    </section>
  )
}

/** Shows a post as each network will, and creates it. */
export const HostPreview = ({ input, onAgain, noticeBefore, shown }: Props) => {
  const { accounts, answer, media, public_url, timezone } = shown
  const proposed = (() => {
    if (answer.scheduled_at === null) return ""
    const { day, time } = wallClock(new Date(answer.scheduled_at), timezone)
    return `${day}T${time}`
  })()
  const [when, setWhen] = useState(proposed)
  const [step, setStep] = useState<"choose" | "publish" | "made">("choose")
  const [made, setMade] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [notice, setNotice] = useState(noticeBefore)
  const [upload, setUpload] = useState<string>()
  // A repeated click after a lost answer makes no second post.
  const keys = useRef(new Map<string, string>())

  const act = async (work: () => Promise<Notice>) => {
    setBusy(true)
    try {
      setNotice(await work())
    } catch (error) {
      setNotice({ text: words.notDone((error as Error).message), bad: true })
    }
    setBusy(false)
  }

  const create = (args: Input, text?: string) =>
    act(async () => {
      const same = JSON.stringify(args)
      const key = keys.current.get(same) ?? `app-${Date.now()}-${Math.random().toString(36).slice(2)}`
      keys.current.set(same, key)
      const { structuredContent } = await callTool("create_post", { ...args, idempotency_key: key })
      const post = structuredContent as unknown as Changed & { readonly id: string }
      setStep("made")
      setMade(post.id)
      tellModel(
        `The user pressed a button in the preview and the post ${post.id} was made. ${post.what_happened} Do not create it again.`
      )
      return text === undefined || post.approval !== undefined ? noticeOf(post, timezone) : { text }
    })

  const { scheduled_at: _, use_queue: __, is_draft: ___, ...content } = input
  const isAsProposed = when !== "" && when === proposed
  const schedule = () => {
    const proposal =
      "use_queue" in input ? { use_queue: input["use_queue"] } : { scheduled_at: input["scheduled_at"] }
    return create({ ...content, ...(isAsProposed ? proposal : { scheduled_at: `${when}[${timezone}]` }) })
  }
  const saveDraft = () =>
    create({
      ...content,
      ...("scheduled_at" in input ? { scheduled_at: input["scheduled_at"] } : {}),
      is_draft: true
    })

  const addFile = () =>
    act(async () => {
      const { structuredContent } = await callTool("create_media_upload", {})
      const { browser_upload_page, media_id } = structuredContent as Record<string, string>
      openLink(browser_upload_page!)
      setUpload(media_id)
      return { text: words.chooseFile }
    })
  const fileSent = () =>
    act(async () => {
      const { structuredContent } = await callTool("complete_media_upload", { media_id: upload })
      const { id, name } = structuredContent as Record<string, string>
      const files = [...((input["media"] as ReadonlyArray<string> | undefined) ?? []), id]
      const done = { text: words.fileAdded(name!) }
      await onAgain({ ...input, media: files }, done)
      return done
    })

  const items = new Map(media.map((item) => [item.id as string, item]))
  const urls = (input["media_urls"] as ReadonlyArray<string> | undefined) ?? []
  const forPerson = (text: string) => withoutIds(text, accounts)
  // Another time can be chosen here; the chat has to correct what an account refuses.
  const refused = answer.accounts.some(({ problems }) => problems.length > 0)
  return (
    <main className="flex flex-col gap-3">
      <h1>{headingOf(shown)}</h1>
      <Lines
        label={words.problems}
        look="text-bad"
        lines={answer.problems.map(({ code, message }) => words.plainly[code] ?? forPerson(message))}
      />
      <Lines label={words.warnings} look="text-soft" lines={answer.warnings.map(forPerson)} />
      <section className="grid grid-cols-cards gap-4" aria-label={words.preview}>
        {answer.accounts.map((one) => {
          const found = accounts.find(({ account }) => account.id === one.account_id)
          return (
            found && (
              <OnAccount
                key={one.account_id}
                shown={found}
                answer={one}
                problems={one.problems.map(forPerson)}
                items={items}
              />
            )
          )
        })}
      </section>
      {urls.length > 0 && <Lines label={words.fetched} look="text-soft" lines={[words.fetched, ...urls]} />}
      <NoticeLine notice={notice} />
      {step === "made" && (
        <a className={`${buttonClass()} self-start`} href={`${public_url}/app/posts/${made}`}>
          {words.open}
          <Icon name="link" />
        </a>
      )}
      {step === "publish" && (
        <AskToPublish
          accounts={(input["social_accounts"] as ReadonlyArray<number>).length}
          isDisabled={busy}
          onNo={() => setStep("choose")}
          onYes={() => void create(content, words.publishing)}
        />
      )}
      {step === "choose" && (
        <>
          {refused ? (
            <p className="text-sm text-bad">{words.refused}</p>
          ) : (
            <div className="max-w-form">
              <WhenField
                label={words.when(placeOf(timezone))}
                value={when}
                onChange={setWhen}
                zone={timezone}
              />
            </div>
          )}
          {/* A host's frame may be lower than the post. */}
          <div className="sticky bottom-0 flex flex-wrap gap-2 bg-card py-2">
            {!refused && (
              <>
                <Button
                  look="main"
                  isDisabled={busy || when === "" || (isAsProposed && !answer.valid)}
                  onPress={schedule}
                >
                  {words.schedule}
                </Button>
                <Button onPress={() => setStep("publish")}>{words.publish}</Button>
              </>
            )}
            <Button isDisabled={busy} onPress={saveDraft}>
              {words.saveDraft}
            </Button>
            {upload === undefined ? (
              <Button look="quiet" onPress={addFile}>
                <Icon name="upload" />
                {words.addFile}
              </Button>
            ) : (
              <Button onPress={fileSent}>{words.fileSent}</Button>
            )}
          </div>
        </>
      )}
    </main>
  )
}
