import { markup, truncate } from "@carillon/domain"
import { DateTime } from "effect"
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
        ? "at a time that the app took back"
        : onTheClock(post.scheduled_at, workspace.timezone)

const shownInPages = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"])

/** The path alone: the person may have used another name of this machine than PUBLIC_URL's. */
const sameOrigin = (url: string) => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const mediaHtml = ({ use, item }: ShownMedia) => {
  const role = use === "media" ? "" : `${use.replace("_", " ")}: `
  if (item === null) return markup`<li>${role}A file that was deleted.</li>`
  const name = role + item.name
  if (item.url === null) {
    return markup`<li>${name}: ${item.error === null ? "not here yet" : item.error.message}</li>`
  }
  const src = sameOrigin(item.url)
  if (shownInPages.has(item.mime_type ?? "")) {
    return markup`<li><a href="${src}"><img src="${src}" alt="${name}" loading="lazy"></a></li>`
  }
  return item.mime_type?.startsWith("video/")
    ? markup`<li><video src="${src}" controls preload="metadata" aria-label="${name}"></video></li>`
    : markup`<li><a href="${src}">${name}</a></li>`
}

const contentHtml = ({ caption, media }: Pick<Version, "caption" | "media">) =>
  markup`${media.length === 0 ? "" : markup`<ul class="media">${media.map(mediaHtml)}</ul>`}
${caption === "" ? markup`<p class="soft">No text.</p>` : markup`<p class="caption">${caption}</p>`}`

const versionHtml = ({ accounts, following, options, ...first }: Version) =>
  markup`<div class="version"><h3>${accounts.map(({ name }) => name).join(", ")}</h3>
${contentHtml(first)}
<p class="soft">${accounts.length === 1 ? accounts[0]!.length : accounts.map(({ name, length }) => `${name} ${length}`).join("; ")}.</p>
${following.map((item, index) => markup`<p class="soft">Post ${String(index + 2)} of the thread:</p>${contentHtml(item)}`)}
${options.length === 0 ? "" : markup`<details><summary>Options</summary><ul>${options.map(([name, value]) => markup`<li>${name}: ${value}</li>`)}</ul></details>`}</div>`

const list = (kind: "note" | "note bad", title: string, lines: ReadonlyArray<string>) =>
  lines.length === 0
    ? ""
    : markup`<div class="${kind}"><p>${title}</p><ul>${lines.map((line) => markup`<li>${line}</li>`)}</ul></div>`

/** The post's first line, which tells it from the others on the page. */
export const headingOf = ({ post, approval }: PendingApproval) => {
  const [line = ""] = (post.caption ?? "").trim().split("\n")
  if (line === "") return `A post by ${approval.asked_by.name}`
  return truncate(line, 60)
}

/** Everything that a person has to see before they decide. */
export const pendingApprovalHtml = (
  asked: PendingApproval
) => markup`<dl><dt>Goes out</dt><dd>${wanted(asked)}</dd>
<dt>App</dt><dd>${asked.approval.asked_by.name}</dd>
<dt>Workspace</dt><dd>${asked.workspace.name}</dd></dl>
<p class="soft">Asked on ${onTheClock(asked.approval.asked_at, asked.workspace.timezone)}.</p>
${asked.isPast ? markup`<div class="note bad"><p>That time has passed. Choose another, or it will not go out.</p></div>` : ""}
${asked.arriving ? markup`<div class="note bad"><p>Some of its files have not arrived yet. You can approve it when they have.</p></div>` : ""}
${list("note bad", "It cannot go out as it is:", asked.problems)}
${list("note", "Good to know:", asked.warnings)}
${asked.versions.map(versionHtml)}`
