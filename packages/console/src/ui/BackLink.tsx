import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { buttonClass } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly to: NonNullable<LinkProps["to"]>
  readonly children: ReactNode
}

/** From one thing to the list that it is in. */
export const BackLink = ({ children, to }: Props) => (
  <Link to={to} className={buttonClass("quiet")}>
    <Icon name="left" />
    {children}
  </Link>
)
