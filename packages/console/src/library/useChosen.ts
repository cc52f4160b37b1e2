import { useState } from "react"
import { toggled } from "../ui/toggled.ts"

/** What one question is asked about, and a person can still look through. */
export const mostChosen = 200

/** Chooses several of the files that are listed, to do the same with all of them. */
export const useChosen = (listed: ReadonlyArray<string>) => {
  const [picked, setPicked] = useState<ReadonlyArray<string> | null>(null)
  const pick = (ids: ReadonlyArray<string>) => setPicked(ids.slice(0, mostChosen))
  return {
    /** In the order of their choice; null while none are chosen. */
    chosen: picked && picked.filter((id) => listed.includes(id)),
    begin: () => pick([]),
    end: () => setPicked(null),
    all: () => pick(listed),
    /** One more or one less; `through`: all from the last one to this one. */
    choose: (id: string, through: boolean) => {
      const before = picked ?? []
      const ends = [listed.indexOf(before.at(-1) ?? id), listed.indexOf(id)]
      pick(
        through && !ends.includes(-1)
          ? [...new Set([...before, ...listed.slice(Math.min(...ends), Math.max(...ends) + 1), id])]
          : toggled(before, id)
      )
    }
  }
}
