import type { Media } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import { workspace } from "../data/api.ts"
import { useAccounts } from "../data/accounts.ts"
import { shortDay, wallClock } from "../time/zone.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { later } from "../ui/later.ts"
import { TextField } from "../ui/TextField.tsx"
import { words } from "../media/en.ts"
import { sizeWords, typeName } from "../media/mediaFacts.ts"
import { isCuttable } from "../media/isCuttable.ts"
import { PostRows } from "./PostRows.tsx"
import { RemoveFilesDialog } from "./RemoveFilesDialog.tsx"
import { describeMedia, longestDescription, saveMedia } from "../media/saveMedia.ts"
import { Thumbnail } from "../media/Thumbnail.tsx"
import { upload } from "../media/useUploads.ts"
import { useMediaItem } from "../data/media.ts"
import { useSavedField } from "../ui/useSavedField.ts"

// It brings the rules of the networks.
const AcceptingNetworks = later(() => import("./AcceptingNetworks.tsx"), "AcceptingNetworks")

const CropDialog = later(() => import("../media/CropDialog.tsx"), "CropDialog")

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
    <div className="flex flex-col gap-3 px-4 pb-4">
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

const drawer = [
  "flex min-h-0 flex-col overflow-hidden rounded-t-card border border-b-0 border-line bg-card",
  "max-lg:absolute max-lg:inset-0 max-sm:rounded-none max-sm:border-x-0 max-sm:control:min-h-touch"
].join(" ")

const view = "relative grid min-h-48 place-items-center bg-sunk *:max-h-list *:object-contain"

const facts = "grid grid-cols-facts gap-x-3 gap-y-2 border-t border-hair p-4 text-sm"

/** A file and its details. */
export const Drawer = ({ id, onClose, onStep, part }: Props) => {
  const { data: media } = useMediaItem(id)
  const accounts = useAccounts()
  const [asked, setAsked] = useState<"remove" | "crop" | null>(null)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape works on every control inside.
    <aside
      className={drawer}
      aria-label={words.drawer.label}
      onKeyDown={({ defaultPrevented, key }) => {
        if (key === "Escape" && !defaultPrevented && asked === null) onClose()
      }}
    >
      <header className="flex flex-none items-center gap-1 py-2 pe-2 ps-4">
        <h2 className="flex-1 truncate text-base">{media?.name ?? ""}</h2>
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
      {media === null && <p className="p-4 text-soft">{words.drawer.gone}</p>}
      {media && (
        <div className="min-h-0 flex-1 overflow-y-auto scrollbar-thin">
          <div className={view}>
            {media.kind === "video" && media.url !== null ? (
              // oxlint-disable-next-line jsx-a11y/media-has-caption -- the file has none of its own.
              <video
                key={media.id}
                src={media.url}
                poster={media.thumbnail_url ?? undefined}
                controls
                preload={media.thumbnail_url === null ? "metadata" : "none"}
                aria-label={media.name}
                className="w-full"
              />
            ) : (
              <Thumbnail key={media.id} media={media} alt={media.alt_text ?? ""} />
            )}
          </div>
          {media.status === "failed" && <p className="px-4 pt-3 text-sm text-bad">{media.error?.message}</p>}
          <div className="p-4">
            <Actions>
              {media.status !== "failed" && (
                <Link className={buttonClass("main")} to="/compose" search={{ media: media.id }}>
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
                  className={`${buttonClass()} square`}
                  data-square
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
            </Actions>
          </div>
          <Fields key={`fields ${media.id}`} media={media} part={part} />
          <dl className={facts}>
            {media.size_bytes !== null && (
              <>
                <dt className="text-soft">{words.drawer.size}</dt>
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
            <dt className="text-soft">{words.drawer.added}</dt>
            <dd>{shortDay(wallClock(new Date(media.created_at), workspace.timezone).day)}</dd>
            <Suspense>
              <AcceptingNetworks media={media} />
            </Suspense>
          </dl>
          <section className="border-t border-hair p-4">
            <h3 className="text-sm">
              {media.used_by.length === 0 ? words.drawer.unused : words.drawer.inPosts(media.used_by.length)}
            </h3>
            <PostRows file={media.id} ids={media.used_by} />
          </section>
        </div>
      )}
      {media && asked === "remove" && (
        <RemoveFilesDialog files={[media]} onClose={() => setAsked(null)} onRemoved={onClose} />
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
