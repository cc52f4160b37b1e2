import type { Media } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { workspace } from "../data/api.ts"
import { useAccounts } from "../data/accounts.ts"
import { shortDay, wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "../media/en.ts"
import { sizeWords, typeName } from "../media/mediaFacts.ts"
import { isCuttable } from "../media/isCuttable.ts"
import { PostRows } from "./PostRows.tsx"
import { RemoveFileDialog } from "./RemoveFileDialog.tsx"
import { describeMedia, longestDescription, saveMedia } from "../media/saveMedia.ts"
import { Thumbnail } from "../media/Thumbnail.tsx"
import { upload } from "../media/useUploads.ts"
import { useMediaItem } from "../data/media.ts"
import { useSavedField } from "../ui/useSavedField.ts"
import "./Drawer.css"

// It brings the rules of the networks.
const AcceptingNetworks = lazy(async () => ({
  default: (await import("./AcceptingNetworks.tsx")).AcceptingNetworks
}))

const CropDialog = lazy(async () => ({
  default: (await import("../media/CropDialog.tsx")).CropDialog
}))

interface Props {
  readonly id: string
  readonly part: "file" | "alt"
  readonly onStep: (by: -1 | 1) => void
  readonly onClose: () => void
}

const focus = (element: HTMLElement | null) => element?.focus()

const Fields = ({ media, part }: { readonly media: Media; readonly part: "file" | "alt" }) => {
  const name = useSavedField(media.name, (value) =>
    value === "" ? Promise.resolve(true) : saveMedia(media.id, { name: value })
  )
  const altText = useSavedField(media.alt_text ?? "", (text) => describeMedia(media.id, text))
  const tooLong = altText.value.length - longestDescription

  return (
    <div className="fields">
      <TextField
        label={words.drawer.name}
        value={name.value}
        onChange={name.onChange}
        onBlur={() => void name.leave()}
      />
      <TextField
        label={words.drawer.altText}
        lines={3}
        {...(part === "alt" ? { ref: focus } : {})}
        value={altText.value}
        help={
          altText.value === ""
            ? words.drawer.altHelp
            : words.drawer.count(altText.value.length, longestDescription)
        }
        problem={tooLong > 0 ? words.drawer.count(altText.value.length, longestDescription) : undefined}
        onChange={altText.onChange}
        onBlur={() => {
          if (tooLong <= 0) void altText.leave()
        }}
      />
    </div>
  )
}

/** A file and its details. */
export const Drawer = ({ id, onClose, onStep, part }: Props) => {
  const { data: media } = useMediaItem(id)
  const accounts = useAccounts()
  const [asked, setAsked] = useState<"remove" | "crop" | null>(null)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape works on every control inside.
    <aside
      className="drawer"
      aria-label={words.drawer.label}
      onKeyDown={({ defaultPrevented, key }) => {
        if (key === "Escape" && !defaultPrevented && asked === null) onClose()
      }}
    >
      <header>
        <h2>{media?.name ?? ""}</h2>
        <Button square look="quiet" aria-label={words.drawer.previous} onPress={() => onStep(-1)}>
          <Icon name="left" />
        </Button>
        <Button square look="quiet" aria-label={words.drawer.next} onPress={() => onStep(1)}>
          <Icon name="right" />
        </Button>
        <Button
          square
          look="quiet"
          aria-label={words.drawer.close}
          autoFocus={part === "file"}
          onPress={onClose}
        >
          <Icon name="cross" />
        </Button>
      </header>
      {media === null && <p className="gone">{words.drawer.gone}</p>}
      {media && (
        <div className="content">
          <div className="view">
            {media.kind === "video" && media.url !== null ? (
              // oxlint-disable-next-line jsx-a11y/media-has-caption -- the file has none of its own.
              <video
                key={media.id}
                src={media.url}
                poster={media.thumbnail_url ?? undefined}
                controls
                preload={media.thumbnail_url === null ? "metadata" : "none"}
                aria-label={media.name}
              />
            ) : (
              <Thumbnail key={media.id} media={media} alt={media.alt_text ?? ""} />
            )}
          </div>
          {media.status === "failed" && <p className="wrong">{media.error?.message}</p>}
          <div className="actions">
            {media.status !== "failed" && (
              <Link className="button main" to="/compose" search={{ media: media.id }}>
                <Icon name="plus" />
                {words.drawer.write}
              </Link>
            )}
            {isCuttable(media) && (
              <Button onPress={() => setAsked("crop")}>
                <Icon name="crop" />
                {words.drawer.crop}
              </Button>
            )}
            {media.url !== null && (
              <a
                className="button square"
                href={media.url}
                download={media.name}
                aria-label={words.drawer.download}
              >
                <Icon name="download" />
              </a>
            )}
            <Button square aria-label={words.drawer.delete} onPress={() => setAsked("remove")}>
              <Icon name="trash" />
            </Button>
          </div>
          <Fields key={`fields ${media.id}`} media={media} part={part} />
          <dl>
            {media.size_bytes !== null && (
              <>
                <dt>{words.drawer.size}</dt>
                <dd>
                  {[
                    ...(media.width !== null && media.height !== null
                      ? [`${media.width} × ${media.height}`]
                      : []),
                    sizeWords(media.size_bytes),
                    ...(media.mime_type === null ? [] : [typeName(media.mime_type)])
                  ].join(" · ")}
                </dd>
              </>
            )}
            <dt>{words.drawer.added}</dt>
            <dd>{shortDay(wallClock(new Date(media.created_at), workspace.timezone).day)}</dd>
            <Suspense>
              <AcceptingNetworks media={media} />
            </Suspense>
          </dl>
          <section>
            <h3>
              {media.used_by.length === 0 ? words.drawer.unused : words.drawer.inPosts(media.used_by.length)}
            </h3>
            <PostRows file={media.id} ids={media.used_by} />
          </section>
        </div>
      )}
      {media && asked === "remove" && (
        <RemoveFileDialog media={media} onClose={() => setAsked(null)} onRemoved={onClose} />
      )}
      {media && asked === "crop" && (
        <Suspense>
          <CropDialog
            media={media}
            platforms={[...accounts.values()].map(({ platform }) => platform)}
            onClose={() => setAsked(null)}
            onCut={(file) => {
              setAsked(null)
              upload([file], media.alt_text)
            }}
          />
        </Suspense>
      )}
    </aside>
  )
}
