import type { Media } from "@carillon/sdk"
import type { ReactNode } from "react"
import { Button } from "../../ui/Button.tsx"
import { Segments } from "../../ui/Segments.tsx"
import { Select } from "../../ui/Select.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { Said, TextField } from "../../ui/TextField.tsx"
import { Checks } from "./Checks.tsx"
import {
  addPhotosFirst,
  automatic,
  noSections,
  notOffered,
  notRead,
  photo,
  reading,
  sectionOfOne,
  switchedOff,
  tryAgain
} from "./en.ts"
import { type Choice, type Field, isGiven } from "./fieldsOf.ts"
import { FrameField } from "./FrameField.tsx"
import { JsonField } from "./JsonField.tsx"
import type { Offer } from "../../data/accounts.ts"
import { listed, refused, takes } from "../../data/offered.ts"
import { PictureField } from "./PictureField.tsx"
import { counted, Texts } from "./Texts.tsx"
import { Tokens } from "./Tokens.tsx"

interface Offers {
  readonly pending: boolean
  readonly failed: boolean
  readonly again: () => void
  readonly offers: ReadonlyArray<Offer>
}

interface Props {
  readonly field: Field
  readonly value: unknown
  readonly problem: string | undefined
  readonly options: Readonly<Record<string, unknown>>
  readonly media: ReadonlyArray<Media>
  readonly offers: Offers
  readonly onChange: (value: unknown) => void
}

const textOf = (value: unknown) => (isGiven(value) ? String(value) : "")
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Keeps the chosen value readable when it is no longer offered. */
const withChosen = (offered: ReadonlyArray<{ readonly id: string; readonly name: string }>, value: unknown) =>
  !isGiven(value) || offered.some(({ id }) => id === String(value))
    ? offered
    : [...offered, { id: String(value), name: String(value) }]

/** Up to this much fits side by side. */
const widest = 30

export const OptionField = (props: Props): ReactNode => {
  const { field, media, offers, onChange, problem, value } = props
  const { control, help, title: label } = field
  const common = { label, help, problem }
  switch (control.kind) {
    case "switch":
      return <SwitchField {...props} rest={control.rest} />
    case "choice":
      return <ChoiceField {...props} choices={control.choices} />
    case "several":
      return (
        <Checks
          {...common}
          choices={control.choices.map((choice) => ({ id: String(choice.value), name: choice.name }))}
          chosen={listOf(value).map(String)}
          onChange={onChange}
        />
      )
    case "line": {
      const text = textOf(value)
      const offered = field.live ? listed(offers.offers, field.name) : []
      const chosen = offered.find(({ id }) => id === text)?.name
      return (
        <TextField
          {...common}
          type={control.address ? "url" : "text"}
          value={text}
          help={chosen ?? (control.address || text === "" ? help : counted(help, text, control.longest))}
          suggestions={offered}
          onChange={onChange}
        />
      )
    }
    case "text":
      return (
        <TextField
          {...common}
          lines={2}
          value={textOf(value)}
          help={counted(help, textOf(value), control.longest)}
          onChange={onChange}
        />
      )
    case "texts":
      return (
        <Texts
          {...common}
          value={typeof value === "string" ? value : listOf(value).map(String)}
          longest={control.longest}
          most={control.most}
          onChange={onChange}
        />
      )
    case "tokens":
      return field.live ? (
        <OfferedField {...props} longest={control.longest} most={control.most} />
      ) : (
        <Tokens
          {...common}
          value={listOf(value)}
          longest={control.longest}
          most={control.most}
          onChange={onChange}
        />
      )
    case "number":
      return (
        <TextField
          {...common}
          type="number"
          value={textOf(value)}
          onChange={(text) => onChange(text === "" ? undefined : Number(text))}
        />
      )
    case "frame":
      return (
        <FrameField
          {...common}
          value={typeof value === "number" ? value : undefined}
          video={media.find(({ kind }) => kind === "video")}
          onChange={onChange}
        />
      )
    case "photo": {
      const photos = media.filter(({ kind }) => kind === "image")
      const count = Math.max(photos.length, typeof value === "number" ? value + 1 : 0)
      return (
        <Select
          {...common}
          none={automatic}
          disabled={count === 0}
          help={count === 0 ? addPhotosFirst : undefined}
          value={isGiven(value) ? String(value) : undefined}
          options={Array.from({ length: count }, (_, index) => ({
            id: String(index),
            name: photo(index, photos[index]?.name)
          }))}
          onChange={(id) => onChange(id === undefined ? undefined : Number(id))}
        />
      )
    }
    case "picture":
      return (
        <PictureField {...common} value={typeof value === "string" ? value : undefined} onChange={onChange} />
      )
    case "section":
      return <SectionField {...props} />
    case "json":
      return <JsonField {...common} value={value} onChange={onChange} />
  }
}

