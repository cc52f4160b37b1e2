import { embeddedMedia, type PlacementFacts, telegramText, type ThreadItem } from "@carillon/domain"
import type { Media } from "@carillon/sdk"
import { type ComponentProps, type ReactNode, useState } from "react"
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
import { LinkCard } from "./LinkCard.tsx"
import { lookOf, type Look } from "./looks.ts"
import { PreviewText } from "./PreviewText.tsx"
import type { Cover } from "./Shot.tsx"

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
    <article
      className="flex w-full max-w-preview flex-col gap-2 text-sm"
      aria-label={previewOf(network, name)}
    >
      {isEmpty ? <Nothing>{nothingYet}</Nothing> : <Card {...card} />}
      {following.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the items have no other name than their place.
        <div key={index} className={answer} data-answer>
          <PlainPost
            {...card}
            caption={item.caption ?? ""}
            slides={item.media.map((id) => items.get(id))}
            cover={undefined}
            options={{ markup: options["markup"] }}
          />
        </div>
      ))}
      {look === "story" && <Remark>{noTextInStory}</Remark>}
      {account.platform === "tiktok" && options["draft"] === true && <Remark>{draftInInbox}</Remark>}
      {!isEmpty && <Remark>{mayDiffer}</Remark>}
    </article>
  )
}

/** From one post's picture to the next one's. */
const answer = "relative before:absolute before:start-8 before:-top-2 before:h-4 before:w-px before:bg-edge"

const frame = "overflow-hidden rounded-card border border-line bg-card"

const body = "flex flex-col gap-2 px-3 pt-2 pb-3"

const heading = "text-base leading-tight font-semibold"

/** Says why no preview is there. */
export const Nothing = ({ children }: { readonly children: string }) => (
  <p className="rounded-card border border-dashed border-edge px-6 py-8 text-center text-sm text-soft">
    {children}
  </p>
)

const Remark = ({ children }: { readonly children: string }) => (
  <p className="text-xs text-soft">{children}</p>
)

interface WhoProps {
  readonly account: Account
  readonly name: string
  readonly note?: string | undefined
}

const Who = ({ account, name, note }: WhoProps) => (
  <span className="flex min-w-0 items-center gap-2">
    <Avatar account={account} size={32} />
    <span className="flex min-w-0 flex-col leading-tight">
      <strong>{name}</strong>
      {note !== undefined && <small className="text-xs text-soft">{note}</small>}
    </span>
  </span>
)

const nameOf = ({ display_name, username }: Account) => display_name ?? username

const rows = {
  feed: "flex gap-4 px-3 pt-2 *:last:ms-auto",
  screen: "flex flex-col gap-4",
  post: "flex justify-between pe-12 pt-1 text-soft"
}

const Row = ({
  icons,
  look
}: {
  readonly look: keyof typeof rows
  readonly icons: ReadonlyArray<IconName>
}) => (
  <div className={rows[look]} aria-hidden="true">
    {icons.map((name) => (
      <Icon key={name} name={name} />
    ))}
  </div>
)

const needed = [
  "flex w-full flex-col items-center justify-center gap-2 bg-sunk p-6 text-center text-soft",
  "*:first:size-8 in-data-screen:bg-transparent in-data-screen:text-on-veil"
].join(" ")

type PicturesProps = ComponentProps<typeof Carousel> & Pick<CardProps, "need">

/** The pictures of a post, or what it needs. */
const Pictures = ({ need, ...carousel }: PicturesProps) =>
  carousel.slides.length > 0 ? (
    <Carousel {...carousel} />
  ) : (
    <div className={needed} style={{ aspectRatio: carousel.ratio }}>
      <Icon name="picture" />
      <p>{need}</p>
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
      <div className={frame}>
        <header className="flex items-center justify-between px-3 py-2">
          <Who
            account={account}
            name={account.username}
            note={others.length > 0 ? withOthers(others.join(", ")) : undefined}
          />
          <Icon name="more" />
        </header>
        <Pictures slides={slides} ratio={ratio} cover={cover} need={need} onShow={setShown} />
        <Dots at={at} count={slides.length} />
        <Row look="feed" icons={["heart", "comment", "send", "bookmark"]} />
        <div className={body}>
          <PreviewText platform={account.platform} look={look} text={caption} lead={account.username} />
          {typeof comment === "string" && comment !== "" && (
            <p className="whitespace-pre-line">
              <span className="unseen">{firstComment}: </span>
              <strong>{account.username}</strong> {comment}
            </p>
          )}
        </div>
      </div>
      {isCut && current.width !== null && current.height !== null && (
        <Remark>{cut(ratioName(current.width / current.height), ratioName(ratio))}</Remark>
      )}
    </>
  )
}

/** The words are on the picture, whatever it is: white on a shade. */
const screen =
  "relative w-full max-w-screen self-center overflow-hidden rounded-card border border-line bg-film text-on-veil"

