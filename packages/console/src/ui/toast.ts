import { UNSTABLE_ToastQueue as ToastQueue } from "react-aria-components"
import type { IconName } from "./Icon.tsx"

export interface Message {
  readonly icon: IconName
  readonly text: string
  readonly action?: { readonly label: string; readonly act: () => void }
}

/** The messages on the screen. */
export const toastQueue = new ToastQueue<Message>({ maxVisibleToasts: 3 })

const undoLasts = 10_000

/** Says something at the lower edge. What can be answered stays for ten seconds, and while it is pointed at. */
export const toast = (message: Message) => {
  const key = toastQueue.add(message, { timeout: message.action === undefined ? 5_000 : undoLasts })
  return () => toastQueue.close(key)
}
