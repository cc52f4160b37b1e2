import { oneLine, platformName, truncate } from "@carillon/domain"

/** What people are told of. */
export type Kind = "failed" | "unconfirmed" | "approval_requested" | "needs_reconnect"

/** How often each happened, and the first few of them. */
export interface Troubles {
  readonly counts: Readonly<Partial<Record<Kind, number>>>
  readonly first: ReadonlyArray<{
    readonly kind: Kind
    /** Of the post or the account. */
    readonly id: string
    readonly platform: string | null
    readonly username: string | null
    readonly caption: string | null
    readonly reason: string | null
  }>
}

export interface Workspace {
  readonly id: string
  readonly name: string
}

/** A message for people, in no format yet. */
export interface Notice {
  readonly workspace: Workspace
  readonly text: string
  readonly counts: Troubles["counts"]
  /** Each with the page on which a person sees to it. */
  readonly items: ReadonlyArray<{ readonly text: string; readonly url: string }>
  /** The page that has all of them. */
  readonly url: string
}

/** How many are named. */
export const mostNamed = 5

const sentences: Readonly<Record<Kind, readonly [one: string, several: string, label: string]>> = {
  failed: ["result failed", "results failed", "Failed"],
  unconfirmed: ["result is unconfirmed", "results are unconfirmed", "Unconfirmed"],
  approval_requested: ["post waits for approval", "posts wait for approval", "Waits for approval"],
  needs_reconnect: [
    "account must be connected again",
    "accounts must be connected again",
    "To be connected again"
  ]
}

/** The message about what happened within a minute. */
export const noticeOf = ({ counts, first }: Troubles, workspace: Workspace, publicUrl: string): Notice => {
  const page = (path: string) => `${publicUrl}/app/${path}`
  const of = `w=${workspace.id}`
  const counted = Object.entries(sentences).flatMap(([kind, [one, several]]) => {
    const count = counts[kind as Kind] ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]
  })
  return {
    workspace,
    text: `${truncate(oneLine(workspace.name), 80)}: ${counted.join(", ")}.`,
    counts,
    items: first.slice(0, mostNamed).map(({ caption, id, kind, platform, reason, username }) => {
      const account = username === null ? "" : oneLine(username)
      const where = platform === null ? account : `${account} on ${platformName(platform)}`
      const post = oneLine(caption ?? "")
      const what = [where, post === "" ? "" : `“${truncate(post, 60)}”`]
        .filter((part) => part !== "")
        .join(", ")
      const why = oneLine(reason ?? "")
      return {
        text: `${sentences[kind][2]}: ${truncate(what, 150)}${why === "" ? "" : `. ${truncate(why, 200)}`}`,
        url: kind === "needs_reconnect" ? page(`accounts?reconnect=${id}&${of}`) : page(`posts/${id}?${of}`)
      }
    }),
    url: page(`activity?${of}`)
  }
}

export const testNotice = (workspace: Workspace, publicUrl: string): Notice => ({
  workspace,
  text: `This is a test. What needs a person in ${truncate(oneLine(workspace.name), 80)} is told here.`,
  counts: {},
  items: [],
  url: `${publicUrl}/app/settings/notifications?w=${workspace.id}`
})
