import type { Ref } from "react"
import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button"

interface Props extends Omit<ButtonProps, "className" | "style"> {
  readonly look?: "main" | "quiet" | "danger" | undefined
  readonly ref?: Ref<HTMLButtonElement>
  /** Only an icon: it needs an `aria-label`. */
  readonly square?: boolean
}

export const Button = ({ look, square, ...props }: Props) => (
  <AriaButton
    {...props}
    className={["button", look, square === true && "square"].filter(Boolean).join(" ")}
  />
)
