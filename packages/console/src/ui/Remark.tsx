import type { ReactNode } from "react"
import { Icon, type IconName } from "./Icon.tsx"

const looks = {
  plain: ["bg-sunk", ""],
  good: ["bg-good-tint", "text-good"],
  bad: ["bg-bad-tint", "text-bad"]
} as const

interface Props {
  readonly tone: keyof typeof looks
  readonly icon: IconName
  /** For what a screen reader announces. */
  readonly role?: "alert"
  readonly children: ReactNode
}

/** What is to be known here, in a line with a sign. */
export const Remark = ({ children, icon, role, tone }: Props) => {
  const [ground, sign] = looks[tone]
  return (
    <p role={role} className={`flex gap-2 rounded-control px-3 py-2 text-sm ${ground}`}>
      <span className={sign}>
        <Icon name={icon} />
      </span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
