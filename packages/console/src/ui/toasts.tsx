import { Button } from "react-aria-components/Button"
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion
} from "react-aria-components"
import { Text } from "react-aria-components/Text"
import { words } from "./en.ts"
import { Icon } from "./Icon.tsx"
import { type Message, toastQueue } from "./toastQueue.ts"

const undoLasts = 10_000

/** Says something at the lower edge. What can be answered stays for ten seconds, and while it is pointed at. */
export const toast = (message: Message) => {
  const key = toastQueue.add(message, { timeout: message.action === undefined ? 5_000 : undoLasts })
  return () => toastQueue.close(key)
}

export const Toasts = () => (
  <ToastRegion queue={toastQueue} className="toasts" aria-label={words.messages}>
    {({ toast: { content, ...rest } }) => (
      <Toast toast={{ content, ...rest }} className="toast">
        <ToastContent className="text">
          <Icon name={content.icon} />
          <Text slot="title">{content.text}</Text>
        </ToastContent>
        {content.action && (
          <Button
            className="act"
            onPress={() => {
              toastQueue.close(rest.key)
              content.action?.act()
            }}
          >
            {content.action.label}
          </Button>
        )}
      </Toast>
    )}
  </ToastRegion>
)
