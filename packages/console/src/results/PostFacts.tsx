import type { Media, Post } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { Accounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { networkName } from "../data/networkName.ts"
import { useResult } from "../data/posts.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { ownOf } from "../post/resultRows.ts"
import { resultWords as words } from "../post/resultWords.ts"
import { Card } from "../ui/Card.tsx"
import { Note } from "../ui/Note.tsx"
import { TextButton } from "../ui/TextButton.tsx"
import { whyFixed } from "./isChangeable.ts"
import { Picture } from "./WhatWasSent.tsx"

const zone = workspace.timezone

const Fact = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex justify-between gap-4">
    <dt className="flex-none text-soft">{name}</dt>
    <dd className="min-w-0 text-end tabular-nums">{children}</dd>
  </div>
)

interface Props {
  readonly post: Post
  readonly media: ReadonlyMap<string, Media>
  /** The files of all accounts. */
  readonly files: ReadonlyArray<string>
  readonly accounts: Accounts
  readonly now: number
  readonly onCompare: () => void
}

/** The post and its facts. */
export const PostFacts = ({ accounts, files, media, now, onCompare, post }: Props) => {
  const repaired = useResult(post.repairs)
  const own = ownOf(post)
  const [only] = own?.results ?? []
  const account = only && accounts.get(only.social_account_id)
  const fixed = whyFixed(post)
  return (
    <>
      <Card label={words.facts.post}>
        {files.length > 0 && <Picture look="aspect-3/2 w-full" media={media.get(files[0]!)} />}
        <p
          dir="auto"
          className="max-h-96 overflow-y-auto px-4 py-3 text-sm whitespace-pre-wrap scrollbar-thin"
        >
          {post.caption || words.sent.noText}
        </p>
        {own !== null && only !== undefined && (
          <Note>
            {own.results.length > 1
              ? words.sent.ownMany(own.results.length, words.sent.ownParts[own.what])
              : words.sent.own(
                  networkName(account ?? only),
                  account?.name ?? "",
                  words.sent.ownParts[own.what]
                )}{" "}
            <TextButton onClick={onCompare}>{words.sent.compare}</TextButton>
          </Note>
        )}
      </Card>
      <Card label={words.facts.title}>
        <dl className="flex flex-col gap-2 px-4 py-3 text-sm">
          {post.scheduled_at !== null && (
            <Fact name={words.facts.planned}>{formatMoment(post.scheduled_at, now, zone)}</Fact>
          )}
          {post.published_at !== null && (
            <Fact name={words.facts.first}>
              {formatMoment(post.published_at, now, zone, { seconds: true })}
            </Fact>
          )}
          {post.created_by?.name != null && <Fact name={words.facts.by}>{post.created_by.name}</Fact>}
          {repaired !== undefined && (
            <Fact name={words.facts.repairs}>
              <Link to="/posts/$id" params={{ id: repaired.post_id }}>
                {words.facts.failure}
              </Link>
            </Fact>
          )}
          <Fact name={words.facts.media}>
            {files.length === 0
              ? words.facts.none
              : files.map((one) => media.get(one)?.name ?? words.facts.gone).join(", ")}
          </Fact>
        </dl>
        {fixed !== null && <Note>{fixed}</Note>}
      </Card>
    </>
  )
}
