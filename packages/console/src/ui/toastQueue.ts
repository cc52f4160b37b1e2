import { UNSTABLE_ToastQueue as ToastQueue } from "react-aria-components"
import type { IconName } from "./Icon.tsx"

export interface Message {
  readonly icon: IconName
  readonly text: string
  readonly action?: { readonly label: string; readonly act: () => void }
}

/** The messages on the screen. */
export const toastQueue = new ToastQueue<Message>({ maxVisibleToasts: 3 })
