import { platformRules, type PlatformId } from "@carillon/domain"
import { platformName } from "@carillon/domain/PlatformFacts"
import { type ReactNode, useMemo, useState } from "react"
import { type Account, useOffers } from "../../data/accounts.ts"
import { useMedia } from "../../data/media.ts"
import { listed } from "../../data/offered.ts"
import { fieldNames } from "../fieldOf.ts"
import { useFocusFields } from "../focusFields.ts"
import { optionsOf } from "./en.ts"
import { type Field, fieldsOf, isGiven, withOption } from "./fieldsOf.ts"
import { optionOf } from "./optionOf.ts"
import { OptionField } from "./OptionField.tsx"
import { givenWords } from "./valueWords.ts"

interface Props {
  readonly owner: PlatformId | number
  readonly platform: PlatformId
  /** The chosen accounts of the platform. */
  readonly accounts: ReadonlyArray<Account>
  /** The options, with those that an account has from its network. */
  readonly value: Readonly<Record<string, unknown>>
  /** Those of the owner alone. */
  readonly own: Readonly<Record<string, unknown>>
  readonly onChange: (value: Record<string, unknown>) => void
  /** Problems of options; the paths are those of the request. */
  readonly problems: ReadonlyArray<{ readonly path: string; readonly sentence: string }>
  /** The ids of the post's media. */
  readonly media: ReadonlyArray<string>
  /** Whether all fields are shown, or only those that have to be answered. */
  readonly areAll: boolean
  /** Whose options they are, where several have some. */
  readonly children?: ReactNode
}

/** The options of one network, each in the field that fits it. */
export const OptionsForm = (props: Props) => {
  const { accounts, areAll, children, media, onChange, own, owner, platform, problems, value } = props
  const focus = useFocusFields()
  const fields = useMemo(() => fieldsOf(platform), [platform])
  // A field that was changed here stays open, even when it is cleared.
  const [touched, setTouched] = useState<ReadonlyArray<string>>([])
  const items = useMedia(media)
  const { destinations } = platformRules[platform]

  const problemOf = ({ name }: Field) => {
    const found = problems.filter(({ path }) => optionOf(path) === name)
    return found.length === 0 ? undefined : found.map(({ sentence }) => sentence).join(" ")
  }
  const isMissing = ({ name }: Field) =>
    destinations?.required !== undefined &&
    destinations.option === name &&
    !isGiven(value[name]) &&
    accounts.some(({ default_board_id }) => default_board_id === null)
  const isOpen = (field: Field) =>
    touched.includes(field.name) || problemOf(field) !== undefined || isMissing(field)
  // A network is asked what it offers only if that is shown.
  const offers = useOffers(
    accounts,
    fields.some((field) => field.live && (areAll || isOpen(field) || isGiven(own[field.name])))
  )
  const shown = fields.filter(
    (field) => isOpen(field) || (areAll && (!field.spare || isGiven(value[field.name])))
  )
  const switches = shown.filter(({ control }) => control.kind === "switch")
  const others = shown.filter(({ control }) => control.kind !== "switch")
  const said = areAll
    ? ""
    : givenWords(
        fields.filter((field) => !isOpen(field)),
        own,
        (option) => listed(offers.offers, option)
      )
  if (shown.length === 0 && said === "") return null

  const draw = (field: Field) => (
    <div
      key={field.name}
      ref={focus.register(fieldNames.option(owner, field.name))}
      className={isWide(field) ? "col-span-full min-w-0" : "min-w-0"}
    >
      <OptionField
        field={field}
        value={value[field.name] ?? undefined}
        problem={problemOf(field)}
        options={value}
        media={media.flatMap((one) => items.get(one) ?? [])}
        offers={offers}
        onChange={(changed) => {
          if (!touched.includes(field.name)) setTouched([...touched, field.name])
          onChange(withOption(value, field.name, changed))
        }}
      />
    </div>
  )

  return (
    <div className="flex flex-col gap-2" role="group" aria-label={optionsOf(platformName(platform))}>
      {(children !== undefined || said !== "") && (
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          {children}
          <span className="text-soft">{said}</span>
        </p>
      )}
      {others.length > 0 && <div className={grid}>{others.map(draw)}</div>}
      {switches.length > 0 && <div className={grid}>{switches.map(draw)}</div>}
    </div>
  )
}

const grid = "grid grid-cols-posts items-start gap-x-4 gap-y-3"

const wide = ["text", "texts", "json"]

const isWide = ({ control: { kind }, live }: Field) => wide.includes(kind) || (live && kind === "tokens")
