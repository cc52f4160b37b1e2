import { appsOf, platformAppNames, platformApps } from "@carillon/domain/PlatformApps"
import { dollars } from "@carillon/domain/Prices"
import { CarillonError, type PlatformApp, type PlatformAppName, type PlatformAppTest } from "@carillon/sdk"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { longDay, wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { useConfirmPassword } from "../data/ConfirmPassword.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { PageName } from "../ui/PageName.tsx"
import { EmptyState, ErrorState, Skeleton } from "../ui/RoomState.tsx"
import { TextField } from "../ui/TextField.tsx"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { disconnectedBy, missingIn } from "./entries.ts"
import { Steps } from "./Steps.tsx"
import { platformAppsChanged, usePlatformApps } from "../data/platformApps.ts"
import "./Apps.css"

const said = (error: unknown) => (error instanceof CarillonError ? error.message : String(error))

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

interface Told {
  /** None: it is about this service, not about the network. */
  readonly result?: PlatformAppTest["result"]
  readonly message: string
  readonly notSaved?: boolean
}

const Answer = ({ answer }: { readonly answer: Told | undefined }) => (
  <div className="answer" role="status">
    {answer !== undefined && (
      <p data-result={answer.result}>
        <Icon name={answer.result === "accepted" ? "check" : "warning"} />
        <span>
          <strong>
            {answer.result === undefined ? words.form.failed : words.tested[answer.result]}
            {answer.notSaved === true && ` ${words.form.notSaved}`}
          </strong>{" "}
          {answer.message}
        </span>
      </p>
    )}
  </div>
)

/** On the network's own page; it leads back here. */
const Connect = ({ app: { app, platform, source } }: { readonly app: PlatformApp }) => {
  const [busy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      const { authorize_url } = await carillon.accounts.startConnect({
        platform,
        ...(appsOf(platform).length > 1 ? { login: app } : {}),
        redirect_url: `${boot.public_url}/app/accounts/apps/${app}`
      })
      location.assign(authorize_url)
    } catch (error) {
      setBusy(false)
      toast({ icon: "cross", text: said(error) })
    }
  }
  return source === "stored" || source === "environment" ? (
    <Button isPending={busy} onPress={() => void go()}>
      <Icon name="plus" />
      {words.connect.open}
    </Button>
  ) : null
}

/** What became of connecting, as the address says it on the way back. */
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

const passes = (result: PlatformAppTest["result"]) =>
  result === "accepted" || result === "unclear" || result === "unreachable"

