import type { CreatePost } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useAccounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { reasonOf } from "../data/reasonOf.ts"
import { FileDrop } from "../media/FileDrop.tsx"
import { useFileChooser } from "../media/useFileChooser.tsx"
import { AccountAvatars } from "../post/AccountAvatars.tsx"
import { accountNames } from "../post/accountNames.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Remark } from "../ui/Remark.tsx"
import { Segments } from "../ui/Segments.tsx"
import { Stack } from "../ui/Stack.tsx"
import { TextButton } from "../ui/TextButton.tsx"
import { words as all } from "./en.ts"
import {
  addFiles,
  beginImport,
  checkAgain,
  forgetImport,
  type ImportedRow,
  type ImportRun,
  makePosts,
  stopImport,
  useImportRun
} from "./importRun.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.import

const listTypes = ".csv,.tsv,.txt,.jsonl,.ndjson"
const shownAtOnce = 100

const signs = {
  unchecked: "clock",
  wrong: "warning",
  ready: "check",
  made: "check",
  before: "check",
  failed: "warning"
} as const
const colors = {
  unchecked: "text-soft",
  wrong: "text-bad",
  ready: "text-soft",
  made: "text-good",
  before: "text-good",
  failed: "text-bad"
} as const

const whenOf = ({ is_draft, scheduled_at, use_queue }: CreatePost, now: number) => {
  if (is_draft === true) return words.when.draft
  if (use_queue) return words.when.queue
  if (typeof scheduled_at !== "string") return words.when.now
  const [year] = scheduled_at.split("-")
  const moment = formatMoment(scheduled_at, now, workspace.timezone)
  // A slip of the year is to be seen.
  return Number(year) === new Date(now).getFullYear() ? moment : `${moment} (${year})`
}

const RowLine = ({ now, one }: { readonly now: number; readonly one: ImportedRow }) => {
  const { plan, post, problems, row, state } = one
  const accounts = useAccounts()
  const request = plan?.request(new Map())
  const ids = request?.social_accounts ?? []
  const files = plan?.attachments.length ?? 0
  return (
    <li className="flex gap-3 px-4 py-2 text-sm" data-row={state}>
      <span className={colors[state]} role="img" aria-label={words.states[state]}>
        <Icon name={signs[state]} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-semibold">{row.cells["caption"] ?? words.noText}</span>
          <span className="ms-auto flex-none text-soft">{words.line(row.line)}</span>
        </p>
        {request !== undefined && (
          <p className="flex flex-wrap items-center gap-2 text-soft">
            <AccountAvatars accounts={accounts} ids={ids as ReadonlyArray<number>} />
            <span className="truncate">{accountNames(ids as ReadonlyArray<number>, accounts)}</span>
            <span>{whenOf(request, now)}</span>
            {files > 0 && <span>{words.files(files)}</span>}
            {state === "before" && <span>{words.states.before}</span>}
            {post !== undefined && (
              <Link to="/posts/$id" params={{ id: post.id }}>
                {words.open}
              </Link>
            )}
          </p>
        )}
        {problems.map((problem) => (
          <p key={problem} className="break-words text-bad">
            {problem}
          </p>
        ))}
      </div>
    </li>
  )
}

const Rows = ({ rows }: { readonly rows: ReadonlyArray<ImportedRow> }) => {
  const [only, setOnly] = useState<"all" | "wrong">("all")
  const [most, setMost] = useState(shownAtOnce)
  const now = useNow(false)
  const wrong = rows.filter(({ problems }) => problems.length > 0)
  const shown = only === "wrong" ? wrong : rows
  return (
    <Card label={words.rows}>
      {wrong.length > 0 && (
        <div className="px-4 pt-3 pb-2">
          <Segments
            label={words.rows}
            options={[
              { id: "all", name: words.all(rows.length) },
              { id: "wrong", name: words.wrong(wrong.length) }
            ]}
            chosen={only}
            onChoose={setOnly}
          />
        </div>
      )}
      <ul className="divide-y divide-hair">
        {shown.slice(0, most).map((one) => (
          <RowLine key={one.row.line} one={one} now={now} />
        ))}
      </ul>
      {shown.length > most && (
        <div className="flex justify-center p-3">
          <Button onPress={() => setMost(most + shownAtOnce)}>{all.more}</Button>
        </div>
      )}
    </Card>
  )
}

