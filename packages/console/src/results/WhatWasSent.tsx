import type { Media, Post } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { Icon } from "../ui/Icon.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { networkName } from "../data/networkName.ts"
import { resultWords as words } from "../post/resultWords.ts"
import type { ThreadItem } from "../data/itemsOf.ts"
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

const seconds = (duration: number) =>
  `${Math.floor(duration / 60_000)}:${String(Math.round(duration / 1000) % 60).padStart(2, "0")}`

/** The thumbnail of a file. */
export const Picture = ({ media }: { readonly media: Media | null | undefined }) => (
  <span className="picture">
    {media?.thumbnail_url ? (
      <img src={media.thumbnail_url} alt={media.alt_text ?? ""} />
    ) : (
      <Icon name="picture" />
    )}
    {typeof media?.duration_ms === "number" && <span className="length">{seconds(media.duration_ms)}</span>}
  </span>
)

const Sent = ({ item, media }: { readonly item: ThreadItem; readonly media: Props["media"] }) => (
  <>
    <p className="text">{item.caption === "" ? words.sent.noText : item.caption}</p>
    {item.media.length > 0 && (
      <ul className="pictures">
        {item.media.map((id) => (
          <li key={id}>
            <Picture media={media.get(id)} />
            <span className="file">{media.get(id)?.name ?? words.facts.gone}</span>
          </li>
        ))}
      </ul>
    )}
  </>
)

/** The texts and files that each account got. */
export const WhatWasSent = ({ accounts, media, post }: Props) => {
  const versions = versionsOf(post)
  return (
    <ul className="versions">
      {versions.map(({ accounts: ids, sent }) => (
        <li key={[...ids].join()}>
          <p className="to">
            {versions.length === 1 && ids.size > 1
              ? words.sent.all(ids.size)
              : [...ids].map((id) => {
                  const account = accounts.get(id)
                  return account === undefined ? null : (
                    <span key={id} className="chip">
                      <Avatar account={account} size={18} />
                      {account.name} <span className="soft">{networkName(account)}</span>
                    </span>
                  )
                })}
          </p>
          {[sent, ...sent.thread].map((item, index) => (
            // The content was sent and no longer changes.
            // oxlint-disable-next-line react/no-array-index-key
            <Sent key={index} item={item} media={media} />
          ))}
        </li>
      ))}
    </ul>
  )
}
