import type { SocialAccount } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { isOwner } from "../data/may.ts"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { appsOf } from "@carillon/domain/PlatformApps"
import { Loaded } from "../ui/Loaded.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { ConsentStep } from "./ConsentStep.tsx"
import { CredentialForm } from "./CredentialForm.tsx"
import { words } from "./en.ts"
import { isPlayed, networkName } from "../data/networkName.ts"
import { NetworkLine } from "../post/NetworkLine.tsx"
import { Remark } from "../ui/Remark.tsx"
import { useConnectable } from "../data/instance.ts"
import type { Account } from "../data/accounts.ts"

interface Props {
  /** null: the person has yet to choose. */
  readonly platform: string | null
  /** The account to reconnect. */
  readonly account: Account | null
  /** A permission to ask for, besides those that it has. */
  readonly allow?: string | undefined
  /** null: back to the choice. */
  readonly onChoose: (platform: string | null) => void
  readonly onConnected: (account: SocialAccount) => void
  readonly onClose: () => void
}

const choice =
  "flex w-full cursor-pointer items-center gap-3 rounded-control border-0 bg-transparent p-2 text-left text-soft"

/** Connects an account: first the network, then its form or its own page. */
export const ConnectDialog = ({ account, allow, onChoose, onClose, onConnected, platform }: Props) => {
  const networks = useConnectable()
  const said = words.connecting

  const [withToken, setWithToken] = useState(false)
  /** Gets the focus back when a person returns to the list. */
  const [lastChosen, setLastChosen] = useState(platform)

  const list = (
    <Loaded query={networks} failed={said.failed} rows={5}>
      {(all) => (
        <ul className="-mx-2" aria-label={said.networks}>
          {all.map(({ configured, form, network: played, platform: id }) => (
            <li key={id}>
              <button
                type="button"
                className={`${choice} hover:bg-sunk`}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- a person who comes back goes on from here.
                autoFocus={id === lastChosen}
                onClick={() => {
                  setLastChosen(id)
                  setWithToken(false)
                  onChoose(id)
                }}
              >
                <NetworkLine of={{ platform: id, network: played }}>
                  {configured ? (form?.summary ?? said.byConsent(id)) : said.needsApp}
                </NetworkLine>
                <Icon name="right" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )

  if (platform === null) {
    return (
      <Dialog title={said.title} onClose={onClose}>
        <p>{said.choose}</p>
        {list}
        <div className="actions">
          <Button onPress={onClose}>{said.cancel}</Button>
        </div>
      </Dialog>
    )
  }

  const back =
    account === null ? (
      <Button onPress={() => onChoose(null)}>{said.back}</Button>
    ) : (
      <Button onPress={onClose}>{said.cancel}</Button>
    )
  const network = networks.data?.find(({ platform: id }) => id === platform)
  const step = () => {
    if (network === undefined && networks.error === null) return <Skeleton rows={2} />
    if (network?.configured === false) {
      return (
        <>
          <p>{said.notConfigured(platform)}</p>
          <div className="actions">
            {back}
            <Button autoFocus onPress={onClose}>
              {said.close}
            </Button>
            {isOwner && (
              <Link to="/accounts/apps/$app" params={{ app: platform }} className={buttonClass("main")}>
                {said.setUp}
              </Link>
            )}
          </div>
        </>
      )
    }
    const before = network?.form?.fields.filter(({ before_consent }) => before_consent) ?? []
    // The test network's own page asks for no more than its form.
    const hasPage = network?.by === "consent" && (before.length > 0 || appsOf(platform).length > 0)
    const label = network?.form?.fields.find(({ secret }) => secret)?.label
    return network == null || network.form === null || (hasPage && !withToken) ? (
      <ConsentStep
        platform={platform}
        account={account}
        allow={allow}
        logins={network?.logins ?? []}
        fields={before}
        instead={label === undefined ? null : { label, onChoose: () => setWithToken(true) }}
      >
        {back}
      </ConsentStep>
    ) : (
      <CredentialForm
        platform={network.platform}
        form={network.form}
        account={account}
        onConnected={onConnected}
      >
        {back}
      </CredentialForm>
    )
  }
  return (
    <Dialog
      title={account === null ? said.titleOf(platform) : said.again(networkName(account), account.name)}
      onClose={onClose}
    >
      {network?.configured && isPlayed(network) && (
        <Remark tone="plain" icon="warning">
          {words.test.plays(platform)}
        </Remark>
      )}
      {step()}
    </Dialog>
  )
}
