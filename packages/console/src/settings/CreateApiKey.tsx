import type { Scope } from "@carillon/sdk"
import { useState } from "react"
import { useAccounts } from "../data/accounts.ts"
import { carillon } from "../data/api.ts"
import { apiKeysChanged, useApiKeys } from "../data/apiKeys.ts"
import { AccountList } from "../post/AccountList.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Select } from "../ui/Select.tsx"
import { Switch } from "../ui/Switch.tsx"
import { Said, TextField } from "../ui/TextField.tsx"
import { words as all } from "./en.ts"
import { useNewSecret } from "./useNewSecret.tsx"

const words = all.apiKeys

/** Each includes those before it. */
const levels = {
  posts: ["posts:read", "posts:write", "posts:publish"],
  media: ["media:read", "media:write"],
  accounts: ["accounts:read", "accounts:write"]
} as const satisfies Record<string, ReadonlyArray<Scope>>
const areas = ["posts", "media", "accounts"] as const
const expiries = [30, 90, 365] as const

const day = 86_400_000

const Form = ({
  onClose,
  onCreate,
  pending
}: {
  readonly onClose: () => void
  readonly onCreate: (key: Parameters<typeof carillon.apiKeys.create>[0]) => void
  readonly pending: boolean
}) => {
  const accounts = useAccounts()
  const [name, setName] = useState("")
  const [scopes, setScopes] = useState<Record<string, Scope | undefined>>({
    posts: "posts:publish",
    media: "media:write",
    accounts: "accounts:read"
  })
  const [admin, setAdmin] = useState(false)
  const [limited, setLimited] = useState(false)
  const [chosen, setChosen] = useState<ReadonlyArray<number>>([])
  const [expiry, setExpiry] = useState<string>()
  const [asked, setAsked] = useState(false)
  const given = admin ? (["admin"] as const) : areas.flatMap((area) => scopes[area] ?? [])
  const only = !admin && limited
  const nameMissing = name.trim() === ""
  const accountsMissing = only && chosen.length === 0
  return (
    <Dialog title={words.create} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
          if (nameMissing || accountsMissing || given.length === 0) return
          onCreate({
            name: name.trim(),
            scopes: given,
            ...(only ? { social_accounts: chosen } : {}),
            ...(expiry === undefined
              ? {}
              : { expires_at: new Date(Date.now() + Number(expiry) * day).toISOString() })
          })
        }}
      >
        <TextField
          label={words.name}
          help={words.nameHelp}
          value={name}
          onChange={setName}
          autoFocus
          problem={asked && nameMissing ? words.nameMissing : undefined}
        />
        {!admin &&
          areas.map((area) => (
            <Select
              key={area}
              label={words.areas[area]}
              none={words.noAccess}
              value={scopes[area]}
              options={levels[area].map((id) => ({ id, name: words.levels[id] }))}
              problem={asked && given.length === 0 && area === "posts" ? words.scopesMissing : undefined}
              onChange={(scope) => setScopes({ ...scopes, [area]: scope as Scope | undefined })}
            />
          ))}
        <div>
          <Switch on={admin} onChange={setAdmin}>
            {words.admin}
          </Switch>
          <p className="text-xs text-soft">{words.adminHelp}</p>
        </div>
        {!admin && accounts.size > 0 && (
          <Switch on={limited} onChange={setLimited}>
            {words.onlyAccounts}
          </Switch>
        )}
        {only && (
          <div>
            <div className="flex max-h-list flex-col rounded-control border border-line p-1">
              <AccountList accounts={[...accounts.values()]} chosen={chosen} onChange={setChosen} />
            </div>
            <Said id="accounts-said" problem={asked && accountsMissing ? words.accountsMissing : undefined} />
          </div>
        )}
        <Select
          label={words.expires}
          none={words.noExpiry}
          value={expiry}
          options={expiries.map((days) => ({ id: String(days), name: words.expiry[days] }))}
          onChange={setExpiry}
        />
        <div className="actions">
          <Button onPress={onClose}>{all.cancel}</Button>
          <Button look="main" type="submit" isPending={pending}>
            {words.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export const CreateApiKey = () => {
  const [open, setOpen] = useState(false)
  const { create, dialogs, isPending } = useNewSecret()
  const { isError } = useApiKeys()
  return (
    <>
      <Button look={isError ? undefined : "main"} onPress={() => setOpen(true)}>
        <Icon name="plus" />
        {words.create}
      </Button>
      {open && (
        <Form
          pending={isPending}
          onClose={() => setOpen(false)}
          onCreate={(asked) =>
            create({
              make: async () => {
                const { key, name } = await carillon.apiKeys.create(asked)
                return { title: words.created(name), label: words.label, secret: key }
              },
              onMade: () => setOpen(false),
              failed: words.failedToCreate,
              changed: apiKeysChanged
            })
          }
        />
      )}
      {dialogs}
    </>
  )
}
