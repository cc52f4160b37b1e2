import type { ReactNode } from "react"
import { words } from "./en.ts"

interface Props {
  readonly href: string
  readonly className?: string
  readonly children: ReactNode
}

/** Opens another site in a new tab, and says so to screen readers. */
export const ExternalLink = ({ children, ...rest }: Props) => (
  <a {...rest} target="_blank" rel="noreferrer">
    {children}
    <span className="unseen">, {words.newTab}</span>
  </a>
)
