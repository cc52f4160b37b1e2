import type { Offer } from "./accounts.ts"

export interface Offered {
  readonly id: string
  readonly name: string
  readonly sections: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const readOffered = (value: unknown): ReadonlyArray<Offered> =>
  Array.isArray(value)
    ? value.filter(isObject).map(({ id, name, sections }) => ({
        id: String(id),
        name: typeof name === "string" ? name : String(id),
        sections: readOffered(sections)
      }))
    : []

/** What the accounts have under a name, such as boards. Those of several accounts say whose they are. */
export const listed = (offers: ReadonlyArray<Offer>, name: string): ReadonlyArray<Offered> => {
  const found = offers.map(({ account, choices }) => ({ account, items: readOffered(choices?.[name]) }))
  const several = found.filter(({ items }) => items.length > 0).length > 1
  return found.flatMap(({ account, items }) =>
    items.map((item) => (several ? { ...item, name: `${item.name} (${account.name})` } : item))
  )
}

/** Whether every account that could be asked takes a value. */
export const takes = (offers: ReadonlyArray<Offer>, name: string, value: unknown): boolean =>
  offers.every(({ choices }) => {
    const values = choices?.[name]
    return !Array.isArray(values) || values.includes(value)
  })

/** Whether what a switch allows is off for all of the accounts. */
export const refused = (offers: ReadonlyArray<Offer>, name: string): boolean =>
  offers.length > 0 && offers.every(({ choices }) => choices?.[name] === false)
