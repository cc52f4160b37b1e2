import { Button } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Icon } from "./Icon.tsx"

export interface ChoiceProps {
  readonly label: string
  /** What is shown when nothing is chosen; it is the first entry. */
  readonly all: string
  readonly options: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly chosen: string | undefined
  readonly onChoose: (id: string | undefined) => void
}

const everything = "*"

/** One of several, or all of them. */
export const ChoiceMenu = ({ all, chosen, label, onChoose, options }: ChoiceProps) => (
  <MenuTrigger>
    <Button
      className="button"
      aria-label={`${label}: ${options.find(({ id }) => id === chosen)?.name ?? all}`}
    >
      {options.find(({ id }) => id === chosen)?.name ?? all}
      <Icon name="down" />
    </Button>
    <Popover className="popover">
      <Menu
        className="menu"
        aria-label={label}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[chosen ?? everything]}
        onAction={(key) => onChoose(key === everything ? undefined : String(key))}
      >
        {[{ id: everything, name: all }, ...options].map(({ id, name }) => (
          <MenuItem key={id} id={id} className="entry" textValue={name}>
            {({ isSelected }) => (
              <>
                {name}
                {isSelected && (
                  <span className="end">
                    <Icon name="check" />
                  </span>
                )}
              </>
            )}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
)
