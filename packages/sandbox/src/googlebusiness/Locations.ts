export interface Location {
  /** It publishes under this name. */
  readonly name: string
  readonly canOperateLocalPost: boolean
}

/** An account, which is a person's own or a group that they manage, and all locations that it can see. */
export interface BusinessAccount {
  readonly name: string
  readonly type: "PERSONAL" | "LOCATION_GROUP"
  readonly locations: ReadonlyArray<Location>
}

/**
 * The accounts of a person, which follow from the name: everybody has one with a location of the same name; `...-two` manages
 * a second location, `...-shop`, in a group; `...-sixty` 59 more in a group that has the own one too, and one between them that
 * takes no posts; `...-nopages` has none.
 */
export const accountsOf = (person: string): ReadonlyArray<BusinessAccount> => {
  const open = (name: string): Location => ({ name, canOperateLocalPost: true })
  const own = open(person)
  const personal = (...locations: ReadonlyArray<Location>): BusinessAccount => ({
    name: person,
    type: "PERSONAL",
    locations
  })
  const group = (...locations: ReadonlyArray<Location>): BusinessAccount => ({
    name: `${person}-group`,
    type: "LOCATION_GROUP",
    locations
  })
  if (person.endsWith("-nopages")) return [personal()]
  if (person.endsWith("-two")) return [personal(own), group(open(person.replace(/-two$/, "-shop")))]
  if (!person.endsWith("-sixty")) return [personal(own)]
  const base = person.replace(/-sixty$/, "")
  const more = Array.from({ length: 59 }, (_, index) => open(`${base}-page${index + 2}`))
  const closed = { name: `${base}-read`, canOperateLocalPost: false }
  return [personal(own), group(own, ...more.slice(0, 30), closed, ...more.slice(30))]
}
