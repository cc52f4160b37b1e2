import { useId, useState } from "react"
import { useMediaItem, useMediaList } from "../../library/useMedia.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { EmptyState, ErrorState, Skeleton } from "../../ui/RoomState.tsx"
import { Said } from "../../ui/TextField.tsx"
import {
  changePicture,
  choosePicture,
  noPictures,
  pictureGone,
  picturesNotRead,
  removePicture
} from "./en.ts"

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
      <div className="picture-field">
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
        <Dialog title={label} onClose={() => setChoosing(false)}>
          <Pictures
            chosen={value}
            onChoose={(picture) => {
              onChange(picture)
              setChoosing(false)
            }}
          />
        </Dialog>
      )}
    </div>
  )
}

const Chosen = ({ id }: { readonly id: string }) => {
  const { data: item } = useMediaItem(id)
  if (item === null) return <span className="help">{pictureGone}</span>
  return item === undefined ? (
    <span className="picture" />
  ) : (
    <>
      <img className="picture" src={item.thumbnail_url ?? item.url ?? undefined} alt={item.alt_text ?? ""} />
      <span className="name">{item.name}</span>
    </>
  )
}

const Pictures = ({
  chosen,
  onChoose
}: {
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}) => {
  const { data, error, items, refetch } = useMediaList({ type: ["image"], status: ["ready"] })
  if (error !== null)
    return <ErrorState title={picturesNotRead} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={3} />
  if (items.length === 0) return <EmptyState title={noPictures} />
  return (
    <ul className="picture-choice">
      {items.map((item) => (
        <li key={item.id}>
          <button
            type="button"
            aria-current={item.id === chosen || undefined}
            onClick={() => onChoose(item.id)}
          >
            <img src={item.thumbnail_url ?? item.url ?? undefined} alt="" loading="lazy" />
            <span>{item.name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
