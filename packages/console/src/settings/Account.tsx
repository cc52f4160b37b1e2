import { InvalidRequestError, type Session } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { carillon, signInAgain, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { OwnName } from "../data/OwnName.tsx"
import { reasonOf } from "../data/reasonOf.ts"
import { sessionsChanged, useSessions } from "../data/sessions.ts"
import { useSecondFactor } from "../data/secondFactor.ts"
import { signOut } from "../data/signOut.ts"
import { useAct } from "../data/useAct.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { toast } from "../ui/toast.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Note } from "../ui/Note.tsx"
import { Stack } from "../ui/Stack.tsx"
import { TextField } from "../ui/TextField.tsx"
import { AuthenticatorApp } from "./AuthenticatorApp.tsx"
import { words as all } from "./en.ts"
import { Passkeys } from "./Passkeys.tsx"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.account

const Row = ({ now, session }: { readonly now: number; readonly session: Session }) => {
  const { act, busy } = useAct()
  const { address, created_at, current, device, id, last_used_at, new_device } = session
  const moment = (at: string) => formatMoment(at, now, workspace.timezone)
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <div className="flex min-w-0 flex-1 flex-col text-sm text-soft">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <strong className="text-base font-semibold text-ink">{device}</strong>
          {[...(current ? [words.current] : []), ...(new_device ? [words.newDevice] : [])].join(" · ")}
        </span>
        <span>
          {[
            ...(address === null ? [] : [words.from(address)]),
            words.since(moment(created_at)),
            words.used(moment(last_used_at))
          ].join(" · ")}
        </span>
      </div>
      {!current && (
        <Button
          aria-label={words.end(device)}
          isPending={busy !== null}
          onPress={() =>
            void act(id, {
              do: () => carillon.session.end(id),
              done: words.ended(device),
              failed: words.notEnded,
              changed: sessionsChanged
            })
          }
        >
          {words.signOut}
        </Button>
      )}
    </li>
  )
}

const Sessions = () => {
  const now = useNow(false)
  const sessions = useSessions()
  const { act, busy } = useAct()
  const out = (key: string, end: () => Promise<unknown>) => void act(key, { do: end, failed: words.notEnded })
  return (
    <Card title={words.sessions}>
      <Loaded query={sessions} failed={words.failed} rows={2} height={56}>
        {(open) => (
          <ul className="divide-y divide-hair">
            {open.map((session) => (
              <Row key={session.id} session={session} now={now} />
            ))}
          </ul>
        )}
      </Loaded>
      <div className="flex flex-col gap-2 border-t border-hair p-4">
        <Actions>
          <Button isPending={busy === "own"} onPress={() => out("own", signOut)}>
            {words.signOut}
          </Button>
          <Button
            look="quiet"
            isPending={busy === "all"}
            onPress={() =>
              out("all", async () => {
                await carillon.session.endAll()
                location.assign("/sign-in")
              })
            }
          >
            {words.everywhere}
          </Button>
        </Actions>
      </div>
      <Note>
        {words.appsStay} <Link to="/settings/connected-apps">{all.pages.apps}</Link>
      </Note>
    </Card>
  )
}

const Password = () => {
  const [current, setCurrent] = useState("")
  const [next, setNext] = useState("")
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isPending, setPending] = useState(false)
  const change = async () => {
    const missing = {
      ...(current === "" ? { current_password: words.currentMissing } : {}),
      ...(next === "" ? { new_password: words.nextMissing } : {})
    }
    setProblems(missing)
    if (Object.keys(missing).length > 0) return
    setPending(true)
    try {
      await carillon.session.changePassword({ current_password: current, new_password: next })
      setCurrent("")
      setNext("")
      toast({ icon: "check", text: words.changed })
      void sessionsChanged()
    } catch (error) {
      if (error instanceof InvalidRequestError)
        setProblems(Object.fromEntries(error.errors.map(({ message, path }) => [path ?? "", message])))
      else if (!signInAgain(error)) setProblems({ new_password: reasonOf(error) })
    }
    setPending(false)
  }
  return (
    <Card title={words.password}>
      <Stack>
        <form
          className="flex max-w-form flex-col gap-4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void change()
          }}
        >
          <OwnName />
          <TextField
            label={words.currentPassword}
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={setCurrent}
            problem={problems["current_password"]}
          />
          <TextField
            label={words.newPassword}
            help={words.rule}
            type="password"
            autoComplete="new-password"
            value={next}
            onChange={setNext}
            problem={problems["new_password"]}
          />
          <Actions>
            <Button type="submit" isPending={isPending}>
              {words.change}
            </Button>
          </Actions>
        </form>
      </Stack>
    </Card>
  )
}

/** The person: where they are signed in, and what they sign in with. */
export const Account = () => {
  const secondFactor = useSecondFactor()
  return (
    <SettingsPage>
      <p className="text-sm text-soft max-sm:px-4">{words.signedIn(boot.member.name)}</p>
      <Sessions />
      <Password />
      <Loaded query={secondFactor} failed={words.factorFailed} rows={2}>
        {(own) => (
          <>
            <AuthenticatorApp {...own} />
            <Passkeys {...own} />
          </>
        )}
      </Loaded>
    </SettingsPage>
  )
}
