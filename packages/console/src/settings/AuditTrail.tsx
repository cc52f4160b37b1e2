import type { AuditEntry } from "@carillon/sdk"
import { useState } from "react"
import { workspace } from "../data/api.ts"
import { type AuditFilters, everyAuditEntry, useAudit } from "../data/audit.ts"
import { useAct } from "../data/useAct.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Choice } from "../ui/Choice.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Note } from "../ui/Note.tsx"
import { auditCsv } from "./auditCsv.ts"
import { words as all } from "./en.ts"
import { MoreButton } from "./MoreButton.tsx"
import { saveFile } from "./saveFile.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.audit

type Action = AuditEntry["action"]
type Kind = keyof typeof words.kinds

const signing = new Set(
  "password sign_in sign_out owner_link totp recovery_codes recovery_code passkey".split(" ")
)

/** The first part of an action's name, and what goes with it. */
const kindOf = (action: Action): Kind => {
  const [first] = action.split(".")
  if (signing.has(first!)) return "sign"
  if (first === "workspace" || first === "backup" || first === "platform_app") return "instance"
  return first as Kind
}

const actionsOf = Map.groupBy(Object.keys(words.actions) as ReadonlyArray<Action>, kindOf)
const kinds = Object.entries(words.kinds).map(([id, name]) => ({ id, name }))
const periods = ([1, 7, 30] as const).map((days) => ({ id: String(days), name: words.periods[days] }))

const day = 86_400_000

const nameOf = (actor: AuditEntry["actor"]) => {
  if (actor === null) return words.unknown
  if (actor.name !== null) return actor.name
  return actor.type === "instance"
    ? words.instance
    : actor.type === "api_key"
      ? words.configuredKey
      : words.unknown
}

const Entry = ({ entry, now }: { readonly entry: AuditEntry; readonly now: number }) => (
  <li className="flex flex-col px-4 py-2 text-sm text-soft">
    <span className="break-words text-ink">
      <strong className="font-semibold">{nameOf(entry.actor)}</strong> {words.actions[entry.action]}{" "}
      {entry.subject?.id !== entry.actor?.id && entry.subject?.name}
    </span>
    <span>
      <time dateTime={entry.at}>{formatMoment(entry.at, now, workspace.timezone)}</time>
      {entry.address !== null && ` · ${words.from(entry.address)}`}
    </span>
  </li>
)

/** Who did what. */
export const AuditTrail = () => {
  const [kind, setKind] = useState<Kind>()
  const [period, setPeriod] = useState<string>()
  // The start of a period is fixed when it is chosen: a list that asks again asks for the same.
  const [from, setFrom] = useState<string>()
  const filters: AuditFilters = {
    ...(kind === undefined ? {} : { action: actionsOf.get(kind)! }),
    ...(from === undefined ? {} : { from })
  }
  const list = useAudit(filters)
  const now = useNow(false)
  const { act, busy } = useAct()
  return (
    <SettingsPage forOwners>
      <p className="text-sm text-soft max-sm:px-4">{words.text}</p>
      <div className="flex flex-wrap items-center gap-2 max-sm:px-4">
        <Choice
          label={words.kind}
          all={words.all}
          options={kinds}
          chosen={kind}
          onChoose={(chosen) => setKind(chosen as Kind | undefined)}
        />
        <Choice
          label={words.period}
          all={words.year}
          options={periods}
          chosen={period}
          onChoose={(chosen) => {
            setPeriod(chosen)
            setFrom(
              chosen === undefined ? undefined : new Date(Date.now() - Number(chosen) * day).toISOString()
            )
          }}
        />
        <Button
          isPending={busy !== null}
          onPress={() =>
            void act("csv", {
              do: async () => {
                const file = auditCsv(await everyAuditEntry(filters))
                saveFile("audit.csv", new Blob([file], { type: "text/csv" }))
              },
              failed: words.failed
            })
          }
        >
          <Icon name="download" />
          {words.csv}
        </Button>
      </div>
      <Card label={all.pages.audit}>
        <Loaded query={list} failed={words.failed} rows={6}>
          {(entries) =>
            entries.length === 0 ? (
              <div className="pt-3">
                <Note>{words.empty}</Note>
              </div>
            ) : (
              <ul className="divide-y divide-hair">
                {entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} now={now} />
                ))}
              </ul>
            )
          }
        </Loaded>
        <MoreButton list={list} />
      </Card>
      <p className="text-xs text-soft max-sm:px-4">{words.csvHelp}</p>
    </SettingsPage>
  )
}
