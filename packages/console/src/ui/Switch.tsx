import type { ReactNode } from "react"
import { Switch as AriaSwitch } from "react-aria-components/Switch"

interface Props {
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly disabled?: boolean
  readonly children: ReactNode
}

/** Something that is on or off, at once. */
export const Switch = ({ children, disabled = false, on, onChange }: Props) => (
  <AriaSwitch className="switch" isSelected={on} isDisabled={disabled} onChange={onChange}>
    <span className="track" />
    {children}
  </AriaSwitch>
)
