import { embeddedMedia, type PlacementFacts, telegramText, type ThreadItem } from "@carillon/domain"
import type { Media } from "@carillon/sdk"
import { type ReactNode, useState } from "react"
import type { Account } from "../data/accounts.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { platformName } from "@carillon/domain/PlatformFacts"
import { Carousel, Dots } from "./Carousel.tsx"
import {
  aBoard,
  boardOf,
  cut,
  draftInInbox,
  firstComment,
  mayDiffer,
  mediaNeeded,
  noBoard,
  noTextInStory,
  nothingYet,
  now,
  previewOf,
  videoNeeded,
  withOthers
} from "./en.ts"
import { Embeds } from "./Embeds.tsx"
import { embedsIn } from "./embedsIn.ts"
import { Grid } from "./Grid.tsx"
import { frameOf, ratioName } from "./layout.ts"
import { LinkButtons } from "./LinkButtons.tsx"
import { lookOf, type Look } from "./looks.ts"
import { PreviewText } from "./PreviewText.tsx"
import type { Cover } from "./Shot.tsx"
import "./Preview.css"

/** The content of one account. */
export interface PreviewContent {
  readonly account: Account
  readonly caption: string
  /** The ids of the media. */
  readonly media: ReadonlyArray<string>
  readonly options: Readonly<Record<string, unknown>>
  /** The posts of a thread after the first, each a reply to the one before. */
  readonly following: ReadonlyArray<ThreadItem>
}

interface Props extends PreviewContent {
  readonly facts: PlacementFacts
  /** The files, as far as they are read. */
  readonly items: ReadonlyMap<string, Media>
  /** The boards of the account, as far as they are known. */
  readonly boards: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

/** The cover of a video. */
const coverOf = (options: PreviewContent["options"]) =>
  [options["cover_image"], options["thumbnail"]].find((id) => typeof id === "string")

/** The ids of every file that a preview shows. */
export const filesOf = ({ following, media, options }: PreviewContent): ReadonlyArray<string> => [
  ...media,
  ...following.flatMap((item) => item.media),
  ...[coverOf(options) ?? []].flat()
]

interface CardProps extends Props {
  readonly look: Look
  /** Undefined: still loading. */
  readonly slides: ReadonlyArray<Media | undefined>
  readonly cover: Cover | undefined
  readonly need: string
}

/** An imitation of how a network shows the post. */
export const Preview = (props: Props) => {
  const { account, caption, facts, following, items, media, options } = props
  const coverId = coverOf(options)
  const slides = media.map((id) => items.get(id))
  const known = slides.filter((item) => item !== undefined)
  const { look, name } = lookOf(account.platform, facts.placement, known)
  const network = platformName(account.platform)
  const at = options["video_cover_timestamp_ms"]
  const card: CardProps = {
    ...props,
    look,
    slides,
    cover: {
      picture: coverId === undefined ? undefined : items.get(coverId),
      at: typeof at === "number" ? at : undefined
    },
    need: facts.takes_images ? mediaNeeded(network) : videoNeeded(network)
  }
  const Card = cards[look]
  const isEmpty = media.length === 0 && caption.trim() === "" && facts.text_only && !facts.has_content_options
  return (
    <article className="preview" aria-label={previewOf(network, name)}>
      {isEmpty ? <p className="nothing">{nothingYet}</p> : <Card {...card} />}
      {following.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the items have no other name than their place.
        <div key={index} className="answer">
          <PlainPost
            {...card}
            caption={item.caption ?? ""}
            slides={item.media.map((id) => items.get(id))}
            cover={undefined}
            options={{ markup: options["markup"] }}
          />
        </div>
      ))}
      {look === "story" && <p className="note">{noTextInStory}</p>}
      {account.platform === "tiktok" && options["draft"] === true && <p className="note">{draftInInbox}</p>}
      {!isEmpty && <p className="note">{mayDiffer}</p>}
    </article>
  )
}

const nameOf = ({ display_name, username }: Account) => display_name ?? username

const Row = ({
  icons,
  children
}: {
  readonly icons: ReadonlyArray<IconName>
  readonly children?: ReactNode
}) => (
  <div className="acts" aria-hidden="true">
    {icons.map((name) => (
      <Icon key={name} name={name} />
    ))}
    {children}
  </div>
)

