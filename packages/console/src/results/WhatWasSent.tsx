import type { Media, Post } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { Icon } from "../ui/Icon.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { networkName } from "../data/networkName.ts"
import { durationWords } from "../media/mediaFacts.ts"
import { resultWords as words } from "../post/resultWords.ts"
import { sentTo } from "../post/resultRows.ts"

interface Props {
  readonly post: Post
  readonly media: ReadonlyMap<string, Media | null>
  readonly accounts: Accounts
}

/** Groups the accounts that got the same content. */
const versionsOf = (post: Post) => {
  const found = new Map<
    string,
    { readonly sent: ReturnType<typeof sentTo>; readonly accounts: Set<number> }
  >()
  for (const result of post.results) {
    const sent = sentTo(post, result)
    const key = JSON.stringify(sent)
    const same = found.get(key) ?? { sent, accounts: new Set<number>() }
    found.set(key, same)
    same.accounts.add(result.social_account_id)
  }
  return [...found.values()].toSorted((one, other) => other.accounts.size - one.accounts.size)
}

interface PictureProps {
  readonly look: string
  readonly media: Media | null | undefined
}

/** The thumbnail of a file. */
export const Picture = ({ look, media }: PictureProps) => (
  <span className={`relative grid flex-none place-items-center overflow-hidden bg-sunk text-soft ${look}`}>
    {media?.thumbnail_url ? (
      <img src={media.thumbnail_url} alt={media.alt_text ?? ""} className="size-full object-cover" />
    ) : (
      <Icon name="picture" />
    )}
    {typeof media?.duration_ms === "number" && (
      <span className="absolute start-2 bottom-2 rounded-tile bg-veil px-1 text-xs text-on-veil tabular-nums">
        {durationWords(media.duration_ms)}
      </span>
    )}
  </span>
)

/** The texts and files that each account got. */
export const WhatWasSent = ({ accounts, media, post }: Props) => {
  const versions = versionsOf(post)
  return (
    <ul className="flex flex-col gap-6">
      {versions.map(({ accounts: ids, sent }) => (
        <li key={[...ids].join()} className="flex flex-col gap-2">
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
            {versions.length === 1 && ids.size > 1
              ? words.sent.all(ids.size)
              : [...ids].map((id) => {
                  const account = accounts.get(id)
                  return (
                    account && (
                      <span key={id} className="flex items-center gap-2">
                        <Avatar account={account} size={18} />
                        <strong className="text-ink">{account.name}</strong> {networkName(account)}
                      </span>
                    )
                  )
                })}
          </p>
          {[sent, ...sent.thread].map((item, index) => (
            // The content was sent and no longer changes.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={index} className="flex flex-col gap-2">
              <p dir="auto" className="max-w-text whitespace-pre-wrap">
                {item.caption || words.sent.noText}
              </p>
              {item.media.length > 0 && (
                <ul className="flex flex-wrap gap-3">
                  {item.media.map((id) => (
                    <li key={id} className="w-file text-xs text-soft">
                      <Picture look="aspect-4/3 rounded-tile" media={media.get(id)} />
                      {media.get(id)?.name ?? words.facts.gone}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}
