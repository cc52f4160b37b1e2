export interface Role {
  /** The organization, which publishes under this name. */
  readonly name: string
  readonly role: "ADMINISTRATOR" | "CONTENT_ADMINISTRATOR" | "ANALYST"
  readonly state: "APPROVED" | "REVOKED"
}

/**
 * The roles of a person, which follow from the name: everybody is administrator of an organization of the same name and was
 * of another; `...-two` is content administrator of a second, `...-shop`; `...-sixty` of 59 more, and analyst of one that
 * stands between them; `...-nopages` has none.
 */
export const rolesOf = (person: string): ReadonlyArray<Role> => {
  if (person.endsWith("-nopages")) return []
  const more = (name: string): Role => ({ name, role: "CONTENT_ADMINISTRATOR", state: "APPROVED" })
  const own: Role = { name: person, role: "ADMINISTRATOR", state: "APPROVED" }
  const former: Role = { name: `${person}-former`, role: "ADMINISTRATOR", state: "REVOKED" }
  if (person.endsWith("-two")) return [own, more(person.replace(/-two$/, "-shop")), former]
  if (!person.endsWith("-sixty")) return [own, former]
  const base = person.replace(/-sixty$/, "")
  const pages = Array.from({ length: 59 }, (_, index) => more(`${base}-page${index + 2}`))
  return [
    own,
    ...pages.slice(0, 30),
    { ...more(`${base}-read`), role: "ANALYST" },
    ...pages.slice(30),
    former
  ]
}

/** Whether the role lets a person publish. */
export const publishes = ({ role, state }: Role) => state === "APPROVED" && role !== "ANALYST"