const Progress = ({ run }: { readonly run: ImportRun }) => {
  const count = (...states: ReadonlyArray<ImportedRow["state"]>) =>
    run.rows.filter(({ state }) => states.includes(state)).length
  const total = run.rows.length
  const [wrong, failed, left] = [count("wrong"), count("failed"), count("ready", "failed")]
  const made = count("made", "before")
  const done = run.busy === "checking" ? total - count("unchecked") : made + failed
  const goingOut = run.rows.filter(
    ({ plan, state }) => state === "ready" && plan !== undefined && isForNow(plan.request(new Map()))
  ).length
  return (
    <Card
      title={run.name}
      beside={run.busy !== "making" && <TextButton onClick={forgetImport}>{words.another}</TextButton>}
    >
      <Stack>
        <p className="text-sm" role="status">
          {run.busy === "checking"
            ? words.checking(done, total)
            : run.busy === "making"
              ? words.making(done, total - wrong)
              : words.summary(total, wrong, made, failed)}
        </p>
        {run.busy !== null && (
          <progress
            className="h-1 w-full accent-brand"
            max={run.busy === "making" ? total - wrong : total}
            value={done}
            aria-label={words.progress}
          />
        )}
        {run.stopped !== null && (
          <Remark tone="bad" icon="warning" role="alert">
            {run.stopped} {words.safe}
          </Remark>
        )}
        {run.missing.length > 0 && run.busy === null && <MissingFiles missing={run.missing} />}
        {goingOut > 0 && run.busy === null && (
          <Remark tone="plain" icon="bolt">
            {words.goingOut(goingOut)}
          </Remark>
        )}
        {wrong > 0 && run.busy === null && <p className="text-sm text-soft">{words.leftOut}</p>}
        <Actions>
          {run.busy === null && left > 0 && (
            <Button look="main" onPress={() => void makePosts()}>
              {made + failed > 0 ? words.goOn(left) : words.make(left)}
            </Button>
          )}
          {run.busy === null && count("unchecked") > 0 && (
            <Button onPress={checkAgain}>{words.checkAgain}</Button>
          )}
          {run.busy === "making" && <Button onPress={stopImport}>{words.stop}</Button>}
        </Actions>
      </Stack>
    </Card>
  )
}

const isForNow = ({ is_draft, scheduled_at, use_queue }: CreatePost) =>
  is_draft !== true && !use_queue && scheduled_at === undefined

const MissingFiles = ({ missing }: { readonly missing: ReadonlyArray<string> }) => {
  const chooser = useFileChooser(words.chooseFiles, addFiles)
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="break-words">{words.missing(missing.slice(0, 5).join(", "), missing.length)}</p>
      <div>
        <Button onPress={chooser.open}>{words.chooseFiles}</Button>
        {chooser.input}
      </div>
    </div>
  )
}

const Columns = () => (
  <Card title={words.columns}>
    <dl className="m-0 divide-y divide-hair text-sm">
      {words.columnList.map(([name, text]) => (
        <div key={name} className="flex flex-wrap gap-x-4 px-4 py-2">
          <dt className="w-48 flex-none font-semibold">{name}</dt>
          <dd className="m-0 min-w-0 flex-1 basis-48 break-words text-soft">{text}</dd>
        </div>
      ))}
    </dl>
  </Card>
)

/** Posts from the rows of a file: seen first, made then. */
export const ImportPosts = () => {
  const run = useImportRun()
  const [unusable, setUnusable] = useState<string>()
  const begin = (chosen: ReadonlyArray<File>) => {
    const [file] = chosen
    if (file === undefined) return
    setUnusable(undefined)
    beginImport(file).catch((error: unknown) => setUnusable(reasonOf(error)))
  }
  const chooser = useFileChooser(words.choose, begin, listTypes)
  return (
    <SettingsPage>
      <p className="text-sm text-soft max-sm:px-4">{words.text}</p>
      {run === null ? (
        <>
          <Card title={words.title}>
            <Stack>
              <p className="text-sm">{words.first}</p>
              {unusable !== undefined && (
                <Remark tone="bad" icon="warning" role="alert">
                  {unusable}
                </Remark>
              )}
              <Actions>
                <Button look="main" onPress={chooser.open}>
                  <Icon name="upload" />
                  {words.choose}
                </Button>
              </Actions>
              {chooser.input}
              <FileDrop onFiles={begin} title={words.drop} text={words.dropText} />
            </Stack>
          </Card>
          <Columns />
        </>
      ) : (
        <>
          <Progress run={run} />
          <Rows rows={run.rows} />
          {run.busy === null && <FileDrop onFiles={addFiles} title={words.drop} text={words.dropFiles} />}
        </>
      )}
    </SettingsPage>
  )
}
