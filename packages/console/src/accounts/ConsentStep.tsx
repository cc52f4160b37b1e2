import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useEffect, useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { Button } from "../ui/Button.tsx"
import { isPlatformId, platformName } from "@carillon/domain/PlatformFacts"
import { permissionsOf, permissionTitles } from "@carillon/domain/Permissions"
import { Segments } from "../ui/Segments.tsx"
import { Remark } from "../ui/Remark.tsx"
import { Switch } from "../ui/Switch.tsx"
import { TextButton } from "../ui/TextButton.tsx"
import { TextField } from "../ui/TextField.tsx"
import { Tick } from "../ui/Tick.tsx"
import { type FormFields, startsTouched } from "./CredentialForm.tsx"
import { words } from "./en.ts"
import { ProblemNotice } from "./ProblemNotice.tsx"
import { beginJourney } from "./journey.ts"
import type { Account } from "../data/accounts.ts"

interface Props {
  readonly platform: string
  readonly account: Account | null
  /** A permission to ask for, besides those that the account has. */
  readonly allow: string | undefined
  /** The ways to sign in there, the usual one first. */
  readonly logins: ReadonlyArray<string>
  /** What the network has to know first. */
  readonly fields: FormFields
  /** What can be typed instead, such as an access token. */
  readonly instead: { readonly label: string; readonly onChoose: () => void } | null
  /** Stands before the main button. */
  readonly children: ReactNode
}

/** The server's name, from its address or the account's whole name too. */
const serverIn = (typed: string) => /[^@/\s]+(?=\/?\s*$)/.exec(typed)?.[0]

/** Leads to the network's own page in this tab, and back here. */
export const ConsentStep = ({ account, allow, children, fields, instead, logins, platform }: Props) => {
  // An account of a network of many servers is called name@server.
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ name }) => [name, account?.username.split("@").at(-1) ?? ""]))
  )
  const [login, setLogin] = useState(logins[0])
  const [others, setOthers] = useState(false)
  const offered = isPlatformId(platform) ? permissionsOf(platform) : []
  const [permissions, setPermissions] = useState(() =>
    offered.filter(
      (name) =>
        name === allow ||
        // What accounts of 0.1.0 were asked for is not known.
        (account !== null && (account.permissions?.granted.includes(name) ?? true))
    )
  )
  const { error, isPending, isSuccess, mutate, reset } = useMutation({
    mutationFn: async () => {
      const { id } = beginJourney(platform, account?.id ?? null)
      const back = new URLSearchParams({
        ...(boot.workspaces.length > 1 ? { w: workspace.id } : {}),
        connected: id
      })
      const { authorize_url } = await carillon.accounts.startConnect({
        platform: platform as Account["platform"],
        ...(login === undefined ? {} : { login }),
        ...(permissions.length === 0 ? {} : { permissions }),
        ...(fields.length === 0 ? {} : { fields: typed }),
        ...(account === null ? {} : { social_account_id: account.id, offer_others: others }),
        redirect_url: `${location.origin}/app/accounts?${back}`
      })
      location.assign(authorize_url)
    }
  })
  // Until the browser has left this page.
  const isLeaving = isPending || isSuccess

  useEffect(() => {
    // The back button may restore this page as it was left.
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset()
    }
    window.addEventListener("pageshow", restored)
    return () => window.removeEventListener("pageshow", restored)
  }, [reset])

  const asked = fields[0]
  const place =
    asked === undefined
      ? platformName(logins.length > 1 && login !== undefined && isPlatformId(login) ? login : platform)
      : (serverIn(typed[asked.name] ?? "") ?? words.connecting.ownServer)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isLeaving) mutate()
      }}
    >
      {logins.length > 1 && (
        <div>
          <Segments
            label={words.connecting.login}
            options={logins.map((id) => ({ id, name: words.connecting.logins[id] ?? platformName(id) }))}
            chosen={login}
            onChoose={setLogin}
          />
        </div>
      )}
      <p className="wrap-anywhere">
        {account === null
          ? words.connecting.journey(place)
          : words.connecting.journeyAgain(place, account.name)}
      </p>
      {fields.map(({ help, label, name }, index) => (
        <TextField
          key={name}
          label={label}
          help={help ?? undefined}
          name={name}
          value={typed[name] ?? ""}
          onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
          autoComplete="off"
          required
          autoFocus={!startsTouched && index === 0}
        />
      ))}
      {account !== null && asked === undefined && (
        <Switch on={others} onChange={setOthers}>
          {words.connecting.others}
        </Switch>
      )}
      {offered.length > 0 && (
        <fieldset className="m-0 border-0 p-0 text-sm">
          <legend className="p-0 font-semibold">{words.connecting.alsoAllow}</legend>
          {offered.map((name) => (
            <Tick
              key={name}
              checked={permissions.includes(name)}
              onChange={({ target: { checked } }) =>
                setPermissions((before) =>
                  offered.filter((one) => (one === name ? checked : before.includes(one)))
                )
              }
            >
              {permissionTitles[name]}
            </Tick>
          ))}
        </fieldset>
      )}
      {asked !== undefined && /\.sandbox$/iu.test(place) && (
        <Remark tone="plain" icon="warning">
          {words.test.plays(platform)}
        </Remark>
      )}
      {instead !== null && (
        <p>
          <TextButton onClick={instead.onChoose}>{words.connecting.withToken(instead.label)}</TextButton>
        </p>
      )}
      <ProblemNotice error={error} />
      <div className="actions *:wrap-anywhere *:whitespace-normal">
        {children}
        <Button look="main" type="submit" autoFocus={fields.length === 0}>
          {isLeaving ? words.connecting.opening(place) : words.connecting.go(place)}
        </Button>
      </div>
    </form>
  )
}
