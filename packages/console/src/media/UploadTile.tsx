import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import { sizeWords } from "./mediaFacts.ts"
import { cancelUpload, retryUpload } from "./useUploads.ts"
import { isUnderWay, percent, secondsLeft, type Upload } from "./uploadsReducer.ts"

/** What the file looks like, from the file itself. */
export const Preview = ({ upload }: { readonly upload: Upload }) =>
  upload.preview !== null && upload.kind === "image" ? (
    <img src={upload.preview} alt="" draggable={false} />
  ) : upload.preview !== null ? (
    <video src={upload.preview} muted preload="metadata" tabIndex={-1} aria-hidden="true" />
  ) : (
    <span className="stand-in">
      <Icon name={upload.state === "refused" ? "warning" : "document"} />
    </span>
  )

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

export const Progress = ({ upload }: { readonly upload: Upload }) => (
  <progress
    className={upload.state === "cut" ? "progress cut" : "progress"}
    max={100}
    value={percent(upload)}
    aria-label={upload.name}
  />
)

export const UploadActions = ({
  onRemove = cancelUpload,
  upload
}: {
  readonly upload: Upload
  readonly onRemove?: (key: string) => void
}) => (
  <>
    {upload.state === "cut" && (
      <Button square look="quiet" aria-label={words.uploads.again} onPress={() => retryUpload(upload.key)}>
        <Icon name="refresh" />
      </Button>
    )}
    <Button
      square
      look="quiet"
      aria-label={(isUnderWay(upload) ? words.uploads.cancel : words.uploads.remove)(upload.name)}
      onPress={() => onRemove(upload.key)}
    >
      <Icon name="cross" />
    </Button>
  </>
)

/** An upload, in the place of its file. */
export const UploadTile = ({ upload }: { readonly upload: Upload }) => (
  <li className={`shot uploading ${upload.state}`}>
    <div className="frame">
      <Preview upload={upload} />
      <div className="way">
        <span className="figures">{upload.state === "refused" ? "" : `${percent(upload)} %`}</span>
        <UploadActions upload={upload} />
        {upload.state !== "refused" && <Progress upload={upload} />}
      </div>
    </div>
    <p className="name">{upload.name}</p>
    <p className="facts">{uploadFacts(upload)}</p>
  </li>
)
