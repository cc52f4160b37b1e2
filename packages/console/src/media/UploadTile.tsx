import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Captioned } from "./Captioned.tsx"
import { words } from "./en.ts"
import { sizeWords } from "./mediaFacts.ts"
import { StandIn } from "./Thumbnail.tsx"
import { cancelUpload, retryUpload } from "./useUploads.ts"
import { isUnderWay, percent, secondsLeft, type Upload } from "./uploadsReducer.ts"

/** The progress in one line. */
export const uploadFacts = (upload: Upload): string => {
  const { problem, sent, size, state } = upload
  if (problem !== null) return problem
  if (state === "waiting") return words.uploads.waiting
  if (sent >= size) return words.uploads.checking
  const left = secondsLeft(upload)
  return [
    words.uploads.progress(sizeWords(sent), sizeWords(size)),
    ...(left === null ? [] : [words.uploads.left(left)])
  ].join(" · ")
}

const filling = "block size-full object-cover opacity-50"

/** What an upload looks like, from the file itself, how far it is, and what can be done about it. */
export const UploadPicture = ({
  onRemove = cancelUpload,
  upload
}: {
  readonly upload: Upload
  readonly onRemove?: (key: string) => void
}) => {
  const { key, kind, name, preview, state } = upload
  return (
    <>
      {preview === null ? (
        <StandIn icon={state === "refused" ? "warning" : "document"} />
      ) : kind === "image" ? (
        <img src={preview} alt="" draggable={false} className={filling} />
      ) : (
        <video src={preview} muted preload="metadata" tabIndex={-1} aria-hidden="true" className={filling} />
      )}
      <span className="absolute end-2 top-2 flex rounded-control bg-card">
        {state === "cut" && (
          <Button square look="quiet" aria-label={words.uploads.again} onPress={() => retryUpload(key)}>
            <Icon name="refresh" />
          </Button>
        )}
        <Button
          square
          look="quiet"
          aria-label={(isUnderWay(upload) ? words.uploads.cancel : words.uploads.remove)(name)}
          onPress={() => onRemove(key)}
        >
          <Icon name="cross" />
        </Button>
      </span>
      {state !== "refused" && (
        <span className="absolute inset-x-2 bottom-2 grid rounded-tile bg-card p-1">
          <progress
            className={state === "cut" ? "h-1 w-full accent-bad" : "h-1 w-full accent-brand"}
            max={100}
            value={percent(upload)}
            aria-label={name}
          />
        </span>
      )}
    </>
  )
}

/** An upload, in the place of its file. */
export const UploadTile = ({ upload }: { readonly upload: Upload }) => (
  <li className="min-w-0" data-upload={upload.state}>
    <Captioned
      name={upload.name}
      facts={
        <span className={["cut", "refused"].includes(upload.state) ? "text-bad" : undefined}>
          {uploadFacts(upload)}
        </span>
      }
    >
      <UploadPicture upload={upload} />
    </Captioned>
  </li>
)
