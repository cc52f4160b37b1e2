import { useState } from "react"
import { workspace } from "../data/api.ts"
import {
  chooseFirstWeekday,
  chooseSingleKeys,
  chosenFirstWeekday,
  chooseTheme,
  singleKeys,
  theme,
  themes
} from "../data/preferences.ts"
import { changeProfile, useProfile } from "../data/profile.ts"
import { useQueue } from "../data/queue.ts"
import { useAct } from "../data/useAct.ts"
import { useWorkspaceChange } from "../data/useWorkspaceChange.ts"
import { firstWeekdayOf } from "../time/days.ts"
import { instantOf } from "../time/instantOf.ts"
import { ownZone, placeOf, sameClocks, wallClock } from "../time/zone.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Segments } from "../ui/Segments.tsx"
import { Select } from "../ui/Select.tsx"
import { Stack } from "../ui/Stack.tsx"
import { Switch } from "../ui/Switch.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "./en.ts"
import { SettingsPage } from "./SettingsPage.tsx"
import { ZoneField } from "./ZoneField.tsx"

const Name = () => {
  const [name, setName] = useState(workspace.name)
  const { change, isSaving } = useWorkspaceChange()
  const isChanged = name.trim() !== workspace.name
  return (
    <form
      className="flex max-w-form flex-wrap items-end gap-3 *:first:flex-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== "" && isChanged) void change({ name: name.trim() })
      }}
    >
      <TextField
        label={words.workspace.name}
        value={name}
        onChange={setName}
        problem={name.trim() === "" ? words.workspace.nameMissing : undefined}
      />
      {isChanged && name.trim() !== "" && (
        <Button type="submit" isPending={isSaving}>
          {words.workspace.save}
        </Button>
      )}
    </form>
  )
}

const Zone = () => {
  const before = workspace.timezone
  const [zone, setZone] = useState(before)
  const { change, isSaving } = useWorkspaceChange()
  const { data: queue } = useQueue()
  const [from, to] = [placeOf(before), placeOf(zone)]
  const noon = instantOf(wallClock(new Date(), before).day, "12:00", before)
  return (
    <div className="flex max-w-form flex-col gap-1">
      <ZoneField value={zone} onChange={setZone} />
      {zone === before ? (
        <p className="text-xs text-soft">
          {words.zone.help}
          {!sameClocks(before, ownZone) && ` ${words.zone.otherClock(placeOf(ownZone))}`}
        </p>
      ) : (
        <section
          className="mt-2 flex flex-col gap-3 rounded-control bg-tint p-4 text-sm"
          aria-labelledby="zone-change"
        >
          <h3 id="zone-change" className="text-base">
            {words.zone.title(to)}
          </h3>
          <ul className="flex list-disc flex-col gap-1 ps-4">
            <li>{words.zone.posts("12:00", wallClock(noon, zone).time, from, to)}</li>
            <li>
              {queue === undefined || queue.timezone === null || queue.slots.length === 0
                ? words.zone.queue(to)
                : words.zone.ownQueue(placeOf(queue.timezone))}
            </li>
          </ul>
          <Actions>
            <Button look="main" isPending={isSaving} onPress={() => void change({ timezone: zone })}>
              {words.zone.confirm(to)}
            </Button>
            <Button look="quiet" onPress={() => setZone(before)}>
              {words.zone.keep(from)}
            </Button>
          </Actions>
        </section>
      )}
    </div>
  )
}

const latenesses = [3600, 6 * 3600, 86_400, 3 * 86_400, 7 * 86_400]

const timeWords = (seconds: number) => {
  const { days, hours, minutes } = words.lateness
  if (seconds % 86_400 === 0) return days(seconds / 86_400)
  return seconds % 3600 === 0 ? hours(seconds / 3600) : minutes(Math.round(seconds / 60))
}

const Lateness = () => {
  const { data: profile } = useProfile()
  const { act, busy } = useAct()
  if (profile === undefined) return null
  const limit = profile.lateness_limit_seconds
  return (
    <div className="max-w-form">
      <Select
        label={words.lateness.label}
        help={words.lateness.help}
        disabled={busy !== null}
        value={String(limit)}
        options={[...new Set([...latenesses, limit])]
          .toSorted((one, other) => one - other)
          .map((seconds) => ({ id: String(seconds), name: words.lateness.within(timeWords(seconds)) }))}
        onChange={(chosen) =>
          void act("lateness", {
            do: () => changeProfile({ lateness_limit_seconds: Number(chosen) }),
            failed: words.lateness.failed
          })
        }
      />
    </div>
  )
}

const ClientApproval = () => {
  const { data: profile } = useProfile()
  const { act, busy } = useAct()
  if (profile === undefined) return null
  return (
    <div>
      <Switch
        on={profile.client_approval}
        disabled={busy !== null}
        onChange={(on) =>
          void act("client", {
            do: () => changeProfile({ client_approval: on }),
            failed: words.clientApproval.failed
          })
        }
      >
        {words.clientApproval.label}
      </Switch>
      <p className="text-xs text-soft">{words.clientApproval.help}</p>
    </div>
  )
}

const firstDays = [1, 7, 6] as const

const Browser = () => {
  const [look, setLook] = useState(theme)
  const [first, setFirst] = useState(chosenFirstWeekday)
  const [keys, setKeys] = useState(singleKeys)
  const usual = firstWeekdayOf(navigator.language) as keyof typeof words.browser.weekdays
  return (
    <>
      <div className="field">
        <span className="label">{words.browser.theme}</span>
        <div>
          <Segments
            label={words.browser.theme}
            options={themes.map((id) => ({ id, name: words.browser.themes[id] }))}
            chosen={look}
            onChoose={(chosen) => {
              chooseTheme(chosen)
              setLook(chosen)
            }}
          />
        </div>
      </div>
      <div className="max-w-form">
        <Select
          label={words.browser.week}
          none={words.browser.weekOfLanguage(words.browser.weekdays[usual])}
          value={first === null ? undefined : String(first)}
          options={firstDays.map((day) => ({ id: String(day), name: words.browser.weekdays[day] }))}
          onChange={(chosen) => {
            const day = chosen === undefined ? null : Number(chosen)
            chooseFirstWeekday(day)
            setFirst(day)
          }}
        />
      </div>
      <div>
        <Switch
          on={keys}
          onChange={(on) => {
            chooseSingleKeys(on)
            setKeys(on)
          }}
        >
          {words.browser.keys}
        </Switch>
        <p className="text-xs text-soft">{words.browser.keysHelp}</p>
      </div>
    </>
  )
}

const Keys = () => (
  <table className="border-collapse text-sm">
    <thead className="unseen">
      <tr>
        <th scope="col">{words.keys.key}</th>
        <th scope="col">{words.keys.does}</th>
      </tr>
    </thead>
    <tbody>
      {words.keys.list.map(({ does, keys }) => (
        <tr key={does} className="border-t border-hair first:border-0">
          <td className="flex flex-wrap gap-1 py-2 pe-6">
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </td>
          <td className="py-2">{does}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

export const Settings = () => (
  <SettingsPage>
    <Card title={words.workspace.title}>
      <Stack>
        <p className="text-sm text-soft">{words.workspace.text}</p>
        <Name />
        <Zone />
        <Lateness />
        <ClientApproval />
      </Stack>
    </Card>
    <Card title={words.browser.title}>
      <Stack>
        <p className="text-sm text-soft">{words.browser.text}</p>
        <Browser />
      </Stack>
    </Card>
    <Card title={words.keys.title}>
      <Stack>
        <Keys />
      </Stack>
    </Card>
  </SettingsPage>
)
