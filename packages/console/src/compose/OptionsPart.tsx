import type { PlatformId } from "@carillon/sdk"
import { memo, useState } from "react"
import { flushSync } from "react-dom"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Avatar } from "../ui/Avatar.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { Segments } from "../ui/Segments.tsx"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { useComposer } from "./ComposerContext.ts"
import { useFocusFields } from "./focusFields.ts"
import { ownOf, partAt } from "./Form.ts"
import { effectiveOptions, ownOptions } from "./levels.ts"
import { fieldsOf } from "./options/fieldsOf.ts"
import { platformName } from "@carillon/domain/PlatformFacts"
import { OptionsForm } from "./options/OptionsForm.tsx"

/** A network, or an account with separate options. */
type Owner = PlatformId | number

interface Props {
  /** The one that a problem led to. */
  readonly owner: Owner | undefined
  readonly onOwner: (owner: Owner) => void
}

const hasOptions = (platform: PlatformId) => fieldsOf(platform).length > 0

export const OptionsPart = memo(({ onOwner, owner }: Props) => {
  const { accounts, act, outline: form, problems, sentence } = useComposer()
  const fields = useFocusFields()
  const [last, setLast] = useState<Owner | undefined>(undefined)
  const [begun, setBegun] = useState<ReadonlyArray<number>>([])
  const wrong = problems.filter(({ place }) => place.on === "option")
  const countOf = (one: Owner) =>
    wrong.filter(({ place }) => place.on === "option" && (place.account ?? place.platform) === one).length
  const hasOwn = (id: number) => Object.keys(ownOf(form, id).options).length > 0
  const chosen = [...new Set(accounts.map(({ platform }) => platform))]
  // Options of a network that is no longer selected stay on the post, and may be wrong.
  const left = (Object.keys(form.platforms) as ReadonlyArray<PlatformId>).filter(
    (platform) => !chosen.includes(platform) && countOf(platform) > 0
  )
  const owners: ReadonlyArray<Owner> = [
    ...chosen.flatMap((platform): ReadonlyArray<Owner> => [
      ...(hasOptions(platform) ? [platform] : []),
      ...accounts
        .filter((one) => one.platform === platform)
        .filter(({ id }) => hasOwn(id) || begun.includes(id) || countOf(id) > 0)
        .map(({ id }) => id)
    ]),
    ...left
  ]
  const optionless = chosen.filter((one) => !hasOptions(one))
  const shown = [owner, last].find((one) => one !== undefined && owners.includes(one)) ?? owners[0]
  if (shown === undefined) return null
  const account = typeof shown === "number" ? accounts.find(({ id }) => id === shown) : undefined
  const platform = account?.platform ?? (shown as PlatformId)
  const nameOf = (one: Owner) =>
    typeof one === "number" ? (accounts.find(({ id }) => id === one)?.name ?? "") : platformName(one)
  const members = accounts.filter((one) => one.platform === platform)
  const without = members.filter(({ id }) => !owners.includes(id))

  const show = (next: Owner) => {
    setLast(next)
    onOwner(next)
  }
  /** Drops the options of an account, which then takes those of its network. */
  const giveBack = (of: number) => {
    const { options } = ownOf(form, of)
    flushSync(() => {
      setBegun(begun.filter((one) => one !== of))
      act({ type: "options", of, options: {} })
      show(platform)
    })
    fields.focus("options begin", "options owner")
    if (Object.keys(options).length === 0) return
    toast({
      icon: "check",
      text: words.shared.options(nameOf(of), platformName(platform)),
      action: { label: words.shared.undo, act: () => act({ type: "options", of, options }) }
    })
  }

  return (
    <section aria-label={words.parts.options} id="part-options">
      <div className="options-head" ref={fields.register("options owner")}>
        <h2>{words.parts.options}</h2>
        {owners.length > 1 ? (
          <Segments
            label={words.optionsFor}
            chosen={String(shown)}
            options={owners.map((one) => ({
              id: String(one),
              name: (
                <>
                  <Glyph
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
            onChoose={(id) => show(owners.find((one) => String(one) === id)!)}
          />
        ) : (
          <span className="only">
            <Glyph platform={platform} /> {nameOf(shown)}
          </span>
        )}
        {optionless.length > 0 && (
          <span className="without">{words.noOptions(optionless.map(platformName))}</span>
        )}
      </div>
      <OptionsForm
        key={String(shown)}
        platform={platform}
        accounts={account === undefined ? members : [account]}
        value={effectiveOptions(form, shown, platform)}
        onChange={(options) =>
          act({ type: "options", of: shown, options: ownOptions(form, shown, platform, options) })
        }
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
        media={partAt(form, "media", { level: shown, platform }).value}
      />
      {account !== undefined ? (
        <div className="own-options">
          <p>{words.ownOptions.help(platformName(platform))}</p>
          <button type="button" className="link" onClick={() => giveBack(account.id)}>
            {words.ownOptions.share(platformName(platform))}
          </button>
        </div>
      ) : (
        members.length > 1 &&
        without.length > 0 && (
          <div className="own-options">
            <MenuTrigger>
              <AriaButton className="link" ref={fields.register("options begin")}>
                {words.ownOptions.begin}
              </AriaButton>
              <Popover className="popover many" placement="bottom start">
                <Menu className="menu" aria-label={words.ownOptions.begin}>
                  {without.map((one) => (
                    <MenuItem
                      key={one.id}
                      className="entry"
                      textValue={one.name}
                      onAction={() => {
                        setBegun([...begun, one.id])
                        show(one.id)
                      }}
                    >
                      <Avatar account={one} size={26} />
                      {one.name}
                    </MenuItem>
                  ))}
                </Menu>
              </Popover>
            </MenuTrigger>
          </div>
        )
      )}
    </section>
  )
})
