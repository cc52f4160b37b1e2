import { platformOptions } from "@carillon/domain"
import type { PlatformId } from "@carillon/sdk"
import { useState } from "react"
import type { Account } from "../accounts/useAccounts.ts"
import { Mark } from "../ui/Mark.tsx"
import { Segments } from "../ui/Segments.tsx"
import { words } from "./en.ts"
import { type Action, type Form, ownOf } from "./Form.ts"
import { platformName } from "@carillon/domain/PlatformFacts"
import { OptionsForm } from "./options/OptionsForm.tsx"
import type { Placed } from "./problems.ts"

/** A network, or an account that has options of its own. */
type Owner = PlatformId | number

interface Props {
  readonly form: Form
  readonly accounts: ReadonlyArray<Account>
  readonly problems: ReadonlyArray<Placed>
  readonly sentence: (placed: Placed) => string
  readonly act: (action: Action) => void
  /** The one that a problem led to. */
  readonly owner: Owner | undefined
  readonly onOwner: (owner: Owner) => void
}

const hasOptions = (platform: PlatformId) =>
  Object.keys(platformOptions[platform].fields).some((name) => name !== "caption" && name !== "media")

export const OptionsPart = ({ accounts, act, form, onOwner, owner, problems, sentence }: Props) => {
  const [last, setLast] = useState<Owner | undefined>(undefined)
  const wrong = problems.filter(({ place }) => place.on === "option")
  const countOf = (one: Owner) =>
    wrong.filter(({ place }) => place.on === "option" && (place.account ?? place.platform) === one).length
  const chosen = [...new Set(accounts.map(({ platform }) => platform))]
  // What was set for a network that is not chosen any more stays on the post, and may be wrong.
  const left = (Object.keys(form.platforms) as ReadonlyArray<PlatformId>).filter(
    (platform) => !chosen.includes(platform) && countOf(platform) > 0
  )
  const owners: ReadonlyArray<Owner> = [
    ...chosen.filter(hasOptions),
    ...left,
    ...accounts
      .filter(({ id }) => Object.keys(ownOf(form, id).options).length > 0 || countOf(id) > 0)
      .map(({ id }) => id)
  ]
  const without = chosen.filter((platform) => !hasOptions(platform))
  const shown = [owner, last].find((one) => one !== undefined && owners.includes(one)) ?? owners[0]
  if (shown === undefined) return null
  const account = typeof shown === "number" ? accounts.find(({ id }) => id === shown) : undefined
  const platform = account?.platform ?? (shown as PlatformId)
  const nameOf = (one: Owner) =>
    typeof one === "number" ? (accounts.find(({ id }) => id === one)?.name ?? "") : platformName(one)

  return (
    <section aria-label={words.parts.options} id="part-options">
      <div className="options-head">
        <h2>{words.parts.options}</h2>
        {owners.length > 1 ? (
          <Segments
            label={words.optionsFor}
            chosen={String(shown)}
            options={owners.map((one) => ({
              id: String(one),
              name: (
                <>
                  <Mark
                    platform={
                      typeof one === "number" ? (accounts.find(({ id }) => id === one)?.platform ?? "") : one
                    }
                  />
                  {nameOf(one)}
                  {countOf(one) > 0 && (
                    <span className="badge wrong-count">
                      {countOf(one)}
                      <span className="unseen"> {words.accountState.problems(countOf(one))}</span>
                    </span>
                  )}
                </>
              )
            }))}
            onChoose={(id) => {
              const next = owners.find((one) => String(one) === id)!
              setLast(next)
              onOwner(next)
            }}
          />
        ) : (
          <span className="only">
            <Mark platform={platform} /> {nameOf(shown)}
          </span>
        )}
        {without.length > 0 && <span className="without">{words.noOptions(without.map(platformName))}</span>}
      </div>
      <OptionsForm
        key={String(shown)}
        platform={platform}
        accounts={account === undefined ? accounts.filter((one) => one.platform === platform) : [account]}
        value={ownOf(form, shown).options}
        onChange={(options) => act({ type: "options", of: shown, options })}
        problems={[
          ...new Map(
            wrong
              .filter(({ place }) => place.on === "option" && (place.account ?? place.platform) === shown)
              .map((placed) => [
                `${placed.item.path} ${sentence(placed)}`,
                { path: placed.item.path, sentence: sentence(placed) }
              ])
          ).values()
        ]}
        media={form.media}
      />
    </section>
  )
}
