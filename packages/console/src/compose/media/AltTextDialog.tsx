import type { Media } from "@carillon/sdk"
import { useState } from "react"
import { describeMedia, longestDescription } from "../../media/saveMedia.ts"
import { Thumbnail } from "../../media/Thumbnail.tsx"
import { useMedia } from "../../data/media.ts"
import { useSavedField } from "../../ui/useSavedField.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextField } from "../../ui/TextField.tsx"
import { words } from "./en.ts"

const showable = ["image/jpeg", "image/png", "image/webp", "image/gif"]

const Picture = ({ media }: { readonly media: Media }) =>
  media.url !== null && media.kind === "video" ? (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- the file has none of its own.
    <video src={media.url} controls preload="metadata" aria-label={media.name} className="size-full" />
  ) : media.url !== null && showable.includes(media.mime_type ?? "") ? (
    <img src={media.url} alt="" className="size-full" />
  ) : (
    <Thumbnail media={media} />
  )

const shown = "relative h-problems max-h-half overflow-hidden rounded-control bg-sunk *:object-contain"

interface Props {
  readonly ids: ReadonlyArray<string>
  readonly first: string
  readonly onClose: () => void
}

const Field = ({
  media,
  place,
  count,
  onClose,
  onGo
}: {
  readonly media: Media
  readonly place: number
  readonly count: number
  readonly onClose: () => void
  readonly onGo: (by: -1 | 1) => void
}) => {
  const text = useSavedField(media.alt_text ?? "", (value) => describeMedia(media.id, value))
  const isTooLong = text.value.length > longestDescription
  const leave = async (then: () => void) => {
    if (!isTooLong && (await text.leave())) then()
  }
  const said = words.alt.count(text.value.length, longestDescription)
  return (
    <Dialog
      wide
      title={words.alt.title}
      // Every way out of the dialog saves the text.
      onClose={() => (isTooLong ? undefined : void leave(onClose))}
    >
      <div className={shown}>
        <Picture media={media} />
      </div>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void leave(place + 1 < count ? () => onGo(1) : onClose)
        }}
      >
        <TextField
          label={words.alt.field(media.name)}
          lines={4}
          autoFocus
          value={text.value}
          onChange={text.onChange}
          help={text.value === "" ? words.alt.help : said}
          problem={isTooLong ? said : undefined}
        />
        <div className="actions">
          {count > 1 && (
            <span className="me-auto self-center text-sm text-soft tabular-nums">
              {words.alt.place(place + 1, count)}
            </span>
          )}
          {place > 0 && <Button onPress={() => void leave(() => onGo(-1))}>{words.alt.back}</Button>}
          {place + 1 < count ? (
            <>
              <Button onPress={() => void leave(onClose)}>{words.alt.done}</Button>
              <Button look="main" type="submit">
                {words.alt.next}
              </Button>
            </>
          ) : (
            <Button look="main" type="submit">
              {words.alt.done}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** Describes the files of a post, one after the other. */
export const AltTextDialog = ({ first, ids, onClose }: Props) => {
  const [id, setId] = useState(first)
  const items = useMedia(ids)
  const place = ids.indexOf(id)
  const media = items.get(id)
  if (media === undefined) return null
  return (
    <Field
      key={id}
      media={media}
      place={place}
      count={ids.length}
      onClose={onClose}
      onGo={(by) => setId(ids[place + by]!)}
    />
  )
}
