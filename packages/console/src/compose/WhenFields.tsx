import { memo } from "react"
import { ownClock, placeOf } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { Segments } from "../ui/Segments.tsx"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"
import { words } from "./en.ts"
import type { When } from "./Form.ts"
import { readTime } from "./readTime.ts"
import { away } from "./times.ts"

export interface WhenFieldsProps {
  readonly when: When
  readonly zone: string
  /** The next free slot of the queue, in words. */
  readonly slot: string
  /** What is wrong with the time. */
  readonly problem: string | undefined
  readonly now: Date
  /** The time that is offered first. */
  readonly usual: string
  readonly onChange: (when: When) => void
}

/** The ways in which a post gets its time. */
export const WhenFields = memo(({ now, onChange, problem, slot, usual, when, zone }: WhenFieldsProps) => {
  const read = when.kind === "at" ? readTime(when.value, zone) : null
  const fields = useFocusFields()
  const hint = problem ?? read?.sentence
  const color = problem === undefined ? "text-soft" : "text-bad"
  return (
    <div className="flex flex-col gap-3">
      <Segments
        label={words.when.label}
        chosen={when.kind}
        options={[
          { id: "queue", name: <Kind icon="queue" name={words.when.queue} /> },
          { id: "at", name: <Kind icon="calendar" name={words.when.at} /> },
          { id: "now", name: <Kind icon="bolt" name={words.when.now} /> }
        ]}
        onChoose={(kind) => {
          if (kind === when.kind) return
          onChange(kind === "at" ? { kind, value: usual } : { kind })
        }}
      />
      {when.kind === "at" && (
        <>
          <input
            type="datetime-local"
            className={time}
            data-time
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- what is open was opened for this.
            autoFocus
            aria-label={words.when.time(placeOf(zone))}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby="when-said"
            ref={fields.register(fieldNames.time)}
            max="2199-12-31T23:59"
            title={read === null ? undefined : ownClock(read.at.toISOString(), zone)}
            value={when.value}
            onChange={({ target }) => onChange({ kind: "at", value: target.value.slice(0, 16) })}
          />
          <p id="when-said" className={`text-sm ${color}`}>
            {hint ?? [placeOf(zone), read === null ? "" : away(read.at, now)].filter(Boolean).join(" · ")}
          </p>
        </>
      )}
      {when.kind === "queue" && (
        <p className={`text-sm ${color}`} ref={fields.register(fieldNames.time)} tabIndex={-1}>
          {problem ?? `${words.when.nextSlot}: ${slot}`}
        </p>
      )}
    </div>
  )
})

const time = [
  "min-h-8 rounded-control border border-edge bg-card px-3 text-sm tabular-nums",
  "aria-invalid:border-bad max-md:min-h-touch max-md:text-lg"
].join(" ")

const Kind = ({ icon, name }: { readonly icon: "queue" | "calendar" | "bolt"; readonly name: string }) => (
  <span className="inline-flex items-center gap-2">
    <Icon name={icon} />
    {name}
  </span>
)
