import { parseScheduledAt } from "@carillon/domain"
import { memo } from "react"
import { workspace } from "../data/api.ts"
import { ownClock, placeOf, wallClock } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { Segments } from "../ui/Segments.tsx"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"
import { words } from "./en.ts"
import type { When } from "./Form.ts"
import { away, isTime, shownTime } from "./times.ts"
import { inZone } from "./zoned.ts"

/** The instant of a wall clock time, with a sentence where the clocks change. */
export const readTime = (value: string, zone: string) => {
  const parsed = isTime(value) ? parseScheduledAt(value, zone) : undefined
  if (parsed === undefined || parsed._tag === "Failure") return null
  const { instant, warnings } = parsed.success
  const at = new Date(instant.epochMilliseconds)
  const { day, time } = wallClock(at, zone)
  const asked = value.slice(11)
  return {
    at,
    sentence:
      warnings.length === 0
        ? undefined
        : `${day}T${time}` === value
          ? words.when.twice(asked, placeOf(zone))
          : words.when.skipped(asked, time, placeOf(zone))
  }
}

/** A time in words. The clocks may skip the one that was typed. */
export const shownInZone = (value: string) => {
  const read = readTime(value, workspace.timezone)
  return shownTime(read === null ? value : inZone(read.at.toISOString()))
}

interface Props {
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

export const WhenFields = memo(({ now, onChange, problem, slot, usual, when, zone }: Props) => {
  const read = when.kind === "at" ? readTime(when.value, zone) : null
  const fields = useFocusFields()
  const hint = problem ?? read?.sentence
  return (
    <div className="when">
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
            className="time"
            aria-label={words.when.time(placeOf(zone))}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby="when-said"
            ref={fields.register(fieldNames.time)}
            max="2199-12-31T23:59"
            title={read === null ? undefined : ownClock(read.at.toISOString(), zone)}
            value={when.value}
            onChange={({ target }) => onChange({ kind: "at", value: target.value.slice(0, 16) })}
          />
          <p id="when-said" className={problem === undefined ? "said" : "said bad"}>
            {hint ?? (
              <>
                <span>{placeOf(zone)}</span>
                {read !== null && <span>{away(read.at, now)}</span>}
              </>
            )}
          </p>
        </>
      )}
      {when.kind === "queue" && (
        <p
          className={problem === undefined ? "said" : "said bad"}
          ref={fields.register(fieldNames.time)}
          tabIndex={-1}
        >
          {problem ?? (
            <>
              <span>{words.when.nextSlot}</span>
              <span>{slot}</span>
            </>
          )}
        </p>
      )}
    </div>
  )
})

const Kind = ({ icon, name }: { readonly icon: "queue" | "calendar" | "bolt"; readonly name: string }) => (
  <>
    <Icon name={icon} />
    {name}
  </>
)
