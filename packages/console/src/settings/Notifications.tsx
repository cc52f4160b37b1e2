import type {
  NotificationAttempt,
  NotificationEvent,
  NotificationFormat,
  Notifications as Told
} from "@carillon/sdk"
import { certainFormat } from "@carillon/domain/CertainFormat"
import { useId, useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { notificationsChanged, useNotifications } from "../data/notifications.ts"
import { useAct } from "../data/useAct.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Select } from "../ui/Select.tsx"
import { Stack } from "../ui/Stack.tsx"
import { Said, TextField } from "../ui/TextField.tsx"
import { Tick } from "../ui/Tick.tsx"
import { toggled } from "../ui/toggled.ts"
import { words as all } from "./en.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.notifications
const types = Object.entries(words.types) as ReadonlyArray<[NotificationEvent, string]>
const formats = Object.entries(words.formats).map(([id, name]) => ({ id, name }))

/** Where people are told, and of what. */
const Form = ({ told }: { readonly told: Told }) => {
  const [url, setUrl] = useState("")
  const [format, setFormat] = useState<NotificationFormat | null>(null)
  const [events, setEvents] = useState<ReadonlyArray<NotificationEvent>>(
    told.url === null ? types.map(([id]) => id) : told.events
  )
  const [asked, setAsked] = useState(false)
  const { act, busy } = useAct()
  const { dialog, withPassword } = useConfirmPassword()
  const said = useId()
  const address = url.trim()
  const certain = certainFormat(address)
  const chosen = certain ?? format ?? (address === "" ? told.format : null)
  const isMissing = address === "" && told.url === null
  const save = () =>
    act("save", {
      do: async () => {
        const set = { events, ...(address === "" ? {} : { url: address }), ...(chosen && { format: chosen }) }
        if (await withPassword(() => carillon.notifications.set(set))) {
          setUrl("")
          setFormat(null)
        }
      },
      failed: words.notSaved,
      changed: notificationsChanged
    })
  return (
    <Card title={words.title}>
      <Stack>
        <form
          className="flex flex-col gap-4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setAsked(true)
            if (!isMissing && chosen !== null && events.length > 0) void save()
          }}
        >
          <TextField
            label={words.url}
            help={told.url === null ? words.urlHelp : words.urlKept(told.url)}
            type="url"
            autoComplete="off"
            value={url}
            onChange={setUrl}
            problem={asked && isMissing ? words.urlMissing : undefined}
          />
          <Select
            label={words.format}
            help={certain === null ? undefined : words.formatFound}
            options={formats}
            value={chosen ?? undefined}
            disabled={certain !== null}
            onChange={(id) => setFormat((id as NotificationFormat | undefined) ?? null)}
            problem={asked && !isMissing && chosen === null ? words.formatMissing : undefined}
          />
          <fieldset className="m-0 flex min-w-0 flex-col border-0 p-0" aria-describedby={said}>
            <legend className="mb-1 p-0 text-xs font-semibold">{words.events}</legend>
            {types.map(([id, name]) => (
              <Tick key={id} checked={events.includes(id)} onChange={() => setEvents(toggled(events, id))}>
                {name}
              </Tick>
            ))}
            <Said id={said} problem={asked && events.length === 0 ? words.eventsMissing : undefined} />
          </fieldset>
          <Actions>
            <Button look="main" type="submit" isPending={busy === "save"}>
              {words.save}
            </Button>
          </Actions>
        </form>
      </Stack>
      {dialog}
    </Card>
  )
}

const Attempt = ({ attempt, label }: { readonly attempt: NotificationAttempt; readonly label: string }) => {
  const now = useNow(false)
  const isBad = attempt.error !== null
  return (
    <div className="flex flex-col text-sm text-soft">
      <span className={isBad ? "flex items-center gap-1 text-bad" : "flex items-center gap-1"}>
        <Icon name={isBad ? "warning" : "check"} />
        <span>{words.answer(label, formatMoment(attempt.at, now, workspace.timezone), attempt)}</span>
      </span>
      {attempt.response_excerpt !== null && attempt.response_excerpt !== "" && (
        <code className="break-words">{attempt.response_excerpt}</code>
      )}
    </div>
  )
}

/** What came of it, and a test. */
const State = ({ told }: { readonly told: Told }) => {
  const [tested, setTested] = useState<NotificationAttempt>()
  const [removing, setRemoving] = useState(false)
  const { act, busy } = useAct()
  const changed = notificationsChanged
  return (
    <Card title={told.url ?? ""}>
      <Stack>
        {told.status_reason !== null && (
          <p className="flex items-center gap-1 text-sm text-bad">
            <Icon name="warning" />
            {words.paused(told.status_reason)}
          </p>
        )}
        {told.last_attempt === null ? (
          <p className="text-sm text-soft">{words.nothingYet}</p>
        ) : (
          <Attempt label={words.last} attempt={told.last_attempt} />
        )}
        {tested !== undefined && <Attempt label={words.tested} attempt={tested} />}
        <Actions>
          <Button
            isPending={busy === "test"}
            onPress={() =>
              void act("test", {
                do: async () => setTested(await carillon.notifications.test()),
                failed: words.notSent,
                changed
              })
            }
          >
            <Icon name="send" />
            {words.sendTest}
          </Button>
          <Button look="quiet" onPress={() => setRemoving(true)}>
            <Icon name="trash" />
            {words.remove.open}
          </Button>
        </Actions>
      </Stack>
      {removing && (
        <ConfirmDialog
          title={words.remove.title}
          text={words.remove.text}
          go={words.remove.open}
          stay={all.cancel}
          onStay={() => setRemoving(false)}
          onGo={() => {
            setRemoving(false)
            void act("remove", {
              do: () => carillon.notifications.delete(),
              done: words.remove.done,
              failed: words.remove.failed,
              changed
            })
          }}
        />
      )}
    </Card>
  )
}

/** The address at which people are told what needs them. */
export const Notifications = () => (
  <SettingsPage forOwners>
    <p className="text-sm text-soft max-sm:px-4">{words.text}</p>
    <Loaded query={useNotifications()} failed={words.failed} rows={3}>
      {(told) => (
        <>
          {told.url !== null && <State told={told} />}
          <Form key={told.url} told={told} />
        </>
      )}
    </Loaded>
  </SettingsPage>
)
