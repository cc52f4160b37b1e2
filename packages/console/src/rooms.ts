import type { ComponentType } from "react"
import { NeedsBadge } from "./activity/NeedsBadge.tsx"
import type { IconName } from "./ui/Icon.tsx"

interface Room {
  readonly to: string
  readonly name: string
  readonly icon: IconName
  /** A number beside the name. */
  readonly Badge?: ComponentType
}

/** The rooms of the console, in the order of the header. On a phone the first three are in the bar, the others under More. */
export const rooms = [
  { to: "/", name: "Calendar", icon: "calendar" },
  { to: "/library", name: "Library", icon: "picture" },
  { to: "/queue", name: "Queue", icon: "queue" },
  { to: "/activity", name: "Activity", icon: "bell", Badge: NeedsBadge },
  { to: "/accounts", name: "Accounts", icon: "accounts" }
] as const satisfies ReadonlyArray<Room>