const Needed = ({ ratio, text }: { readonly ratio: number; readonly text: string }) => (
  <div className="needed" style={{ aspectRatio: ratio }}>
    <Icon name="picture" />
    <p>{text}</p>
  </div>
)

const namesOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const PhotoFeed = ({ account, caption, cover, look, need, options, slides }: CardProps) => {
  const [shown, setShown] = useState(0)
  const at = Math.min(shown, Math.max(0, slides.length - 1))
  const feed = { least: 4 / 5, most: 1.91, usual: 1 }
  const size = { width: slides[0]?.width ?? null, height: slides[0]?.height ?? null }
  // All pictures of a row are cropped to the ratio of the first.
  const { ratio } = frameOf(size, feed)
  const current = slides[at]
  const isCut =
    current !== undefined &&
    frameOf({ width: current.width, height: current.height }, { least: ratio, most: ratio, usual: ratio }).cut
  const others = namesOf(options["collaborators"])
  const comment = options["first_comment"]
  return (
    <>
      <div className="frame">
        <header className="who">
          <Avatar account={account} size={32} />
          <span className="names">
            <strong>{account.username}</strong>
            {others.length > 0 && <small>{withOthers(others.join(", "))}</small>}
          </span>
          <Icon name="more" />
        </header>
        {slides.length === 0 ? (
          <Needed ratio={1} text={need} />
        ) : (
          <Carousel slides={slides} ratio={ratio} cover={cover} onShow={setShown} />
        )}
        <Row icons={["heart", "comment", "send"]}>
          <Dots at={at} count={slides.length} />
          <span className="end">
            <Icon name="bookmark" />
          </span>
        </Row>
        <div className="text">
          <PreviewText platform={account.platform} look={look} text={caption} lead={account.username} />
          {typeof comment === "string" && comment !== "" && (
            <p className="comment">
              <span className="unseen">{firstComment}: </span>
              <strong>{account.username}</strong> {comment}
            </p>
          )}
        </div>
      </div>
      {isCut && current.width !== null && current.height !== null && (
        <p className="note">{cut(ratioName(current.width / current.height), ratioName(ratio))}</p>
      )}
    </>
  )
}

/** The screen of a phone, with the text over the picture. */
const Upright = ({ account, caption, cover, look, need, options, slides }: CardProps) => {
  const title = typeof options["title"] === "string" ? options["title"] : undefined
  const isShort = account.platform === "youtube"
  const words = isShort ? (title ?? firstLine(caption)) : caption
  return (
    <div className="frame screen">
      {slides.length === 0 ? (
        <Needed ratio={9 / 16} text={need} />
      ) : (
        <Carousel slides={slides} ratio={9 / 16} cover={cover} whole />
      )}
      <div className="over">
        <div className="said">
          <span className="who">
            <Avatar account={account} size={28} />
            <strong>{isShort ? `@${account.username}` : account.username}</strong>
          </span>
          {!isShort && title !== undefined && slides[0]?.kind === "image" && <strong>{title}</strong>}
          <PreviewText platform={account.platform} look={look} text={words} />
        </div>
        <Row icons={["heart", "comment", "bookmark", "send"]} />
      </div>
    </div>
  )
}

const Story = ({ account, cover, need, slides }: CardProps) => (
  <div className="frame screen">
    {slides.length === 0 ? (
      <Needed ratio={9 / 16} text={need} />
    ) : (
      <Carousel slides={slides.slice(0, 1)} ratio={9 / 16} cover={cover} whole />
    )}
    <div className="over top">
      <span className="time-line" aria-hidden="true" />
      <span className="who">
        <Avatar account={account} size={28} />
        <strong>{account.username}</strong>
      </span>
    </div>
  </div>
)

const firstLine = (text: string) => text.split(/\r?\n/).find((line) => line.trim() !== "") ?? ""

