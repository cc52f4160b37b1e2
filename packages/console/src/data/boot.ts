/** What the service wrote into the page, so that nothing is asked before the first paint. */
export interface Boot {
  readonly member: { readonly id: string; readonly name: string; readonly role: string }
  readonly workspaces: ReadonlyArray<Workspace>
  readonly public_url: string
}

export interface Workspace {
  readonly id: string
  readonly name: string
  readonly timezone: string
  /** Whether anything was written in it before this page was opened. */
  readonly has_posts: boolean
}

export const boot: Boot = JSON.parse(document.getElementById("boot")!.textContent!)
