import {
  CurrentActor,
  hasScope,
  isProblem,
  platformRules,
  type Post,
  type Problem,
  problem,
  markup,
  roles,
  truncate
} from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { memberActor } from "../auth/Admission.ts"
import { Browser, foreignForm, seeOther, signInFirst } from "../auth/Browser.ts"
import type { MemberWorkspace } from "../auth/MemberRepository.ts"
import { Members, type Session } from "../auth/Members.ts"
import { alerts, htmlPage } from "../http/HtmlPage.ts"
import { sitePages } from "../http/SitePages.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import { PostApprovals } from "../posts/PostApprovals.ts"
import { Posts } from "../posts/Posts.ts"
import { pendingApproval, type PendingApproval } from "./PendingApproval.ts"
import { pendingApprovalHtml, headingOf, onTheClock } from "./PendingApprovalHtml.ts"
import { readDecision, shortForm, wholeForm } from "./Decision.ts"

const noSuchPost = htmlPage({
  title: "No such post",
  body: markup`<p>It was deleted, or it never needed your approval. <a href="/approvals">Approvals</a></p>`,
  status: 404,
  bad: true,
  signedIn: true
})

/** Sentences for a person about why their decision was not carried out, by the problem's code. */
const plainly: Readonly<Record<string, string>> = {
  stale_version:
    "The post has changed since you opened it, so nothing was sent. This is how it is now. Look again and decide.",
  approval_needs_time: "That time has passed. Choose another.",
  scheduled_at_past: "That time has passed. Choose another.",
  scheduled_at_invalid: "That is not a valid day and time. Choose again.",
  queue_not_configured: "The queue of this workspace has no slots. Choose a time instead.",
  queue_full: "Every slot of the queue is taken. Choose a time instead."
}

const saidOf = ({ code, errors }: Problem) => [
  ...new Set(
    errors.map(({ code: item, message }) => plainly[item === "" ? code : item] ?? plainly[code] ?? message)
  )
]

/** Tells what became of a post after the person's decision. */
const outcome = ({ approval, status, scheduled_at, results }: Post, { timezone }: MemberWorkspace) => {
  if (approval?.status === "refused") {
    return markup`<p>You refused it. ${approval.reason === null ? "You gave no reason." : markup`The app is told why: <q>${approval.reason}</q>`} It stays a draft of ${approval.asked_by.name}, which may change it and ask again.</p>`
  }
  if (status === "draft") return markup`<p>It is a draft again and no longer waits for you.</p>`
  if (status === "scheduled") {
    return scheduled_at === null
      ? markup`<p>You approved it. It is going out now.</p>`
      : markup`<p>You approved it. It goes out on ${onTheClock(scheduled_at, timezone)}.</p>`
  }
  const shown = results.map(({ platform, platform_data: data, error }) => {
    const name = platformRules[platform].name
    if (error !== null) return markup`<li>${name}: ${error.message}</li>`
    return data?.url != null && /^https?:/.test(data.url)
      ? markup`<li><a href="${data.url}" rel="noreferrer">${name}</a></li>`
      : markup`<li>${name}: published</li>`
  })
  return markup`<p>You approved it. It is ${status}:</p><ul>${shown}</ul>`
}

const firstWords = (caption: string | null) =>
  truncate(caption ?? "", 100) || "A draft without a text of its own"

const draftsHtml = (drafts: ReadonlyArray<Post>, console: boolean) =>
  markup`<h2>Drafts of apps</h2><p>Apps wrote these drafts and have not asked to publish them.</p><ul class="rows">${drafts.map(
    ({ id, caption, created_by }) => {
      const words = firstWords(caption)
      return markup`<li>${console ? markup`<a href="${sitePages.console.path}/posts/${id}">${words}</a>` : words} <small>${created_by?.name ?? ""}</small></li>`
    }
  )}</ul>`

