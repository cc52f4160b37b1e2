import type { PlatformId } from "@carillon/sdk"
import { memo, type ReactNode, useState } from "react"
import { flushSync } from "react-dom"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Avatar } from "../ui/Avatar.tsx"
import { Badge } from "../ui/Badge.tsx"
import { buttonClass } from "../ui/Button.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { Segments } from "../ui/Segments.tsx"
import { TextButton } from "../ui/TextButton.tsx"
import { toast } from "../ui/toast.ts"
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
  const [isAll, setAll] = useState(false)
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

  const formOf = (one: Owner, areAll: boolean, children?: ReactNode) => {
    const its = typeof one === "number" ? accounts.filter(({ id }) => id === one) : undefined
    const platform = its?.[0]?.platform ?? (one as PlatformId)
    const problemsHere = wrong.filter(
      ({ place }) => place.on === "option" && (place.account ?? place.platform) === one
    )
    return (
      <OptionsForm
        key={`${one} ${areAll}`}
        owner={one}
        platform={platform}
        accounts={its ?? accounts.filter((account) => account.platform === platform)}
        value={effectiveOptions(form, one, platform)}
        own={ownOf(form, one).options}
        areAll={areAll}
        onChange={(options) =>
          act({ type: "options", of: one, options: ownOptions(form, one, platform, options) })
        }
        problems={[
          ...new Map(
            problemsHere.map((placed) => [
              `${placed.item.path} ${sentence(placed)}`,
              { path: placed.item.path, sentence: sentence(placed) }
            ])
          ).values()
        ]}
        media={partAt(form, "media", { level: one, platform }).value}
      >
        {children}
      </OptionsForm>
    )
  }
  const platformOf = (one: Owner) =>
    typeof one === "number" ? (accounts.find(({ id }) => id === one)?.platform ?? "") : one

  return (
    <section aria-label={words.parts.options} className="flex flex-col gap-3" data-options>
      {!isAll &&
        owners.map((one) => formOf(one, false, <Named platform={platformOf(one)} name={nameOf(one)} />))}
      {isAll && (
        <>
          <div className="flex flex-wrap items-center gap-2" ref={fields.register("options owner")}>
            <h2 className="text-sm">{words.parts.options}</h2>
            {owners.length > 1 ? (
              <div className="min-w-0 *:flex-wrap">
                <Segments
                  label={words.optionsFor}
                  chosen={String(shown)}
                  options={owners.map((one) => ({
                    id: String(one),
                    name: (
                      <Named platform={platformOf(one)} name={nameOf(one)}>
                        {countOf(one) > 0 && (
                          <Badge>
                            {countOf(one)}
                            <span className="unseen"> {words.accountState.problems(countOf(one))}</span>
                          </Badge>
                        )}
                      </Named>
                    )
                  }))}
                  onChoose={(id) => show(owners.find((one) => String(one) === id)!)}
                />
              </div>
            ) : (
              <Named platform={platform} name={nameOf(shown)} />
            )}
            {optionless.length > 0 && (
              <span className="ms-auto text-sm text-soft">
                {words.noOptions(optionless.map(platformName))}
              </span>
            )}
          </div>
          {formOf(shown, true)}
          {account !== undefined ? (
            <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
              <p>{words.ownOptions.help(platformName(platform))}</p>
              <TextButton onClick={() => giveBack(account.id)}>
                {words.ownOptions.share(platformName(platform))}
              </TextButton>
            </div>
          ) : (
            members.length > 1 &&
            without.length > 0 && (
              <div>
                <MenuTrigger>
                  <AriaButton className={buttonClass("quiet")} ref={fields.register("options begin")}>
                    {words.ownOptions.begin}
                  </AriaButton>
                  <Popover className="popover max-h-list overflow-auto" placement="bottom start">
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
                          <Avatar account={one} size={24} />
                          {one.name}
                        </MenuItem>
                      ))}
                    </Menu>
                  </Popover>
                </MenuTrigger>
              </div>
            )
          )}
        </>
      )}
      <div>
        <TextButton aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? words.fewerOptions : words.allOptions}
        </TextButton>
      </div>
    </section>
  )
})

const Named = ({
  children,
  name,
  platform
}: {
  readonly platform: string
  readonly name: string
  readonly children?: ReactNode
}) => (
  <span className="inline-flex items-center gap-2 text-sm">
    <Glyph platform={platform} />
    {name}
    {children}
  </span>
)
