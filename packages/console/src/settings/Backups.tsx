import type { BackupSchedule } from "@carillon/sdk"
import { useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { useBackupSchedule } from "../data/useBackupSchedule.ts"
import { useAct } from "../data/useAct.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Stack } from "../ui/Stack.tsx"
import { Switch } from "../ui/Switch.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words as all } from "./en.ts"
import { saveFile } from "./saveFile.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.backups

const interval = (seconds: number) =>
  seconds % 86_400 === 0 ? words.days(seconds / 86_400) : words.hours(Math.round(seconds / 360) / 10)

const Schedule = ({ every_seconds, last, succeeded_at }: BackupSchedule) => {
  const now = useNow(false)
  const moment = (at: string) => formatMoment(at, now, workspace.timezone)
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p>{every_seconds === null ? words.none : words.every(interval(every_seconds))}</p>
      {last !== null && last.ended_at === null && <p>{words.running(moment(last.started_at))}</p>}
      {last !== null && last.error !== null && (
        <p className="flex gap-2 text-bad">
          <Icon name="warning" />
          {words.broken(moment(last.started_at), last.error)}
        </p>
      )}
      {succeeded_at === null ? (
        every_seconds !== null && <p className="text-soft">{words.noneYet}</p>
      ) : (
        <p className="text-soft">{words.last(moment(succeeded_at))}</p>
      )}
    </div>
  )
}

const Make = () => {
  const [media, setMedia] = useState(false)
  const [passphrase, setPassphrase] = useState("")
  const { act, busy } = useAct()
  const { dialog, withPassword } = useConfirmPassword()
  const isShort = passphrase !== "" && passphrase.length < 12
  const make = () =>
    act("backup", {
      do: async () => {
        const backup = await withPassword(() =>
          carillon.backups.create({ include_media: media, ...(passphrase === "" ? {} : { passphrase }) })
        )
        if (backup === undefined) return undefined
        saveFile(backup.name, await new Response(backup.bytes).blob())
        return backup.name
      },
      failed: words.notMade
    })
  return (
    <form
      className="flex max-w-form flex-col gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isShort) void make()
      }}
    >
      <div>
        <Switch on={media} onChange={setMedia}>
          {words.media}
        </Switch>
        <p className="text-xs text-soft">{words.mediaHelp}</p>
      </div>
      <TextField
        label={words.passphrase}
        help={words.passphraseHelp}
        type="password"
        autoComplete="new-password"
        value={passphrase}
        onChange={setPassphrase}
        problem={isShort ? words.passphraseShort : undefined}
      />
      <div>
        <Button type="submit" isPending={busy !== null}>
          <Icon name="download" />
          {words.download}
        </Button>
      </div>
      {dialog}
    </form>
  )
}

const Parts = () => {
  const schedule = useBackupSchedule()
  return (
    <>
      <Card title={words.scheduled}>
        <Stack>
          <Loaded query={schedule} failed={words.failed} rows={2} height={24}>
            {(data) => <Schedule {...data} />}
          </Loaded>
        </Stack>
      </Card>
      <Card title={words.make}>
        <Stack>
          <Make />
        </Stack>
      </Card>
    </>
  )
}

/** Backups of the whole instance: those that it makes by itself, and one to take away now. */
export const Backups = () => (
  <SettingsPage forOwners>
    <p className="text-sm text-soft max-sm:px-4">{words.text}</p>
    <Parts />
  </SettingsPage>
)
