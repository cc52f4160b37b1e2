import { InvalidRequestError, type SecondFactor, type TotpSecret } from "@carillon/sdk"
import { useState } from "react"
import { carillon, signInAgain, workspace } from "../data/api.ts"
import { reasonOf } from "../data/reasonOf.ts"
import { secondFactorChanged } from "../data/secondFactor.ts"
import { useAct } from "../data/useAct.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { CopyField } from "../ui/CopyField.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Stack } from "../ui/Stack.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words as all } from "./en.ts"
import { QrCode } from "./QrCode.tsx"

const words = all.authenticatorApp

/** Shows a new secret, and takes the code that proves that an app has it. */
const SetUp = ({
  onClose,
  onDone,
  totp: { secret, uri }
}: {
  readonly totp: TotpSecret
  readonly onClose: () => void
  readonly onDone: (recoveryCodes: ReadonlyArray<string>) => void
}) => {
  const [code, setCode] = useState("")
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const { dialog, withPassword } = useConfirmPassword()
  const confirm = async () => {
    const digits = code.replace(/\s/g, "")
    if (!/^\d{6}$/.test(digits)) return setProblem(words.codeMissing)
    setPending(true)
    try {
      const set = await withPassword(() => carillon.secondFactor.setTotp({ secret, code: digits }))
      if (set !== undefined) return onDone(set.recovery_codes)
    } catch (error) {
      if (!signInAgain(error))
        setProblem(error instanceof InvalidRequestError ? error.errors[0]!.message : reasonOf(error))
    }
    setPending(false)
  }
  return (
    <Dialog title={words.setUp} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <p>{words.scan}</p>
        <QrCode label={words.qr} text={uri} />
        <CopyField label={words.secret} value={secret} />
        <TextField
          label={words.code}
          help={words.codeHelp}
          name="code"
          autoComplete="one-time-code"
          value={code}
          onChange={(typed) => {
            setCode(typed)
            setProblem(undefined)
          }}
          problem={problem}
        />
        <div className="actions">
          <Button onPress={onClose}>{all.cancel}</Button>
          <Button look="main" type="submit" isPending={isPending}>
            {words.turnOn}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}

const RecoveryCodes = ({
  codes,
  onClose
}: {
  readonly codes: ReadonlyArray<string>
  readonly onClose: () => void
}) => (
  <Dialog alert title={words.recoveryCodes} onClose={onClose}>
    <p>{words.recoveryText}</p>
    <CopyField label={words.recoveryCodes} value={codes.join("\n")} lines={codes.length} />
    <div className="actions">
      <Button look="main" onPress={onClose}>
        {words.kept}
      </Button>
    </div>
  </Dialog>
)

/** The code that the sign-in asks for after the password. */
export const AuthenticatorApp = ({ recovery_codes_left, totp_since }: SecondFactor) => {
  const now = useNow(false)
  const [totp, setTotp] = useState<TotpSecret>()
  const [codes, setCodes] = useState<ReadonlyArray<string>>()
  const [isRemoving, setRemoving] = useState(false)
  const { act, busy } = useAct()
  const { dialog, withPassword } = useConfirmPassword()
  const shows = (recoveryCodes: ReadonlyArray<string>) => {
    setTotp(undefined)
    setCodes(recoveryCodes)
    void secondFactorChanged()
  }
  return (
    <Card title={words.title}>
      <Stack>
        <p className="text-sm text-soft">
          {totp_since === null
            ? words.off
            : words.on(formatMoment(totp_since, now, workspace.timezone), recovery_codes_left)}
        </p>
        <Actions>
          <Button
            isPending={busy === "set"}
            onPress={() =>
              void act("set", {
                do: async () => setTotp(await withPassword(() => carillon.secondFactor.makeTotpSecret())),
                failed: words.failed
              })
            }
          >
            {totp_since === null ? words.open : words.another}
          </Button>
          {totp_since !== null && (
            <>
              <Button
                isPending={busy === "codes"}
                onPress={() =>
                  void act("codes", {
                    do: async () => {
                      const made = await withPassword(() => carillon.secondFactor.replaceRecoveryCodes())
                      if (made !== undefined) shows(made.recovery_codes)
                    },
                    failed: words.failed
                  })
                }
              >
                {words.replace}
              </Button>
              <Button look="quiet" isPending={busy === "remove"} onPress={() => setRemoving(true)}>
                {words.remove}
              </Button>
            </>
          )}
        </Actions>
      </Stack>
      {totp !== undefined && <SetUp totp={totp} onClose={() => setTotp(undefined)} onDone={shows} />}
      {codes !== undefined && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      {isRemoving && (
        <ConfirmDialog
          title={words.removeTitle}
          text={words.removeText}
          go={words.remove}
          stay={all.cancel}
          onStay={() => setRemoving(false)}
          onGo={() => {
            setRemoving(false)
            void act("remove", {
              do: () => withPassword(() => carillon.secondFactor.deleteTotp()),
              failed: words.failed,
              changed: secondFactorChanged
            })
          }}
        />
      )}
      {dialog}
    </Card>
  )
}
