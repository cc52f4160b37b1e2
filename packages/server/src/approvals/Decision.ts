import { type ApprovePost, type Markup, markup, type UpdatePost } from "@carillon/domain"
import type { PostChange } from "../posts/PostTimes.ts"
import type { PendingApproval } from "./PendingApproval.ts"
import { wanted } from "./PendingApprovalHtml.ts"

type When = "wanted" | "now" | "queue" | "at"

const isWhen = (value: string | null): value is When =>
  value !== null && ["wanted", "now", "queue", "at"].includes(value)

/** A person's choice as a change of the post; `told` says what is missing. */
export type Decision =
  | { readonly changes: PostChange; readonly told?: undefined }
  | { readonly told: string; readonly changes?: undefined }

/** The captions of a post, each once, with its path in the post. A text that was joined from several is none. */
const captionsOf = ({ versions }: PendingApproval) => {
  const fields = new Map<string, { readonly value: string; readonly accounts: ReadonlyArray<string> }>()
  for (const { captionPath, caption, accounts } of versions) {
    if (!/\bcaption$/.test(captionPath)) continue
    const names = [...(fields.get(captionPath)?.accounts ?? []), ...accounts.map(({ name }) => name)]
    fields.set(captionPath, { value: caption, accounts: names })
  }
  return [...fields].map(([path, field]) => ({ path, ...field }))
}

/** Browsers send every line end as CRLF. */
const plainText = (text: string) => text.replace(/\r\n?/g, "\n")

type Overrides = Pick<PendingApproval["post"], "platform_configurations" | "account_configurations">

/** Replaces the caption at `path` with the one that the person wrote. */
const withCaption = (path: string, caption: string, post: Overrides): UpdatePost => {
  const [, platform] = /^platform_configurations\.(\w+)\.caption$/.exec(path) ?? []
  if (platform !== undefined) {
    const entries = Object.entries(post.platform_configurations ?? {}).map(([name, entry]) => [
      name,
      name === platform ? { ...entry, caption } : entry
    ])
    return { platform_configurations: Object.fromEntries(entries) }
  }
  const [, index] = /^account_configurations\[(\d+)\]\.caption$/.exec(path) ?? []
  if (index !== undefined) {
    const entries = (post.account_configurations ?? []).map((entry, at) =>
      at === Number(index) ? { ...entry, caption } : entry
    )
    return { account_configurations: entries }
  }
  return { caption: caption === "" ? null : caption }
}

const changedCaptions = (asked: PendingApproval, form: URLSearchParams): UpdatePost => {
  const { post } = asked
  const changes: UpdatePost = {}
  for (const { path, value } of captionsOf(asked)) {
    const given = plainText(form.get(path) ?? value)
    if (given === plainText(value)) continue
    const present = {
      platform_configurations: changes.platform_configurations ?? post.platform_configurations,
      account_configurations: changes.account_configurations ?? post.account_configurations
    }
    Object.assign(changes, withCaption(path, given, present))
  }
  return changes
}

const approvalOf = ({ approval }: PendingApproval, when: When, at: string): ApprovePost =>
  when === "at"
    ? { scheduled_at: at }
    : when === "queue"
      ? { use_queue: true }
      : // The button said that it publishes at once.
        { publish_now: when === "now" || approval.wants === "now" }

/** Reads the form as a change of the post. A post that is only saved stays a draft and goes on waiting. */
export const readDecision = (asked: PendingApproval, form: URLSearchParams): Decision => {
  const when = form.get("when")
  const at = form.get("at") ?? ""
  const captions = changedCaptions(asked, form)
  if (form.get("decision") === "save") {
    return {
      changes: { ...captions, is_draft: true, ...(when === "at" && at !== "" ? { scheduled_at: at } : {}) }
    }
  }
  if (asked.arriving) {
    return {
      told: "Some of its files have not arrived yet. Wait until you can look at them, then decide."
    }
  }
  if (!isWhen(when)) return { told: "Choose when it goes out." }
  if (when === "at" && at === "") return { told: "Enter the day and the time at which it goes out." }
  return { changes: { ...captions, approve: approvalOf(asked, when, at) } }
}

/** The form's fields as the person left them, or else as the post has them. */
const fieldsOf = (asked: PendingApproval, form: URLSearchParams | null) => {
  const chosen = form?.get("when") ?? (asked.isPast ? null : "wanted")
  const radio = (value: When, label: string) =>
    markup`<label><input type="radio" name="when" value="${value}" required${chosen === value ? " checked" : ""}><span>${label}</span></label>`
  const { wants } = asked.approval
  const time = markup`<fieldset><legend>When</legend>
${asked.isPast ? "" : radio("wanted", `As the app asked: ${wanted(asked)}`)}
${wants === "now" ? "" : radio("now", "At once")}
${wants === "queue" ? "" : radio("queue", "At the next free slot of the queue")}
${radio("at", "At another time:")}
<label class="field inset">Day and time<span>In the time zone ${asked.workspace.timezone}.</span><input type="datetime-local" name="at" value="${form?.get("at") ?? ""}"></label>
</fieldset>`
  const captions = captionsOf(asked).map(
    ({ path, value, accounts }) =>
      // Browsers drop a line end at the start of a textarea.
      markup`<label class="field">Text<span>${accounts.join(", ")}</span><textarea name="${path}" rows="5">\n${form?.get(path) ?? value}</textarea></label>`
  )
  return [...captions, time]
}

const about = ({ post, approval }: PendingApproval) => {
  const caption = (post.caption ?? "").slice(0, 40)
  return `the post of ${approval.asked_by.name}${caption === "" ? "" : `: ${caption}`}`
}

const hidden = (form: Markup, { etag }: PendingApproval) =>
  markup`${form}<input type="hidden" name="version" value="${etag}">`

/** The form that approves a post as the app asked; without it if something has to be changed first. */
export const shortForm = (form: Markup, asked: PendingApproval) => {
  const path = `/approvals/${asked.post.id}`
  const decide = (label: string, kind: string) =>
    markup`<a class="${kind}" href="${path}" aria-label="${label}: ${about(asked)}">${label}</a>`
  if (asked.isPast || asked.arriving || asked.problems.length > 0) {
    return markup`<div class="actions">${decide("Change or refuse", "button")}</div>`
  }
  const label = asked.approval.wants === "now" ? "Approve and publish now" : "Approve"
  return markup`<form method="post" action="${path}">${hidden(form, asked)}<input type="hidden" name="when" value="wanted">
<div class="actions"><button name="decision" value="approve" aria-label="${label}: ${about(asked)}">${label}</button>${decide("Change or refuse", "button quiet")}</div></form>`
}

/** The forms that change and approve, or refuse, a post. */
export const wholeForm = (
  form: Markup,
  asked: PendingApproval,
  given: URLSearchParams | null
) => markup`<form method="post"><h2>Let it go out</h2>${hidden(form, asked)}
${fieldsOf(asked, given)}
<div class="actions"><button class="quiet" name="decision" value="save" formnovalidate>Save, decide later</button><button name="decision" value="approve">Approve</button></div></form>
<form method="post" action="/approvals/${asked.post.id}/refuse"><h2>Or refuse it</h2>${hidden(form, asked)}
<label class="field">Why<span>Optional. The app reads this.</span><textarea name="reason" rows="3" maxlength="1000">\n${given?.get("reason") ?? ""}</textarea></label>
<div class="actions"><button class="stop">Refuse</button></div></form>`