const below = "pointer-events-none absolute inset-x-0 bottom-0 flex items-end gap-3 px-3 pt-12 pb-3"

const said = "pointer-events-auto flex max-h-list min-w-0 flex-1 flex-col gap-2 overflow-y-auto"

/** The screen of a phone, with the text over the picture. */
const Upright = ({ account, caption, cover, look, need, options, slides }: CardProps) => {
  const title = typeof options["title"] === "string" ? options["title"] : undefined
  const isShort = account.platform === "youtube"
  const words = isShort ? (title ?? firstLine(caption)) : caption
  return (
    <div className={screen} data-screen data-reel>
      <Pictures slides={slides} ratio={9 / 16} cover={cover} need={need} whole />
      <div className={`${below} bg-linear-to-t from-veil from-75% to-transparent`}>
        <div className={said}>
          <Who account={account} name={isShort ? `@${account.username}` : account.username} />
          {!isShort && title !== undefined && slides[0]?.kind === "image" && <strong>{title}</strong>}
          <PreviewText platform={account.platform} look={look} text={words} />
        </div>
        <Row look="screen" icons={["heart", "comment", "bookmark", "send"]} />
      </div>
    </div>
  )
}

const above = "pointer-events-none absolute inset-x-0 top-0 flex flex-col gap-2 px-3 pt-2 pb-8"

const Story = ({ account, cover, need, slides }: CardProps) => (
  <div className={screen} data-screen>
    <Pictures slides={slides.slice(0, 1)} ratio={9 / 16} cover={cover} need={need} whole />
    <div className={`${above} bg-linear-to-b from-veil to-transparent`}>
      <span className="h-px bg-on-veil" aria-hidden="true" />
      <Who account={account} name={account.username} />
    </div>
  </div>
)

const firstLine = (text: string) => text.split(/\r?\n/).find((line) => line.trim() !== "") ?? ""

const Watch = ({ account, caption, cover, look, need, options, slides }: CardProps) => {
  const { description } = options
  const title = typeof options["title"] === "string" ? options["title"] : firstLine(caption)
  return (
    <div className={frame}>
      <Pictures slides={slides.slice(0, 1)} ratio={16 / 9} cover={cover} need={need} whole />
      <div className={body}>
        {title !== "" && <p className={heading}>{title}</p>}
        <Who account={account} name={nameOf(account)} />
        <div className="rounded-control bg-sunk px-3 py-2 empty:hidden">
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

const hostOf = (address: unknown) =>
  typeof address === "string" ? URL.parse(address)?.host.replace(/^www\./, "") : undefined

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
  const host = hostOf(link)
  return (
    <div className={frame}>
      <Pictures slides={slides} ratio={ratio} cover={cover} need={need} />
      <div className={body}>
        {host !== undefined && (
          <span className="inline-flex items-center gap-2 text-xs text-soft">
            <Icon name="link" />
            {host}
          </span>
        )}
        {typeof title === "string" && <p className={heading}>{title}</p>}
        <PreviewText platform={account.platform} look={look} text={caption} />
        <Who
          account={account}
          name={nameOf(account)}
          note={wanted.length === 0 ? noBoard : names.length === 0 ? aBoard : boardOf(names.join(", "))}
        />
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
  const host = hostOf(link)
  const isTelegram = account.platform === "telegram"
  const { entities, text } = isTelegram ? telegramText({ caption, options }) : { entities: [], text: caption }
  const embeds = account.platform === "discord" ? embedsIn(options) : []
  const embedded = embeds.map(embeddedMedia)
  const slides = all.filter((item) => item === undefined || !embedded.includes(item.id))
  return (
    <div className={`${frame} flex items-start gap-2 p-3`}>
      <Avatar account={account} size={40} />
      <div className="flex min-w-0 flex-1 flex-col gap-2 text-base">
        <span className="flex flex-col text-sm leading-tight">
          <strong>{nameOf(account)}</strong>
          <small className="text-xs text-soft">
            @{account.username} · {now}
          </small>
        </span>
        {typeof warning === "string" && warning !== "" && <p className={heading}>{warning}</p>}
        {typeof title === "string" && <p className={heading}>{title}</p>}
        <PreviewText platform={account.platform} look={look} text={text} entities={entities} />
        {slides.length > 0 && <Grid slides={slides} cover={cover} />}
        {isTelegram && <LinkButtons rows={options["buttons"]} />}
        {slides.length === 0 && !facts.takes_text && (
          <Pictures slides={slides} ratio={1} cover={cover} need={need} />
        )}
        <Embeds embeds={embeds} items={items} />
        {host !== undefined && slides.length === 0 && <LinkCard>{host}</LinkCard>}
        <Row look="post" icons={["comment", "repeat", "heart", "send"]} />
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
