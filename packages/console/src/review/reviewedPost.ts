import type { PlacementFacts } from "@carillon/domain"
import type { Media, SocialAccount } from "@carillon/sdk"
import type { PreviewContent } from "../preview/Preview.tsx"

/** What the service tells the page of a link: as much of each thing as is drawn. */
export interface ReviewedPost {
  readonly workspace: string
  readonly timezone: string
  readonly version: string
  readonly is_open: boolean
  readonly status: "draft" | "scheduled" | "published" | "failed"
  readonly scheduled_at: string | null
  readonly approval: "waiting" | "approved" | "refused" | null
  readonly yes_approves: boolean
  readonly accounts: ReadonlyArray<SocialAccount>
  readonly media: ReadonlyArray<Media>
  readonly previews: ReadonlyArray<
    Omit<PreviewContent, "account"> & { readonly account_id: number; readonly facts: PlacementFacts }
  >
  readonly reviews: ReadonlyArray<Said>
}

export interface Said {
  readonly name: string
  readonly answer: "yes" | "no" | null
  readonly comment: string | null
  readonly version: string
  readonly created_at: string
}

export type Given = Pick<Said, "name" | "answer" | "comment" | "version">

/** Why the service did not answer with a post: the code of its problem. */
export class Refused extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const ask = async (path: string, init: RequestInit = {}): Promise<ReviewedPost> => {
  // A fragment is never sent with an address.
  const token = location.hash.slice(1)
  const answer = await fetch(path, {
    ...init,
    credentials: "omit",
    headers: { ...init.headers, authorization: `Bearer ${token}` }
  })
  const body = await answer.json()
  if (!answer.ok) throw new Refused(body.code)
  return body
}

export const readPost = () => ask("/review/post")

export const sendAnswer = (given: Given) =>
  ask("/review/answers", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(given)
  })
