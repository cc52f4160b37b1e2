import { useMemo, useState } from "react"
import { Button } from "react-aria-components/Button"
import { ComboBox } from "react-aria-components/ComboBox"
import { Input } from "react-aria-components/Input"
import { Label } from "react-aria-components/Label"
import { ListBox, ListBoxItem } from "react-aria-components/ListBox"
import { Popover } from "react-aria-components/Popover"
import { ownZone, wallClock } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import { allZones, matchingZones, zoneOf } from "./zones.ts"

interface Props {
  readonly value: string
  readonly onChange: (zone: string) => void
}

/** More than a person reads; typing finds the others. */
const mostShown = 60

const nameOf = (id: string) => {
  const { place, region } = zoneOf(id)
  return region === "" ? place : `${place}, ${region}`
}

/** A time zone, found by typing a place. */
export const ZoneField = ({ onChange, value }: Props) => {
  const [typed, setTyped] = useState(nameOf(value))
  const zones = useMemo(() => allZones([value, ownZone]), [value])
  const shown = matchingZones(zones, typed === nameOf(value) ? "" : typed, mostShown)
  const now = new Date()
  return (
    <ComboBox
      className="field"
      menuTrigger="focus"
      allowsEmptyCollection
      items={shown}
      inputValue={typed}
      onInputChange={setTyped}
      selectedKey={value}
      onSelectionChange={(key) => {
        if (key === null) return
        onChange(String(key))
        setTyped(nameOf(String(key)))
      }}
      onBlur={() => setTyped(nameOf(value))}
    >
      <Label>{words.zone.label}</Label>
      <div className="relative flex">
        <Input className="flex-1" onFocus={({ target }) => target.select()} />
        <Button
          className="absolute inset-y-0 end-0 grid w-touch place-items-center border-0 bg-transparent text-soft"
          aria-label={words.zone.list}
        >
          <Icon name="down" />
        </Button>
      </div>
      <Popover className="popover w-trigger max-w-none">
        <ListBox
          className="menu max-h-list overflow-y-auto"
          renderEmptyState={() => <p className="px-3 py-2 text-sm text-soft">{words.zone.unknown}</p>}
        >
          {({ id, place, region }: (typeof shown)[number]) => (
            <ListBoxItem
              id={id}
              textValue={nameOf(id)}
              className="entry max-sm:min-h-touch selected:font-semibold"
            >
              <span>{place}</span>
              <span className="text-xs font-normal text-soft">{region}</span>
              <time className="ms-auto font-normal text-soft">{wallClock(now, id).time}</time>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
