import { type Operation, resolve } from "./Document.ts"

/** A thing that has an id: `post` for `post_id`, and for every other name that its id has in the contract. */
export type Kind = string
export type Id = string | number

const others: Readonly<Record<string, Kind | null>> = {
  account_id: "account",
  social_account_id: "account",
  social_accounts: "account",
  media: "media",
  cover_image: "media",
  thumbnail: "media",
  post_ids: "post",
  used_by: "post",
  drafts: "post",
  app: "platform_app",
  // Ids that a platform gave: they belong to no workspace.
  board_ids: null,
  board_section_id: null,
  client_id: null,
  category_id: null,
  channel_id: null,
  community_id: null,
  thread_id: null,
  message_thread_id: null,
  default_board_id: null,
  location_id: null,
  playlist_ids: null,
  audio_id: null,
  gif_id: null,
  quote_post_id: null
}

/** The kind of id that a parameter or field of this name holds; null: it holds none of ours. */
export const kindOf = (name: string): Kind | null =>
  name in others ? others[name]! : (/^(\w+?)_ids?$/.exec(name)?.[1] ?? null)

/** What the ids in an operation's path are of. */
export const pathKinds = (operation: Operation): ReadonlyArray<Kind> =>
  [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const kind = kindOf(name!)
    if (kind === null) throw new Error(`test/contract/Ids.ts does not know whose id {${name}} is`)
    return kind
  })

/** An id of the right form that nothing has. */
export const unknownId = (kind: Kind): Id =>
  kind === "account" ? 79999999 : kind === "key" ? "zzzzzzzzzzzz" : "0191f0a0-0000-7000-8000-00000000dead"

export type Path = ReadonlyArray<string | number>

/** Every place of a request schema where an id of ours is written. */
export const idPlaces = (
  schema: any,
  path: Path = [],
  seen: ReadonlyArray<any> = []
): ReadonlyArray<{ kind: Kind; path: Path }> => {
  const resolved = resolve(schema)
  if (seen.includes(resolved)) return []
  const inner = (next: any, step: Path) => idPlaces(next, [...path, ...step], [...seen, resolved])
  return [
    ...["anyOf", "oneOf", "allOf"].flatMap((key) =>
      (resolved[key] ?? []).flatMap((one: any) => inner(one, []))
    ),
    ...(resolved.items === undefined ? [] : inner(resolved.items, [0])),
    ...Object.entries<any>(resolved.properties ?? {}).flatMap(([name, property]) => {
      const kind = kindOf(name)
      return kind !== null
        ? idForms(property).map((form) => ({ kind, path: [...path, name, ...form] }))
        : inner(property, [name])
    })
  ]
}

/** An id alone, or an array of them. */
const idForms = (schema: any): ReadonlyArray<Path> => {
  const resolved = resolve(schema)
  if (Array.isArray(resolved.anyOf)) return resolved.anyOf.flatMap(idForms)
  if (resolved.type === "array") return [[0]]
  return resolved.type === "null" ? [] : [[]]
}

/** The same body with the ids of its examples replaced by real ones. */
export const withIds = (body: any, idFor: (kind: Kind) => Id): any => {
  if (Array.isArray(body)) return body.map((one) => withIds(one, idFor))
  if (body === null || typeof body !== "object") return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const kind = kindOf(name)
      if (kind === null) return [name, withIds(value, idFor)]
      return [name, Array.isArray(value) ? value.map(() => idFor(kind)) : idFor(kind)]
    })
  )
}

/** The same body with this id at this place; what is missing on the way is made from the schema. */
export const withIdAt = (body: any, schema: any, path: Path, id: Id, idFor: (kind: Kind) => Id): any => {
  const [step, ...rest] = path
  if (step === undefined) return id
  const resolved = alternativeWith(schema, step)
  if (typeof step === "number") {
    return [withIdAt(Array.isArray(body) ? body[0] : undefined, resolved.items ?? {}, rest, id, idFor)]
  }
  const base =
    body !== null && typeof body === "object" && !Array.isArray(body)
      ? body
      : withIds(required(resolved), idFor)
  return { ...base, [step]: withIdAt(base[step], resolved.properties?.[step] ?? {}, rest, id, idFor) }
}

const alternativeWith = (schema: any, step: string | number): any => {
  const resolved = resolve(schema)
  const alternatives: ReadonlyArray<any> = resolved.anyOf ?? resolved.oneOf ?? []
  return (
    alternatives
      .map(resolve)
      .find((one) =>
        typeof step === "number" ? one.type === "array" : one.properties?.[step] !== undefined
      ) ?? resolved
  )
}

const required = (schema: any): any =>
  Object.fromEntries((schema.required ?? []).map((name: string) => [name, least(schema.properties[name])]))

/** The least value that the schema takes. */
const least = (schema: any): any => {
  const resolved = resolve(schema)
  if (resolved.enum !== undefined) return resolved.enum[0]
  if (resolved.anyOf !== undefined) return least(resolved.anyOf[0])
  switch (resolved.type) {
    case "object":
      return required(resolved)
    case "array":
      return resolved.minItems > 0 ? [least(resolved.items)] : []
    case "integer":
    case "number":
      return Math.max(1, resolved.minimum ?? 1)
    case "boolean":
      return false
    case "string":
      return "x".repeat(Math.max(1, resolved.minLength ?? 1))
    default:
      return null
  }
}
