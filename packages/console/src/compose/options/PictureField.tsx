import { useId, useState, Suspense } from "react"
import { useMediaItem } from "../../data/media.ts"
import { Button } from "../../ui/Button.tsx"
import { later } from "../../ui/later.ts"
import { Said } from "../../ui/TextField.tsx"
import { changePicture, choosePicture, pictureGone, removePicture } from "./en.ts"

const LibraryPicker = later(() => import("../../media/LibraryPicker.tsx"), "LibraryPicker")

interface Props {
  readonly label: string
  readonly help: string | undefined
  readonly problem: string | undefined
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** A picture of the library. */
export const PictureField = ({ help, label, onChange, problem, value }: Props) => {
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  return (
    <div className="field" role="group" aria-labelledby={id} aria-describedby={`${id}-said`}>
      <span className="label" id={id}>
        {label}
      </span>
      <div className="flex flex-wrap items-center gap-2">
        {value !== undefined && <Chosen id={value} />}
        <Button onPress={() => setChoosing(true)}>
          {value === undefined ? choosePicture : changePicture}
        </Button>
        {value !== undefined && (
          <Button look="quiet" onPress={() => onChange(undefined)}>
            {removePicture}
          </Button>
        )}
      </div>
      <Said id={`${id}-said`} help={help} problem={problem} />
      {choosing && (
        <Suspense>
          <LibraryPicker
            kinds={["image"]}
            single
            onClose={() => setChoosing(false)}
            onAdd={([picture]) => {
              onChange(picture)
              setChoosing(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

const small = "size-12 rounded-tile bg-sunk object-cover"

const Chosen = ({ id }: { readonly id: string }) => {
  const { data: item } = useMediaItem(id)
  if (item === null) return <span className="help">{pictureGone}</span>
  return item === undefined ? (
    <span className={small} />
  ) : (
    <>
      <img className={small} src={item.thumbnail_url ?? item.url ?? undefined} alt={item.alt_text ?? ""} />
      <span className="max-w-file truncate text-sm">{item.name}</span>
    </>
  )
}
