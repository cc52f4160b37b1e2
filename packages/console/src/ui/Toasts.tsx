import { Button } from "react-aria-components/Button"
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion
} from "react-aria-components"
import { Text } from "react-aria-components/Text"
import { words } from "./en.ts"
import { Icon } from "./Icon.tsx"
import { toastQueue } from "./toast.ts"

const region = [
  "pointer-events-none fixed inset-x-0 bottom-6 z-50 flex flex-col items-center gap-2 outline-none",
  "writing:bottom-above-bar max-md:writing:bottom-above-bars"
].join(" ")

const line = [
  "pointer-events-auto flex min-h-touch max-w-message items-center gap-4 rounded-control bg-float px-4 py-1 text-sm",
  "text-on-float shadow-float"
].join(" ")

export const Toasts = () => (
  <ToastRegion queue={toastQueue} className={region} aria-label={words.messages}>
    {({ toast: { content, ...rest } }) => (
      <Toast toast={{ content, ...rest }} className={line} data-toast>
        <ToastContent className="flex items-center gap-2">
          <Icon name={content.icon} />
          <Text slot="title">{content.text}</Text>
        </ToastContent>
        {content.action && (
          <Button
            className="min-h-8 flex-none cursor-pointer border-0 bg-transparent px-1 text-sm font-semibold text-on-float-brand"
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
