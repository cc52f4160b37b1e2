import { platformRules, type PlatformId } from "@carillon/domain"
import { useId, useMemo, useState } from "react"
import type { Account } from "../../data/accounts.ts"
import { useMedia } from "../../data/media.ts"
import { Button } from "../../ui/Button.tsx"
import { platformName } from "@carillon/domain/PlatformFacts"
import { fieldNames } from "../fieldOf.ts"
import { useFocusFields } from "../focusFields.ts"
import { fewerOptions, moreOptions, noOptions, optionsOf } from "./en.ts"
import { type Field, fieldsOf, isGiven, withOption } from "./fieldsOf.ts"
import { optionOf } from "./optionOf.ts"
import { OptionField } from "./OptionField.tsx"
import { useOffers } from "../../data/accounts.ts"
import "./OptionsForm.css"

interface Props {
  readonly platform: string
  /** The chosen accounts of the platform. */
  readonly accounts: ReadonlyArray<Account>
  readonly value: Readonly<Record<string, unknown>>
  readonly onChange: (value: Record<string, unknown>) => void
  /** Problems of options; the paths are those of the request. */
  readonly problems: ReadonlyArray<{ readonly path: string; readonly sentence: string }>
  /** The ids of the post's media. */
  readonly media: ReadonlyArray<string>
}

/** The options of one network, each in the field that fits it. */
export const OptionsForm = ({ accounts, media, onChange, platform, problems, value }: Props) => {
  const id = useId()
  const focus = useFocusFields()
  const fields = useMemo(() => fieldsOf(platform as PlatformId), [platform])
  const [all, setAll] = useState(false)
  // A field that was changed here stays open, even when it is cleared.
  const [touched, setTouched] = useState<ReadonlyArray<string>>([])
  const offers = useOffers(
    accounts,
    fields.some((field) => field.live)
  )
  const items = useMedia(media)
  const { destinations } = platformRules[platform as PlatformId]
  const network = platformName(platform as PlatformId)

  const problemOf = ({ name }: Field) => {
    const found = problems.filter(({ path }) => optionOf(path) === name)
    return found.length === 0 ? undefined : found.map(({ sentence }) => sentence).join(" ")
  }
  const isUsed = (field: Field) =>
    isGiven(value[field.name]) || touched.includes(field.name) || problemOf(field) !== undefined
  const isNeeded = ({ name }: Field) =>
    destinations?.required !== undefined &&
    destinations.option === name &&
    accounts.some(({ default_board_id }) => default_board_id === null)
  const known = fields.filter((field) => !field.spare || isUsed(field))
  const isOpen = (field: Field) => known.length <= few || isUsed(field) || field.leading || isNeeded(field)
  const folded = known.filter((field) => !isOpen(field))
  const shown = known.filter((field) => all || isOpen(field))
  const switches = shown.filter(({ control }) => control.kind === "switch")
  const others = shown.filter(({ control }) => control.kind !== "switch")

  if (fields.length === 0) return <p className="options-none">{noOptions(network)}</p>

  const draw = (field: Field) => (
    <div
      key={field.name}
      ref={focus.register(fieldNames.option(field.name))}
      className={isWide(field) ? "option wide" : "option"}
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
    <div className="options" role="group" aria-label={optionsOf(network)} id={id}>
      {others.length > 0 && <div className="fields">{others.map(draw)}</div>}
      {switches.length > 0 && <div className="switches">{switches.map(draw)}</div>}
      {(folded.length > 0 || all) && (
        <div className="fold">
          <Button look="quiet" aria-expanded={all} aria-controls={id} onPress={() => setAll(!all)}>
            {all ? fewerOptions : moreOptions(folded.length)}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Up to this many fields are never folded. */
const few = 3

const wide = ["text", "texts", "json"]

const isWide = ({ control: { kind }, live }: Field) => wide.includes(kind) || (live && kind === "tokens")
