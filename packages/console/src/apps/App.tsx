import { appsOf, platformAppNames, platformApps } from "@carillon/domain/PlatformApps"
import { dollars } from "@carillon/domain/Prices"
import type { PlatformApp, PlatformAppName } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { usePlatformApps } from "../data/platformApps.ts"
import { reasonOf } from "../data/reasonOf.ts"
import { useAct } from "../data/useAct.ts"
import { longDay, wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { PageName } from "../ui/PageName.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { toast } from "../ui/toasts.tsx"
import { AppForm } from "./AppForm.tsx"
import { words } from "./en.ts"
import { RemoveApp } from "./RemoveApp.tsx"
import { Steps } from "./Steps.tsx"
import { TestAnswer } from "./TestAnswer.tsx"
import "./Apps.css"

const About = ({ app }: { readonly app: PlatformApp }) => {
  const { name } = platformApps[app.app]
  const { source } = app
  return (
    <p className="about" data-source={source}>
      <Icon name={source === "none" || source === "test_network" ? "question" : "check"} />
      <span>
        {source === "environment"
          ? words.about.environment(app.variables.join(" and "))
          : source === "stored"
            ? words.about.stored(longDay(wallClock(new Date(app.stored_at!), workspace.timezone).day))
            : words.about[source](name)}
        {(source === "stored" || source === "environment") && ` ${words.connected(app.accounts)}`}
        {app.spending !== null && ` ${spendingWords(app.spending)}`}
      </span>
    </p>
  )
}

const spendingWords = ({ budget, scheduled, spent }: NonNullable<PlatformApp["spending"]>) =>
  words.spending(dollars(spent), dollars(scheduled), budget === null ? null : dollars(budget))

/** Leads to the network's own page, and from there back here. */
const Connect = ({ app: { app, platform, source } }: { readonly app: PlatformApp }) => {
  const { act, busy } = useAct()
  const connect = () =>
    act(app, {
      do: async () => {
        const { authorize_url } = await carillon.accounts.startConnect({
          platform,
          ...(appsOf(platform).length > 1 ? { login: app } : {}),
          redirect_url: `${boot.public_url}/app/accounts/apps/${app}`
        })
        location.assign(authorize_url)
      },
      failed: words.connect.failed
    })
  return source === "stored" || source === "environment" ? (
    <Button isPending={busy !== null} onPress={() => void connect()}>
      <Icon name="plus" />
      {words.connect.open}
    </Button>
  ) : null
}

/** Reports how connecting ended, which the address says on the way back. */
const useReturn = () => {
  const { message, pending, status } = useSearch({ from: "/accounts/apps/$app" })
  const navigate = useNavigate({ from: "/accounts/apps/$app" })
  useEffect(() => {
    if (pending !== undefined) return void navigate({ to: "/accounts", search: { pending }, replace: true })
    if (status === undefined) return
    if (status === "connected") toast({ icon: "check", text: words.connect.done })
    else toast({ icon: "cross", text: message ?? status })
    void navigate({ search: {}, replace: true })
  }, [message, navigate, pending, status])
}

/** An app that the configuration sets: it can only be tested. */
const TestOnly = ({ app: { app } }: { readonly app: PlatformApp }) => {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => carillon.platformApps.test(app)
  })
  return (
    <section className="card" aria-label={words.form.test}>
      <TestAnswer answer={error === null ? data : { message: reasonOf(error) }} />
      <div className="actions">
        <Button isPending={isPending} onPress={() => mutate()}>
          {words.form.test}
        </Button>
      </div>
    </section>
  )
}

const One = ({ name }: { readonly name: PlatformAppName }) => {
  const { data: apps, error, refetch } = usePlatformApps()
  const [removed, setRemoved] = useState(0)
  if (apps === undefined) {
    return error === null ? (
      <Skeleton rows={3} height={120} />
    ) : (
      <ErrorState title={words.failed} error={error} onRetry={() => void refetch()} />
    )
  }
  const app = apps.find((one) => one.app === name)!
  return (
    <>
      <div className="about-line">
        <About app={app} />
        <Connect app={app} />
      </div>
      {app.source === "environment" ? (
        <TestOnly app={app} />
      ) : (
        <div className="parts">
          <Steps app={app} />
          <div className="entry">
            {/* Empty again once the app is removed. */}
            <AppForm key={removed} app={app} />
            {app.source === "stored" && <RemoveApp app={app} onRemoved={() => setRemoved(removed + 1)} />}
          </div>
        </div>
      )}
    </>
  )
}

/** Other rooms link by network, which may have several apps. */
const appOf = (named: string): PlatformAppName | undefined =>
  platformAppNames.find((name) => name === named) ?? appsOf(named)[0]

export const App = () => {
  const { app: named } = useParams({ from: "/accounts/apps/$app" })
  useReturn()
  const app = appOf(named)
  return (
    <>
      <div className="bar app-bar">
        <Link to="/accounts/apps" className="button quiet">
          <Icon name="left" />
          {words.back}
        </Link>
        <h1>
          {app !== undefined && <Glyph platform={platformApps[app].platform} />}
          {app === undefined ? <PageName /> : platformApps[app].name}
        </h1>
      </div>
      <div className="apps">
        {boot.member.role !== "owner" ? (
          <EmptyState {...words.onlyOwners} />
        ) : app === undefined ? (
          <EmptyState title={words.unknown} />
        ) : (
          <One key={app} name={app} />
        )}
      </div>
    </>
  )
}
