import type { ComponentType } from "react"
import { NeedsBadge } from "./activity/NeedsBadge.tsx"
import type { IconName } from "./ui/Icon.tsx"

interface Room {
  readonly to: string
  readonly name: string
  readonly icon: IconName
  /** At the lower edge of a phone, and not under More. */
  readonly inBar?: true
  /** A number beside the name. */
  readonly Badge?: ComponentType
}

/** The rooms of the console, in the order of the header. A phone has place for three in its bar. */
export const rooms = [
  { to: "/", name: "Calendar", icon: "calendar", inBar: true },
  { to: "/library", name: "Library", icon: "picture", inBar: true },
  { to: "/queue", name: "Queue", icon: "queue" },
  { to: "/activity", name: "Activity", icon: "bell", inBar: true, Badge: NeedsBadge },
  { to: "/accounts", name: "Accounts", icon: "accounts" }
] as const satisfies ReadonlyArray<Room>
