import { type DiscordEmbed, embeddedMedia } from "@carillon/domain"
import type { Media } from "@carillon/sdk"
import { Icon } from "../ui/Icon.tsx"
import { noPicture } from "./en.ts"
import { PreviewText } from "./PreviewText.tsx"
import { Shot } from "./Shot.tsx"

const card =
  "flex min-w-0 flex-col gap-2 rounded-tile border border-s-3 border-line border-s-edge bg-sunk px-3 py-2"

const picture = "block aspect-16/9 overflow-hidden rounded-tile"

interface Props {
  readonly embeds: ReadonlyArray<DiscordEmbed>
  /** The files, as far as they are read. */
  readonly items: ReadonlyMap<string, Media>
}

/** The cards below a message of Discord. */
export const Embeds = ({ embeds, items }: Props) =>
  embeds.map((embed, index) => {
    const { author, color, description = "", footer, image, title, url } = embed
    const id = embeddedMedia(embed)
    return (
      // oxlint-disable-next-line react/no-array-index-key -- the embeds have no other name than their place.
      <div key={index} className={card} style={{ borderInlineStartColor: color }}>
        {author !== undefined && <small className="text-xs text-soft">{author}</small>}
        {title !== undefined && (
          <strong className={url === undefined ? undefined : "text-link"}>{title}</strong>
        )}
        <PreviewText platform="discord" look="post" text={description} />
        {id !== undefined && (
          <span className={picture}>
            <Shot item={items.get(id)} whole />
          </span>
        )}
        {image !== undefined && id === undefined && (
          // The console loads nothing from other hosts.
          <span className={`${picture} flex items-center justify-center gap-2 text-xs text-soft`}>
            <Icon name="picture" />
            <span className="unseen">{noPicture}</span>
            {URL.parse(image)?.host}
          </span>
        )}
        {footer !== undefined && <small className="text-xs text-soft">{footer}</small>}
      </div>
    )
  })
