import type { ReactNode } from "react"
import { Icon, type IconName } from "../ui/Icon.tsx"

const looks = {
  plain: ["bg-sunk", ""],
  good: ["bg-good-tint", "text-good"],
  bad: ["bg-bad-tint", "text-bad"]
} as const

interface Props {
  readonly tone: keyof typeof looks
  readonly icon: IconName
  readonly children: ReactNode
}

/** What is said about an app, in a line with a sign. */
export const Remark = ({ children, icon, tone }: Props) => {
  const [ground, sign] = looks[tone]
  return (
    <p className={`flex gap-2 rounded-control px-3 py-2 text-sm ${ground}`}>
      <span className={sign}>
        <Icon name={icon} />
      </span>
      <span>{children}</span>
    </p>
  )
}