const Watch = ({ account, caption, cover, look, need, options, slides }: CardProps) => {
  const { description } = options
  const title = typeof options["title"] === "string" ? options["title"] : firstLine(caption)
  return (
    <div className="frame">
      {slides.length === 0 ? (
        <Needed ratio={16 / 9} text={need} />
      ) : (
        <Carousel slides={slides.slice(0, 1)} ratio={16 / 9} cover={cover} whole />
      )}
      <div className="text">
        {title !== "" && <p className="title">{title}</p>}
        <span className="who">
          <Avatar account={account} size={28} />
          <strong>{nameOf(account)}</strong>
        </span>
        <div className="described">
          <PreviewText
            platform={account.platform}
            look={look}
            text={typeof description === "string" ? description : caption}
          />
        </div>
      </div>
    </div>
  )
}

const hostOf = (address: string) => URL.parse(address)?.host.replace(/^www\./, "")

const Pin = ({ account, boards, caption, cover, look, need, options, slides }: CardProps) => {
  const chosen = namesOf(options["board_ids"])
  const wanted = chosen.length > 0 ? chosen : namesOf([account.default_board_id].filter((id) => id !== null))
  // A board may be given by its name. An unknown id is not shown.
  const names = wanted.flatMap(
    (one) => boards.find(({ id }) => id === one)?.name ?? (/^\d+$/.test(one) ? [] : one)
  )
  const [first] = slides
  const { ratio } = frameOf(
    { width: first?.width ?? null, height: first?.height ?? null },
    { least: 1 / 2.1, most: 1.91, usual: 2 / 3 }
  )
  const { link, title } = options
  const host = typeof link === "string" ? hostOf(link) : undefined
  return (
    <div className="frame pin">
      {slides.length === 0 ? (
        <Needed ratio={2 / 3} text={need} />
      ) : (
        <Carousel slides={slides} ratio={ratio} cover={cover} />
      )}
      <div className="text">
        {host !== undefined && (
          <span className="host">
            <Icon name="link" />
            {host}
          </span>
        )}
        {typeof title === "string" && <p className="title">{title}</p>}
        <PreviewText platform={account.platform} look={look} text={caption} />
        <span className="who">
          <Avatar account={account} size={28} />
          <span className="names">
            <strong>{nameOf(account)}</strong>
            <small>
              {wanted.length === 0 ? noBoard : names.length === 0 ? aBoard : boardOf(names.join(", "))}
            </small>
          </span>
        </span>
      </div>
    </div>
  )
}

const PlainPost = ({
  account,
  caption,
  cover,
  facts,
  items,
  look,
  need,
  options,
  slides: all
}: CardProps) => {
  const { link, spoiler_text: warning, title } = options
  const host = typeof link === "string" ? hostOf(link) : undefined
  const isTelegram = account.platform === "telegram"
  const { entities, text } = isTelegram ? telegramText({ caption, options }) : { entities: [], text: caption }
  const embeds = account.platform === "discord" ? embedsIn(options) : []
  const embedded = embeds.map(embeddedMedia)
  const slides = all.filter((item) => item === undefined || !embedded.includes(item.id))
  return (
    <div className="frame post">
      <Avatar account={account} size={40} />
      <div className="text">
        <span className="names">
          <strong>{nameOf(account)}</strong>
          <small>
            @{account.username} · {now}
          </small>
        </span>
        {typeof warning === "string" && warning !== "" && <p className="title">{warning}</p>}
        {typeof title === "string" && <p className="title">{title}</p>}
        <PreviewText platform={account.platform} look={look} text={text} entities={entities} />
        {slides.length > 0 && <Grid slides={slides} cover={cover} />}
        {isTelegram && <LinkButtons rows={options["buttons"]} />}
        {slides.length === 0 && !facts.takes_text && <Needed ratio={1} text={need} />}
        <Embeds embeds={embeds} items={items} />
        {host !== undefined && slides.length === 0 && (
          <span className="link-card">
            <Icon name="link" />
            {host}
          </span>
        )}
        <Row icons={["comment", "repeat", "heart", "send"]} />
      </div>
    </div>
  )
}

const cards: Readonly<Record<Look, (props: CardProps) => ReactNode>> = {
  "photo-feed": PhotoFeed,
  upright: Upright,
  story: Story,
  watch: Watch,
  pin: Pin,
  post: PlainPost
}
