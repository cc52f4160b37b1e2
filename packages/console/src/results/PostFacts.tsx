import type { Media, Post } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import type { Accounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { networkName } from "../data/networkName.ts"
import { useResult } from "../data/posts.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { ownOf } from "../post/resultRows.ts"
import { resultWords as words } from "../post/resultWords.ts"
import { whyFixed } from "./isChangeable.ts"
import { Picture } from "./WhatWasSent.tsx"

const zone = workspace.timezone

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
  const only = own?.results.length === 1 ? own.results[0]! : undefined
  const fixed = whyFixed(post)
  return (
    <aside className="side" aria-label={words.facts.title}>
      <div className="card shown">
        {files.length > 0 && <Picture media={media.get(files[0]!)} />}
        <p className="text">
          {post.caption === null || post.caption === "" ? words.sent.noText : post.caption}
        </p>
        {own !== null && (
          <p className="note">
            {only === undefined
              ? words.sent.ownMany(own.results.length, words.sent.ownParts[own.what])
              : words.sent.own(
                  networkName(accounts.get(only.social_account_id) ?? only),
                  accounts.get(only.social_account_id)?.name ?? "",
                  words.sent.ownParts[own.what]
                )}{" "}
            <button type="button" className="as-link" onClick={onCompare}>
              {words.sent.compare}
            </button>
          </p>
        )}
      </div>
      {fixed !== null && <p className="card unchangeable">{fixed}</p>}
      <dl className="card facts">
        {post.scheduled_at !== null && (
          <>
            <dt>{words.facts.planned}</dt>
            <dd>{formatMoment(post.scheduled_at, now, zone)}</dd>
          </>
        )}
        {post.published_at !== null && (
          <>
            <dt>{words.facts.first}</dt>
            <dd>{formatMoment(post.published_at, now, zone, { seconds: true })}</dd>
          </>
        )}
        {post.created_by?.name != null && (
          <>
            <dt>{words.facts.by}</dt>
            <dd>{post.created_by.name}</dd>
          </>
        )}
        {repaired !== undefined && (
          <>
            <dt>{words.facts.repairs}</dt>
            <dd>
              <Link to="/posts/$id" params={{ id: repaired.post_id }}>
                {words.facts.failure}
              </Link>
            </dd>
          </>
        )}
        <dt>{words.facts.media}</dt>
        <dd>
          {files.length === 0
            ? words.facts.none
            : files.map((one) => media.get(one)?.name ?? words.facts.gone).join(", ")}
        </dd>
      </dl>
    </aside>
  )
}
