import { Thumbnail } from "../../media/Thumbnail.tsx"
import { useMedia } from "../../data/media.ts"
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
      <div className="inherited-media">
        {media.length > 0 && (
          <ul aria-label={words.own.shared}>
            {media.map((id) => {
              const file = items.get(id)
              return (
                <li key={id} className="frame">
                  {file && <Thumbnail media={file} alt={file.name} />}
                </li>
              )
            })}
          </ul>
        )}
        <p>{media.length === 0 ? words.own.none : words.own.shared}</p>
      </div>
      <button type="button" className="link" ref={fields.register(field)} onClick={onChoose}>
        {words.own.choose(name)}
      </button>
    </>
  )
}