/** The posts that wait for a person's approval, and the forms that decide, without JavaScript. */
export const ApprovalsPagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const browser = yield* Browser
    const members = yield* Members
    const posts = yield* Posts
    const { console } = yield* AppConfig
    const approvals = yield* PostApprovals
    const services = yield* Effect.context<Posts | SocialAccounts | MediaLibrary>()

    /** Those in which the member approves. */
    const workspacesOf = ({ member }: Session) =>
      Effect.map(members.workspaces(member), (all) =>
        all.filter(({ role }) => hasScope(roles[role].scopes, "posts:publish"))
      )

    const look = (...[waiting, workspace]: Parameters<typeof pendingApproval>) =>
      pendingApproval(waiting, workspace).pipe(
        Effect.provideService(CurrentActor, memberActor(workspace)),
        Effect.provideContext(services)
      )

    yield* router.add(
      "GET",
      sitePages.approvals.path,
      Effect.gen(function* () {
        const session = yield* browser.session
        if (Option.isNone(session)) return signInFirst(sitePages.approvals.path)
        const workspaces = yield* workspacesOf(session.value)
        const listed = yield* Effect.forEach(workspaces, (workspace) =>
          Effect.gen(function* () {
            const [{ data, more }, drafts] = yield* Effect.all([
              approvals.waiting,
              approvals.draftsOfApps
            ]).pipe(Effect.provideService(CurrentActor, memberActor(workspace)))
            return { more, drafts, asked: yield* Effect.forEach(data, (one) => look(one, workspace)) }
          })
        )
        const asked = listed.flatMap((one) => one.asked)
        const drafts = listed.flatMap((one) => one.drafts)
        return yield* browser.page((form) => ({
          title: "Approvals",
          wide: true,
          media: true,
          signedIn: true,
          body: markup`${
            asked.length === 0
              ? markup`<p>Nothing is waiting for you. This page lists the posts of apps that you hold for your approval. Choose those apps under <a href="/connected-apps">Connected apps</a>.</p>`
              : markup`<p>Apps wrote these posts. Each waits until you decide.</p>${asked.map((one) => markup`<section class="asked"><h2>${headingOf(one)}</h2>${pendingApprovalHtml(one)}${shortForm(form, one)}</section>`)}${listed.some(({ more }) => more) ? markup`<p>There are more. They appear here once you have decided these.</p>` : ""}`
          }${drafts.length === 0 ? null : draftsHtml(drafts, console)}`
        }))
      })
    )

    const page = (asked: PendingApproval, told: ReadonlyArray<string>, given: URLSearchParams | null) =>
      browser.page((form) => ({
        title: `${asked.approval.asked_by.name} asks for your approval`,
        wide: true,
        media: true,
        signedIn: true,
        status: told.length === 0 ? 200 : 400,
        body: markup`${alerts(told)}<h2>What goes out</h2>${pendingApprovalHtml(asked)}${wholeForm(form, asked, given)}<p><a href="/approvals">All waiting posts</a></p>`
      }))

    const decided = (post: Post, workspace: MemberWorkspace, told: ReadonlyArray<string>) =>
      htmlPage({
        title: post.approval?.status === "refused" ? "Refused" : "Approved",
        wide: true,
        signedIn: true,
        status: told.length === 0 ? 200 : 409,
        body: markup`${alerts(told)}${outcome(post, workspace)}<p><a href="/approvals">All waiting posts</a></p>`
      })

    /** Finds a post of the member's workspaces that waits or waited for approval; if there is none, the page that says so. */
    const visit = Effect.gen(function* () {
      const { params } = yield* HttpRouter.RouteContext
      const id = params["id"] ?? ""
      const session = yield* browser.session
      if (Option.isNone(session)) {
        return { answer: signInFirst(`/approvals/${id}`) } as const
      }
      for (const workspace of yield* workspacesOf(session.value)) {
        const actor = memberActor(workspace)
        const found = yield* Effect.option(Effect.provideService(approvals.get(id), CurrentActor, actor))
        if (Option.isNone(found)) continue
        const { post, waiting } = found.value
        return post.approval === undefined
          ? ({ answer: noSuchPost } as const)
          : ({ id, actor, workspace, post, asked: waiting } as const)
      }
      return { answer: noSuchPost } as const
    })

    yield* router.add(
      "GET",
      sitePages.approval.path,
      Effect.gen(function* () {
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        const { asked, post, workspace } = visited
        return asked === null
          ? decided(post, workspace, [])
          : yield* page(yield* look(asked, workspace), [], null)
      })
    )

    const alreadyDecided = ["This post has already been decided. Nothing was changed."]

    /** Carries out a form's decision, or shows the post again with the reason why not. */
    const answering = (
      carryOut: (
        asked: PendingApproval,
        form: URLSearchParams
      ) => Effect.Effect<ReadonlyArray<string>, Problem, CurrentActor>
    ) =>
      Effect.gen(function* () {
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        if (visited.asked === null) return decided(visited.post, visited.workspace, alreadyDecided)
        const { actor, workspace } = visited
        const asked = yield* look(visited.asked, workspace)
        const looked = form.value.get("version")
        const told = yield* (
          looked === asked.etag ? carryOut(asked, form.value) : problem("stale_version", "It has changed.")
        ).pipe(
          Effect.provideService(CurrentActor, actor),
          Effect.catchIf(isProblem, (refused) => Effect.succeed(saidOf(refused)))
        )
        if (told.length === 0) return seeOther(`/approvals/${visited.id}`)
        // Read again: the obstacle may be that the post has changed.
        const again = yield* visit
        if ("answer" in again) return again.answer
        if (again.asked === null) return decided(again.post, again.workspace, alreadyDecided)
        const now = yield* look(again.asked, workspace)
        return yield* page(now, told, now.etag === looked ? form.value : null)
      })

    yield* router.add(
      "POST",
      sitePages.approval.path,
      answering((asked, form) => {
        const { changes, told } = readDecision(asked, form)
        return changes === undefined
          ? Effect.succeed([told])
          : Effect.as(posts.update(asked.post.id, changes, asked.etag), [])
      })
    )

    yield* router.add(
      "POST",
      "/approvals/:id/refuse",
      answering((asked, form) => {
        const reason = form.get("reason")?.slice(0, 1000) ?? null
        return Effect.as(approvals.refuse(asked.post.id, { reason }, asked.etag), [])
      })
    )
  })
)
