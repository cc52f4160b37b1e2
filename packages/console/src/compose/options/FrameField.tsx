import type { Media } from "@carillon/sdk"
import { useId, useRef } from "react"
import { Button } from "../../ui/Button.tsx"
import { Said } from "../../ui/TextField.tsx"
import { positionClock } from "./positionClock.ts"
import { addVideoFirst, chooseFrame, firstFrame } from "./en.ts"

interface Props {
  readonly label: string
  readonly help: string | undefined
  readonly problem: string | undefined
  readonly value: number | undefined
  readonly video: Media | undefined
  readonly onChange: (value: number | undefined) => void
}

/** A moment of the post's video, chosen by looking. */
export const FrameField = ({ help, label, onChange, problem, value, video }: Props) => {
  const id = useId()
  const player = useRef<HTMLVideoElement>(null)
  const longest = video?.duration_ms ?? undefined
  const show = () => {
    if (player.current !== null && value !== undefined) player.current.currentTime = value / 1000
  }
  const go = (next: number) => {
    if (player.current !== null) player.current.currentTime = next / 1000
    onChange(next)
  }
  return (
    <div className="field items-start">
      {value === undefined || longest === undefined ? (
        <span className="label">{label}</span>
      ) : (
        <label htmlFor={id}>{label}</label>
      )}
      {video?.url != null && (
        <video
          className="h-file max-w-full rounded-control bg-sunk"
          ref={player}
          src={video.url}
          poster={video.thumbnail_url ?? undefined}
          preload="metadata"
          muted
          playsInline
          aria-hidden="true"
          tabIndex={-1}
          onLoadedMetadata={show}
        />
      )}
      {value === undefined ? (
        video !== undefined && (
          <Button onPress={() => go(0)} aria-label={`${chooseFrame}: ${label}`}>
            {chooseFrame}
          </Button>
        )
      ) : (
        <div className="flex w-full flex-wrap items-center gap-2">
          {longest !== undefined && (
            <input
              id={id}
              type="range"
              className="max-w-list flex-1 border-0 p-0 accent-brand"
              min={0}
              max={longest}
              step={100}
              value={value}
              aria-valuetext={positionClock(value)}
              aria-describedby={`${id}-said`}
              onChange={({ target }) => go(Number(target.value))}
            />
          )}
          <output htmlFor={id} className="text-sm tabular-nums">
            {positionClock(value)}
          </output>
          <Button look="quiet" onPress={() => onChange(undefined)}>
            {firstFrame}
          </Button>
        </div>
      )}
      <Said id={`${id}-said`} help={video === undefined ? addVideoFirst : help} problem={problem} />
    </div>
  )
}
