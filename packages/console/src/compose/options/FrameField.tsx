import type { Media } from "@carillon/sdk"
import { useId, useRef } from "react"
import { Button } from "../../ui/Button.tsx"
import { Said } from "../../ui/TextField.tsx"
import { addVideoFirst, chooseFrame, firstFrame } from "./en.ts"

interface Props {
  readonly label: string
  readonly help: string | undefined
  readonly problem: string | undefined
  readonly value: number | undefined
  readonly video: Media | undefined
  readonly onChange: (value: number | undefined) => void
}

/** `0:04.2` */
const clockOf = (milliseconds: number): string => {
  const tenths = Math.round(milliseconds / 100)
  const seconds = Math.floor(tenths / 10)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}.${tenths % 10}`
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
    <div className="field frame-field">
      {value === undefined || longest === undefined ? (
        <span className="label">{label}</span>
      ) : (
        <label htmlFor={id}>{label}</label>
      )}
      {video?.url != null && (
        <video
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
        <div className="moment">
          {longest !== undefined && (
            <input
              id={id}
              type="range"
              min={0}
              max={longest}
              step={100}
              value={value}
              aria-valuetext={clockOf(value)}
              aria-describedby={`${id}-said`}
              onChange={({ target }) => go(Number(target.value))}
            />
          )}
          <output htmlFor={id} className="figures">
            {clockOf(value)}
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
