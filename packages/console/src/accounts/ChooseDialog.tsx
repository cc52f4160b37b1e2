import { offerMatches } from "@carillon/domain/OfferMatches"
import { platformName } from "@carillon/domain/PlatformFacts"
import { NotFoundError, type OfferedAccount, type PendingConnection } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { usePendingConnection } from "../data/accounts.ts"
import { carillon } from "../data/api.ts"
import { Button } from "../ui/Button.tsx"
import { Checkbox } from "../ui/Checkbox.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { startsTouched } from "./CredentialForm.tsx"
import { words } from "./en.ts"
import { ProblemNotice } from "./ProblemNotice.tsx"

interface Props {
  /** The connection that waits for the choice. */
  readonly pending: string
  readonly onConnected: (accounts: ReadonlyArray<number>) => void
  readonly onAgain: () => void
  readonly onClose: () => void
}

const said = words.choosing

/** Chooses among the accounts that a sign-in opened. */
export const ChooseDialog = ({ onAgain, onClose, onConnected, pending: id }: Props) => {
  const query = usePendingConnection(id)
  const { data, error } = query

  useEffect(() => {
    // The page was opened again after the choice.
    if (data?.status === "connected") onConnected(data.social_accounts)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each connection.
  }, [data])

  const content = () => {
    if (error instanceof NotFoundError || data?.status === "waiting") {
      return (
        <>
          <p>{said.gone}</p>
          <div className="actions">
            <Button onPress={onClose}>{words.connecting.close}</Button>
            <Button look="main" autoFocus onPress={onAgain}>
              {said.again}
            </Button>
          </div>
        </>
      )
    }
    return (
      <Loaded query={query} failed={said.failed} rows={4}>
        {(pending) => <Offer pending={pending} onConnected={onConnected} onClose={onClose} />}
      </Loaded>
    )
  }

  return (
    <Dialog
      title={data === undefined ? said.title : said.titleOf(platformName(data.platform))}
      onClose={onClose}
    >
      {content()}
    </Dialog>
  )
}

const offer = "flex min-h-touch cursor-pointer items-center gap-3 px-2 py-1 hover:bg-sunk"

/** More than these are searched. */
const most = 10

const Offer = ({
  onClose,
  onConnected,
  pending: { accounts, id, platform }
}: {
  readonly pending: PendingConnection
  readonly onConnected: (accounts: ReadonlyArray<number>) => void
  readonly onClose: () => void
}) => {
  // What is connected already is renewed unless the person unticks it.
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(accounts.filter((one) => one.social_account_id !== null).map((one) => one.id))
  )
  const [sought, setSought] = useState("")
  const [isMissing, setMissing] = useState(false)
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: () => carillon.accounts.choose(id, { accounts: [...chosen] }),
    onSuccess: ({ data }) => onConnected(data.map((account) => account.id))
  })
  const isLong = accounts.length > most
  const shown = accounts.filter(offerMatches(sought))
  const hasAll = shown.length > 0 && shown.every((one) => chosen.has(one.id))

  const tick = (ticked: ReadonlyArray<OfferedAccount>, on: boolean) => {
    const next = new Set(chosen)
    for (const one of ticked) {
      if (on) next.add(one.id)
      else next.delete(one.id)
    }
    setChosen(next)
    setMissing(false)
    reset()
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.size === 0) setMissing(true)
        else if (!isPending) mutate()
      }}
    >
      <p>{said.text(platformName(platform), accounts.length)}</p>
      {isLong && (
        <div className="flex">
          <SearchField
            label={said.search}
            value={sought}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog opened for this search.
            autoFocus={!startsTouched}
            onChange={setSought}
            onKeyDown={(event) => {
              // Enter in the search is not the choice.
              if (event.key === "Enter") event.preventDefault()
            }}
          />
        </div>
      )}
      <fieldset className="m-0 min-w-0 border-0 p-0">
        <legend className="unseen">{said.accounts}</legend>
        {shown.length > 1 && (
          <label className={`${offer} border-b border-hair`}>
            <Checkbox checked={hasAll} onChange={({ target }) => tick(shown, target.checked)} />
            {sought.trim() === "" ? said.all(shown.length) : said.allFound(shown.length)}
          </label>
        )}
        <div className="max-h-list overflow-y-auto">
          {shown.map((one, index) => (
            <label key={one.id} className={`${offer} rounded-control`}>
              <Checkbox
                checked={chosen.has(one.id)}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog opened for this choice.
                autoFocus={!isLong && index === 0}
                onChange={({ target }) => tick([one], target.checked)}
              />
              <span className="flex min-w-0 flex-1 flex-col wrap-anywhere">
                <strong className="font-semibold">@{one.username}</strong>
                {one.display_name !== null && <span className="text-xs text-soft">{one.display_name}</span>}
              </span>
              {one.social_account_id !== null && <span className="text-xs text-soft">{said.here}</span>}
            </label>
          ))}
        </div>
      </fieldset>
      {shown.length === 0 && <p>{words.noMatch(sought.trim())}</p>}
      <p className="text-sm text-soft" aria-live="polite">
        {said.count(chosen.size, accounts.length)}
      </p>
      <ProblemNotice error={isMissing ? said.none : error} />
      <div className="actions">
        <Button onPress={onClose}>{words.connecting.cancel}</Button>
        <Button look="main" type="submit">
          {isPending ? words.connecting.submitting : said.connect(chosen.size)}
        </Button>
      </div>
    </form>
  )
}
