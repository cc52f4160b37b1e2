import type { NewWebhook } from "@carillon/sdk"
import { words } from "./en.ts"

/** The signing secret of a webhook, as it is shown once. */
export const secretOf = ({ secret, url }: NewWebhook) => ({
  title: words.webhooks.secretOf(url),
  label: words.webhooks.secret,
  secret
})
