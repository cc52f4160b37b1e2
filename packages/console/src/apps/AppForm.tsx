import { platformApps } from "@carillon/domain/PlatformApps"
import type { PlatformApp, PlatformAppTest } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { carillon } from "../data/api.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { platformAppsChanged } from "../data/platformApps.ts"
import { reasonOf } from "../data/reasonOf.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Stack } from "../ui/Stack.tsx"
import { TextField } from "../ui/TextField.tsx"
import { toast } from "../ui/toast.ts"
import { words } from "./en.ts"
import { disconnectedBy, missingIn } from "./missingIn.ts"
import { type Answer, TestAnswer } from "./TestAnswer.tsx"

type Purpose = "save" | "test"

const passes = (result: PlatformAppTest["result"]) =>
  result === "accepted" || result === "unclear" || result === "unreachable"

/** The details of an app, which the network tests before they are saved. */
export const AppForm = ({ app }: { readonly app: PlatformApp }) => {
  const network = platformApps[app.app]
  const [id, setId] = useState(app.client_id ?? "")
  const [secret, setSecret] = useState("")
  const [token, setToken] = useState(network.botToken === undefined ? undefined : "")
  const [asked, setAsked] = useState<Purpose>()
  const [answer, setAnswer] = useState<Answer>()
  const [replacing, setReplacing] = useState(false)
  const { dialog, withPassword } = useConfirmPassword()
  const entries = { id, secret, token }
  const missing = missingIn(entries, app, asked ?? "save")

  const { isPending, mutate, variables } = useMutation({
    mutationFn: ({ run }: { readonly button: Purpose; readonly run: () => Promise<void> }) => run(),
    onError: (error) => setAnswer({ message: reasonOf(error) })
  })
  const busy = isPending ? variables.button : undefined

  const type = (change: (text: string) => void) => (text: string) => {
    change(text)
    setAnswer(undefined)
    setAsked(undefined)
  }

  const typed = {
    client_id: id,
    client_secret: secret,
    ...(token === undefined ? {} : { bot_token: token })
  }
  const complete = (purpose: Purpose) => {
    setAsked(purpose)
    const { id, secret, token } = missingIn(entries, app, purpose)
    return !id && secret === null && token === null
  }

  const test = async () =>
    setAnswer(await carillon.platformApps.test(app.app, secret.trim() === "" ? {} : typed))

  const put = async () => {
    const saved = await withPassword(() => carillon.platformApps.set(app.app, typed))
    if (saved === undefined) return
    setSecret("")
    if (token !== undefined) setToken("")
    setAsked(undefined)
    setAnswer((before) => (before?.result === "accepted" ? before : undefined))
    toast({ icon: "check", text: words.form.saved(network.name) })
    await platformAppsChanged()
  }

  const putNow = () => mutate({ button: "save", run: put })

  /** Tests first: a typing error must not cost connections. */
  const save = async () => {
    const tested = await carillon.platformApps.test(app.app, typed)
    setAnswer({ ...tested, notSaved: !passes(tested.result) })
    if (!passes(tested.result)) return
    if (disconnectedBy(entries, app) > 0) setReplacing(true)
    else await put()
  }

  const keptHelp = app.source === "stored" && id.trim() === app.client_id ? words.form.keep : undefined
  const problemOf = (lacks: (typeof missing)["secret"]) =>
    asked === undefined || lacks === null
      ? undefined
      : lacks === "missing"
        ? words.form.secretMissing
        : words.form.secretAgain

  return (
    <Card title={words.form.title}>
      <Stack>
        <p className="text-sm text-soft">{words.form.text}</p>
        <form
          className="flex max-w-form flex-col gap-3"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!isPending && complete("save")) mutate({ button: "save", run: save })
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
            // Keeps a password manager from filling in the person's own.
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
          <TestAnswer answer={answer} />
          <Actions>
            <Button look="main" type="submit" isPending={busy === "save"}>
              {words.form.save}
            </Button>
            <Button
              isPending={busy === "test"}
              onPress={() => {
                if (!isPending && complete("test")) mutate({ button: "test", run: test })
              }}
            >
              {words.form.test}
            </Button>
            {answer?.notSaved === true && (
              <Button
                look="quiet"
                onPress={() => (disconnectedBy(entries, app) > 0 ? setReplacing(true) : putNow())}
              >
                {words.form.saveAnyway}
              </Button>
            )}
          </Actions>
        </form>
      </Stack>
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
                putNow()
              }}
            >
              {words.replace.go}
            </Button>
          </div>
        </Dialog>
      )}
      {dialog}
    </Card>
  )
}
