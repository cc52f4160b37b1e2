import { type ReactNode, useEffect, useState } from "react"
import { carillon, workspace } from "../api.ts"
import { boot } from "../boot.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import { begin } from "./journey.ts"
import { sentenceOf } from "./sentenceOf.ts"
import type { Account } from "./useAccounts.ts"

interface Props {
  readonly platform: string
  readonly account: Account | null
  /** Stands before the main button. */
  readonly children: ReactNode
}

/** Leads to the network's own page, in this tab, and back to this room. */
export const ConsentStep = ({ account, children, platform }: Props) => {
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
        redirect_url: `${location.origin}/app/accounts?${back}`
      })
      location.assign(authorize_url)
    } catch (error) {
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }

  return (
    <>
      <p>
        {account === null
          ? words.connecting.journey(platform)
          : words.connecting.journeyAgain(platform, account.name)}
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
          {busy ? words.connecting.opening(platform) : words.connecting.go(platform)}
        </Button>
      </div>
    </>
  )
}
