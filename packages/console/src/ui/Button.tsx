import type { Ref } from "react"
import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button"

type Look = "main" | "quiet" | "danger" | undefined

interface Props extends Omit<ButtonProps, "className" | "style"> {
  readonly look?: Look
  readonly ref?: Ref<HTMLButtonElement>
  /** Only an icon: it needs an `aria-label`. */
  readonly square?: boolean
}

/** The classes of a button, for a link that looks like one. */
export const buttonClass = (look?: Look) => (look === undefined ? "button" : `button ${look}`)

export const Button = ({ look, square = false, ...props }: Props) => (
  <AriaButton
    {...props}
    data-square={square || undefined}
    className={square ? `${buttonClass(look)} square` : buttonClass(look)}
  />
)
