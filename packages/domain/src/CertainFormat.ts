import type { NotificationFormat } from "./Notifications.ts"

/** The format of an address whose host takes only one; null: it does not say. */
export const certainFormat = (url: string): NotificationFormat | null => {
  const { hostname, pathname } = URL.parse(url) ?? { hostname: "", pathname: "" }
  if (hostname === "hooks.slack.com") return "slack"
  if (hostname === "ntfy.sh") return "ntfy"
  // Discord takes the format of others behind `/slack` and `/github`.
  return /^(ptb\.|canary\.)?discord(app)?\.com$/.test(hostname) &&
    /^\/api(\/v\d+)?\/webhooks\/\d+\/[^/]+\/?$/.test(pathname)
    ? "discord"
    : null
}