const Form = ({ app }: { readonly app: PlatformApp }) => {
  const network = platformApps[app.app]
  const [id, setId] = useState(app.client_id ?? "")
  const [secret, setSecret] = useState("")
  const [token, setToken] = useState(network.botToken === undefined ? undefined : "")
  const [asked, setAsked] = useState<"save" | "test">()
  const [busy, setBusy] = useState<"save" | "test">()
  const [answer, setAnswer] = useState<Told>()
  const [replacing, setReplacing] = useState(false)
  const { dialog, withPassword } = useConfirmPassword()
  const entries = { id, secret, token }
  const missing = missingIn(entries, app, asked ?? "save")

  const type = (change: (text: string) => void) => (text: string) => {
    change(text)
    setAnswer(undefined)
    setAsked(undefined)
  }

  const during = async (what: "save" | "test", act: () => Promise<void>) => {
    setBusy(what)
    try {
      await act()
    } catch (error) {
      setAnswer({ message: said(error) })
    }
    setBusy(undefined)
  }

  const typed = {
    client_id: id,
    client_secret: secret,
    ...(token === undefined ? {} : { bot_token: token })
  }
  const complete = (purpose: "save" | "test") => {
    setAsked(purpose)
    const { id, secret, token } = missingIn(entries, app, purpose)
    return !id && secret === null && token === null
  }

  const test = () =>
    during("test", async () =>
      setAnswer(await carillon.platformApps.test(app.app, secret.trim() === "" ? {} : typed))
    )

  const put = () =>
    during("save", async () => {
      const saved = await withPassword(() => carillon.platformApps.set(app.app, typed))
      if (saved === undefined) return
      setSecret("")
      if (token !== undefined) setToken("")
      setAsked(undefined)
      setAnswer((before) => (before?.result === "accepted" ? before : undefined))
      toast({ icon: "check", text: words.form.saved(network.name) })
      await platformAppsChanged()
    })

  /** A slip of the hand must not cost connections: the network is asked first. */
  const save = () =>
    during("save", async () => {
      const tested = await carillon.platformApps.test(app.app, typed)
      setAnswer({ ...tested, notSaved: !passes(tested.result) })
      if (!passes(tested.result)) return
      if (disconnectedBy(entries, app) > 0) setReplacing(true)
      else await put()
    })

  const keptHelp = app.source === "stored" && id.trim() === app.client_id ? words.form.keep : undefined
  const problemOf = (lacks: (typeof missing)["secret"]) =>
    asked === undefined || lacks === null
      ? undefined
      : lacks === "missing"
        ? words.form.secretMissing
        : words.form.secretAgain

  return (
    <section className="card" aria-labelledby="entry">
      <h2 id="entry">{words.form.title}</h2>
      <p className="soft">{words.form.text}</p>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (busy === undefined && complete("save")) void save()
        }}
      >
        <TextField
          label={network.id}
          name="client_id"
          autoComplete="off"
          value={id}
          onChange={type(setId)}
          problem={asked !== undefined && missing.id ? words.form.idMissing : undefined}
        />
        <TextField
          label={network.secret}
          type="password"
          name="client_secret"
          // No password of a person's.
          autoComplete="new-password"
          value={secret}
          onChange={type(setSecret)}
          help={keptHelp}
          problem={problemOf(missing.secret)}
        />
        {network.botToken !== undefined && token !== undefined && (
          <TextField
            label={network.botToken}
            type="password"
            name="bot_token"
            autoComplete="new-password"
            value={token}
            onChange={type(setToken)}
            help={keptHelp}
            problem={problemOf(missing.token)}
          />
        )}
        <Answer answer={answer} />
        <div className="actions">
          <Button look="main" type="submit" isPending={busy === "save"}>
            {words.form.save}
          </Button>
          <Button
            isPending={busy === "test"}
            onPress={() => {
              if (busy === undefined && complete("test")) void test()
            }}
          >
            {words.form.test}
          </Button>
          {answer?.notSaved === true && (
            <Button
              look="quiet"
              onPress={() => (disconnectedBy(entries, app) > 0 ? setReplacing(true) : void put())}
            >
              {words.form.saveAnyway}
            </Button>
          )}
        </div>
      </form>
      {replacing && (
        <Dialog alert title={words.replace.title(app.accounts)} onClose={() => setReplacing(false)}>
          <p>{words.replace.text(app.accounts, network.by)}</p>
          <div className="actions">
            <Button autoFocus onPress={() => setReplacing(false)}>
              {words.replace.keep}
            </Button>
            <Button
              look="danger"
              onPress={() => {
                setReplacing(false)
                void put()
              }}
            >
              {words.replace.go}
            </Button>
          </div>
        </Dialog>
      )}
      {dialog}
    </section>
  )
}

/** One that the configuration has: it can be tested, and no more. */
const TestOnly = ({ app }: { readonly app: PlatformApp }) => {
  const [answer, setAnswer] = useState<Told>()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      setAnswer(await carillon.platformApps.test(app.app))
    } catch (error) {
      setAnswer({ message: said(error) })
    }
    setBusy(false)
  }
  return (
    <section className="card" aria-label={words.form.test}>
      <Answer answer={answer} />
      <div className="actions">
        <Button isPending={busy} onPress={() => void test()}>
          {words.form.test}
        </Button>
      </div>
    </section>
  )
}

const Remove = ({ app, onRemoved }: { readonly app: PlatformApp; readonly onRemoved: () => void }) => {
  const [open, setOpen] = useState(false)
  const { dialog, withPassword } = useConfirmPassword()
  const network = platformApps[app.app]
  const remove = async () => {
    setOpen(false)
    try {
      const removed = await withPassword(() => carillon.platformApps.remove(app.app))
      if (removed === undefined) return
      toast({ icon: "check", text: words.remove.done(network.name) })
      await platformAppsChanged()
      onRemoved()
    } catch (error) {
      toast({ icon: "cross", text: said(error) })
    }
  }
  return (
    <>
      <div className="last">
        <Button look="quiet" onPress={() => setOpen(true)}>
          <Icon name="trash" />
          {words.remove.open}
        </Button>
      </div>
      {open && (
        <Dialog alert title={words.remove.title(network.name)} onClose={() => setOpen(false)}>
          <p>
            {words.remove.text}
            {app.accounts > 0 && ` ${words.replace.title(app.accounts)}.`}
          </p>
          <div className="actions">
            <Button autoFocus onPress={() => setOpen(false)}>
              {words.remove.keep}
            </Button>
            <Button look="danger" onPress={() => void remove()}>
              {words.remove.go}
            </Button>
          </div>
        </Dialog>
      )}
      {dialog}
    </>
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
            {/* Empty again after it was removed. */}
            <Form key={removed} app={app} />
            {app.source === "stored" && <Remove app={app} onRemoved={() => setRemoved(removed + 1)} />}
          </div>
        </div>
      )}
    </>
  )
}

/** Other rooms know the network, not whose app it wants. */
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
          {app !== undefined && <Mark platform={platformApps[app].platform} />}
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
