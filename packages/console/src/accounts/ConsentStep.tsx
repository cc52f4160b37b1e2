import { type ReactNode, useEffect, useState } from "react"
import { carillon, workspace } from "../api.ts"
import { boot } from "../boot.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { platformName } from "@carillon/domain/PlatformFacts"
import { Segments } from "../ui/Segments.tsx"
import { words } from "./en.ts"
import { begin } from "./journey.ts"
import { sentenceOf } from "./sentenceOf.ts"
import type { Account } from "./useAccounts.ts"

interface Props {
  readonly platform: string
  readonly account: Account | null
  /** The ways to sign in there, the usual one first. */
  readonly logins: ReadonlyArray<string>
  /** Stands before the main button. */
  readonly children: ReactNode
}

/** Leads to the network's own page, in this tab, and back to this room. */
export const ConsentStep = ({ account, children, logins, platform }: Props) => {
  const [login, setLogin] = useState(logins[0])
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    // A browser may bring the page back as it was left.
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setBusy(false)
    }
    window.addEventListener("pageshow", shown)
    return () => window.removeEventListener("pageshow", shown)
  }, [])

  const go = async () => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      const { id } = begin(platform, account?.id ?? null)
      const back = new URLSearchParams({
        ...(boot.workspaces.length > 1 ? { w: workspace.id } : {}),
        connected: id
      })
      const { authorize_url } = await carillon.accounts.startConnect({
        platform: platform as Account["platform"],
        ...(login === undefined ? {} : { login }),
        redirect_url: `${location.origin}/app/accounts?${back}`
      })
      location.assign(authorize_url)
    } catch (error) {
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }

  const place = logins.length > 1 && login !== undefined ? login : platform
  return (
    <>
      {logins.length > 1 && (
        <Segments
          label={words.connecting.login}
          options={logins.map((id) => ({ id, name: words.connecting.logins[id] ?? platformName(id) }))}
          chosen={login}
          onChoose={setLogin}
        />
      )}
      <p>
        {account === null
          ? words.connecting.journey(place)
          : words.connecting.journeyAgain(place, account.name)}
      </p>
      {problem !== null && (
        <p className="notice bad" role="alert">
          <Icon name="warning" />
          {problem}
        </p>
      )}
      <div className="actions">
        {children}
        <Button look="main" autoFocus onPress={() => void go()}>
          {busy ? words.connecting.opening(place) : words.connecting.go(place)}
        </Button>
      </div>
    </>
  )
}