const SwitchField = ({
  field,
  offers,
  onChange,
  problem,
  rest,
  value
}: Props & { readonly rest: boolean }) => {
  const off = rest && refused(offers.offers, field.name)
  const help = off ? switchedOff : field.help
  const id = `switch-${field.name}`
  return (
    <div className="field">
      <Switch
        on={!off && (typeof value === "boolean" ? value : rest)}
        disabled={off}
        onChange={(on) => onChange(on === rest ? undefined : on)}
      >
        {field.title}
      </Switch>
      <Said id={id} help={help} problem={problem} />
    </div>
  )
}

const ChoiceField = ({
  choices,
  field,
  offers,
  onChange,
  problem,
  value
}: Props & { readonly choices: ReadonlyArray<Choice> }) => {
  const named = choices.map((choice) => ({ ...choice, id: String(choice.value) }))
  // Keeps the chosen value readable when it is no longer offered.
  const possible = named.filter(
    (choice) => !field.live || choice.value === value || takes(offers.offers, field.name, choice.value)
  )
  const known = possible.some((choice) => choice.value === value)
  const entries = [
    ...possible.map((choice) => ({
      id: choice.id,
      name:
        field.live && !takes(offers.offers, field.name, choice.value)
          ? `${choice.name} (${notOffered})`
          : choice.name
    })),
    ...(isGiven(value) && !known ? [{ id: String(value), name: String(value) }] : [])
  ]
  const choose = (id: string | undefined) =>
    onChange(id === undefined ? undefined : named.find((choice) => choice.id === id)?.value)
  const chosen = isGiven(value) ? String(value) : undefined
  const short = automatic.length + entries.reduce((sum, { name }) => sum + name.length, 0) <= widest
  return entries.length <= 4 && short && !field.live ? (
    <div className="field">
      <span className="label">{field.title}</span>
      <Segments
        label={field.title}
        options={[{ id: "", name: automatic }, ...entries]}
        chosen={chosen ?? ""}
        onChoose={(id) => choose(id === "" ? undefined : id)}
      />
      <Said id={`choice-${field.name}`} help={field.help} problem={problem} />
    </div>
  ) : (
    <Select
      label={field.title}
      help={field.help}
      problem={problem}
      none={automatic}
      options={entries}
      value={chosen}
      onChange={choose}
    />
  )
}

/** Boards or playlists from the account's list, typed by hand where the list cannot be read. */
const OfferedField = ({
  field,
  longest,
  most,
  offers,
  onChange,
  problem,
  value
}: Props & { readonly longest: number | undefined; readonly most: number | undefined }) => {
  const common = { label: field.title, help: field.help, problem }
  const found = listed(offers.offers, field.name)
  if (offers.pending)
    return (
      <Select
        {...common}
        disabled
        none={reading(field.title)}
        options={[]}
        value={undefined}
        onChange={() => {}}
      />
    )
  if (found.length > 0)
    return (
      <Checks
        {...common}
        choices={found}
        // A board may be given by its name.
        chosen={listOf(value).map((one) => found.find(({ name }) => name === one)?.id ?? String(one))}
        onChange={onChange}
      />
    )
  return (
    <div>
      <Tokens {...common} value={listOf(value)} longest={longest} most={most} onChange={onChange} />
      {offers.failed && (
        <p className="flex flex-wrap items-center gap-1 text-xs text-soft">
          {notRead}{" "}
          <Button look="quiet" onPress={offers.again}>
            {tryAgain}
          </Button>
        </p>
      )}
    </div>
  )
}

/** The part of the one board that is chosen. */
const SectionField = ({ field, offers, onChange, options, problem, value }: Props) => {
  const boards = listed(offers.offers, "board_ids")
  const named = listOf(options["board_ids"])
  const wanted =
    named.length > 0 ? named : offers.offers.flatMap(({ account }) => account.default_board_id ?? [])
  const board =
    wanted.length === 1 ? boards.find(({ id, name }) => id === wanted[0] || name === wanted[0]) : undefined
  const sections = board?.sections ?? []
  const chosen = isGiven(value) ? String(value) : undefined
  return (
    <Select
      label={field.title}
      problem={problem}
      help={
        offers.pending
          ? undefined
          : board === undefined
            ? sectionOfOne
            : sections.length === 0
              ? noSections
              : undefined
      }
      none={offers.pending ? reading(field.title) : automatic}
      disabled={chosen === undefined && sections.length === 0}
      options={withChosen(sections, value)}
      value={chosen}
      onChange={onChange}
    />
  )
}
