import { type DiscordEmbed, embeddedMedia } from "@carillon/domain"
import type { Media } from "@carillon/sdk"
import { Icon } from "../ui/Icon.tsx"
import { noPicture } from "./en.ts"
import { PreviewText } from "./PreviewText.tsx"
import { Shot } from "./Shot.tsx"
import "./Embeds.css"

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
      <div key={index} className="embed" style={{ borderInlineStartColor: color }}>
        {author !== undefined && <small>{author}</small>}
        {title !== undefined && <p className={url === undefined ? "title" : "title linked"}>{title}</p>}
        <PreviewText platform="discord" look="post" text={description} />
        {id !== undefined && (
          <span className="picture">
            <Shot item={items.get(id)} whole />
          </span>
        )}
        {image !== undefined && id === undefined && (
          // The console loads nothing from other hosts.
          <span className="picture elsewhere">
            <Icon name="picture" />
            <span className="unseen">{noPicture}</span>
            {URL.parse(image)?.host}
          </span>
        )}
        {footer !== undefined && <small>{footer}</small>}
      </div>
    )
  })
