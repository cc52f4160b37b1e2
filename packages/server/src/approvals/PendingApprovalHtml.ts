import { DateTime } from "effect"
import { escapeHtml } from "../http/HtmlPage.ts"
import type { PendingApproval, ShownMedia, Version } from "./PendingApproval.ts"

/** "Tuesday 24 November 2026 at 10:00 (Europe/Berlin)". */
export const onTheClock = (at: DateTime.Utc, timezone: string): string => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    dateStyle: "full",
    timeStyle: "short"
  })
  return `${format.format(at.epochMilliseconds)} (${timezone})`
}

export const wanted = ({ approval, post, workspace }: PendingApproval): string =>
  approval.wants === "now"
    ? "at once"
    : approval.wants === "queue"
      ? `at the next free slot of the queue${approval.queue_timezone === null ? "" : ` (${approval.queue_timezone})`}`
      : post.scheduled_at === null
        ? "at a time that it took back"
        : onTheClock(post.scheduled_at, workspace.timezone)

const shownInPages = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"])

/** By its path alone: the person may have come by another name of this machine than PUBLIC_URL's. */
const sameOrigin = (url: string) => {
  const { pathname, search } = new URL(url)
  return escapeHtml(pathname + search)
}

const mediaHtml = ({ use, item }: ShownMedia) => {
  const role = use === "media" ? "" : `${use.replace("_", " ")}: `
  if (item === null) return `<li>${role}A file that was deleted.</li>`
  const name = escapeHtml(role + item.name)
  if (item.url === null) {
    return `<li>${name}: ${item.error === null ? "still on its way" : escapeHtml(item.error.message)}</li>`
  }
  const src = sameOrigin(item.url)
  if (shownInPages.has(item.mime_type ?? "")) {
    return `<li><a href="${src}"><img src="${src}" alt="${name}" loading="lazy"></a></li>`
  }
  return item.mime_type?.startsWith("video/")
    ? `<li><video src="${src}" controls preload="metadata" aria-label="${name}"></video></li>`
    : `<li><a href="${src}">${name}</a></li>`
}

const versionHtml = ({ accounts, caption, media, options }: Version) =>
  `<div class="version"><h3>${accounts.map(({ name }) => escapeHtml(name)).join(", ")}</h3>
${media.length === 0 ? "" : `<ul class="media">${media.map(mediaHtml).join("")}</ul>`}
${caption === "" ? `<p class="soft">No caption.</p>` : `<p class="caption">${escapeHtml(caption)}</p>`}
<p class="soft">${accounts.length === 1 ? escapeHtml(accounts[0]!.length) : accounts.map(({ name, length }) => `${escapeHtml(name)} ${escapeHtml(length)}`).join("; ")}.</p>
${options.length === 0 ? "" : `<details><summary>Options</summary><ul>${options.map(([name, value]) => `<li>${escapeHtml(name)}: ${escapeHtml(value)}</li>`).join("")}</ul></details>`}</div>`

const list = (kind: "note" | "note bad", title: string, lines: ReadonlyArray<string>) =>
  lines.length === 0
    ? ""
    : `<div class="${kind}"><p>${title}</p><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul></div>`

/** What tells one of several from the others. */
export const headingOf = ({ post, approval }: PendingApproval) => {
  const [line = ""] = (post.caption ?? "").trim().split("\n")
  return escapeHtml(
    line === ""
      ? `A post of ${approval.app}`
      : line.length > 60
        ? `${[...line].slice(0, 58).join("")}…`
        : line
  )
}

/** What a person has to see before they decide. */
export const pendingApprovalHtml = (
  asked: PendingApproval
) => `<dl><dt>Goes out</dt><dd>${escapeHtml(wanted(asked))}</dd>
<dt>App</dt><dd>${escapeHtml(asked.approval.app)}</dd>
<dt>Workspace</dt><dd>${escapeHtml(asked.workspace.name)}</dd></dl>
<p class="soft">Asked on ${escapeHtml(onTheClock(asked.approval.asked_at, asked.workspace.timezone))}.</p>
${asked.isPast ? `<div class="note bad"><p>That time has passed. It will not go out before you choose another.</p></div>` : ""}
${asked.arriving ? `<div class="note bad"><p>Some of its media are still on their way. You can approve it when they are there.</p></div>` : ""}
${list("note bad", "This stands against it at present:", asked.problems)}
${list("note", "Good to know:", asked.warnings)}
${asked.versions.map(versionHtml).join("\n")}`
