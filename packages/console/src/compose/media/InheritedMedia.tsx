import { Thumbnail } from "../../media/Thumbnail.tsx"
import { useMedia } from "../../data/media.ts"
import { TextButton } from "../../ui/TextButton.tsx"
import { useFocusFields } from "../focusFields.ts"
import { words } from "./en.ts"

interface Props {
  readonly media: ReadonlyArray<string>
  readonly name: string
  /** Its name as a field of the page. */
  readonly field: string
  readonly onChoose: () => void
}

/** The shared files that a network or an account inherits, read-only here. */
export const InheritedMedia = ({ field, media, name, onChoose }: Props) => {
  const fields = useFocusFields()
  const items = useMedia(media)
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 pb-2 text-sm text-soft" data-inherited>
        {media.length > 0 && (
          <ul className="flex flex-wrap gap-2" aria-label={words.own.shared}>
            {media.map((id) => {
              const file = items.get(id)
              return (
                <li key={id} className="relative size-12 overflow-hidden rounded-tile bg-sunk">
                  {file && <Thumbnail media={file} alt={file.name} />}
                </li>
              )
            })}
          </ul>
        )}
        <p>{media.length === 0 ? words.own.none : words.own.shared}</p>
      </div>
      <TextButton ref={fields.register(field)} onClick={onChoose}>
        {words.own.choose(name)}
      </TextButton>
    </>
  )
}
