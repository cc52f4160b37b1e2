import type { ReactNode } from "react"
import { Icon, type IconName } from "../ui/Icon.tsx"

interface Props {
  readonly icon: IconName
  readonly role: "status" | "alert" | "note"
  readonly children: ReactNode
}

/** What there is to know about the post before writing on. */
export const Notice = ({ children, icon, role }: Props) => (
  <div
    className={`mx-room mb-3 flex flex-none items-center gap-2 rounded-control px-3 py-2 text-sm ${colors[role]}`}
    role={role}
  >
    <Icon name={icon} />
    <p>{children}</p>
  </div>
)

const colors = { status: "bg-tint", note: "bg-tint", alert: "bg-bad-tint text-bad" }
