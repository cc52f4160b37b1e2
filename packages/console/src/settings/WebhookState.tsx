import type { Webhook } from "@carillon/sdk"
import { workspace } from "../data/api.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { Icon } from "../ui/Icon.tsx"
import { words as all } from "./en.ts"

const words = all.webhooks

/** Whether events are sent to it, and why not. */
export const WebhookState = ({ webhook }: { readonly webhook: Webhook }) => {
  const now = useNow(false)
  const { failing_since, status, status_reason } = webhook
  const isBad = failing_since !== null
  return (
    <span className={isBad ? "flex items-center gap-1 text-bad" : "flex items-center gap-1"}>
      <Icon name={isBad ? "warning" : status === "active" ? "check" : "minus"} />
      <span>
        {words.status[status]}
        {status_reason !== null && `: ${status_reason}`}
        {isBad && ` · ${words.failing(formatMoment(failing_since, now, workspace.timezone))}`}
      </span>
    </span>
  )
}
