import type { NotificationFormat } from "@carillon/domain"
import { HttpClientRequest } from "effect/http"
import type { Notice } from "./noticeOf.ts"

/** How a product writes text of others and a link, and how much of it a message may have. */
interface Written {
  readonly limit: number
  readonly size: (text: string) => number
  readonly plain: (text: string) => string
  readonly link: (label: string, url: string) => string
}

const characters = (text: string) => text.length
/** Zero width: what follows is no name any more. */
const apart = "\u200b"
const escaped = (text: string) => text.replace(/[\\`*_~|>#()[\]]/g, "\\$&")

const slack: Written = {
  // A longer one is split into several.
  limit: 4000,
  size: characters,
  plain: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  link: (label, url) => `<${url}|${label}>`
}
const discord: Written = {
  limit: 2000,
  size: characters,
  plain: (text) => escaped(text).replaceAll("<", "\\<"),
  link: (label, url) => `[${label}](<${url}>)`
}
const mattermost: Written = {
  limit: 16_383,
  size: characters,
  // It knows names behind a backslash, and Slack's `<!channel>`.
  plain: (text) => escaped(text).replace(/[@<]/g, `$&${apart}`),
  link: (label, url) => `[${label}](${url})`
}
const ntfy: Written = {
  // A longer one becomes an attachment.
  limit: 4096,
  size: Buffer.byteLength,
  plain: (text) => text,
  link: (_, url) => url
}

/** The message with as many of its items as fit. */
const writtenAs = ({ counts, items, text, url }: Notice, { limit, link, plain, size }: Written): string => {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const naming = (some: Notice["items"]) =>
    [
      plain(text),
      ...some.map((item) => `• ${plain(item.text)} ${link("Open", item.url)}`),
      ...(total > some.length ? [`And ${total - some.length} more: ${link("Show all", url)}`] : [])
    ].join("\n")
  let fitting = items
  while (fitting.length > 0 && size(naming(fitting)) > limit) fitting = fitting.slice(0, -1)
  return naming(fitting)
}

/** The request that gives a message to a receiver of that format. `id` is the same in every try. */
export const noticeRequest = (
  format: NotificationFormat,
  address: string,
  id: string,
  notice: Notice
): HttpClientRequest.HttpClientRequest => {
  const post = HttpClientRequest.post(address)
  const json = (body: unknown) => HttpClientRequest.bodyText(post, JSON.stringify(body), "application/json")
  switch (format) {
    case "slack":
      return json({ text: writtenAs(notice, slack), unfurl_links: false, unfurl_media: false })
    case "discord":
      // 4: no pictures of the links.
      return json({ content: writtenAs(notice, discord), allowed_mentions: { parse: [] }, flags: 4 })
    case "mattermost":
      return json({ text: writtenAs(notice, mattermost) })
    case "ntfy":
      return HttpClientRequest.bodyText(post, writtenAs(notice, ntfy), "text/plain").pipe(
        HttpClientRequest.setHeaders({
          title: "Carillon",
          click: notice.items.length === 1 ? notice.items[0]!.url : notice.url
        })
      )
    case "json":
      return json({ id, ...notice })
  }
}
