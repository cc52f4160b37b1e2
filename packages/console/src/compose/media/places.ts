/** The files of a post in their order: the id of each, or the key of an upload that keeps its place. */
export type Places = ReadonlyArray<string>

const isOnItsWay = (place: string) => place.startsWith("upload-")

export const idsOf = (places: Places) => places.filter((place) => !isOnItsWay(place))

export const keysOf = (places: Places) => places.filter(isOnItsWay)

/** The places for other files. An upload stays behind the file that it stood behind. */
export const withIds = (places: Places, ids: ReadonlyArray<string>): Places => {
  const before = idsOf(places)
  if (before.length === ids.length && before.every((id, index) => id === ids[index])) return places
  const result = [...ids]
  let last: string | undefined
  for (const place of places) {
    if (!isOnItsWay(place)) {
      if (result.includes(place)) last = place
      continue
    }
    result.splice(last === undefined ? 0 : result.indexOf(last) + 1, 0, place)
    last = place
  }
  return result
}

/** Puts a finished upload in its place, unless the same file is there already. */
export const filled = (places: Places, key: string, id: string): Places =>
  places.includes(id)
    ? places.filter((place) => place !== key)
    : places.map((place) => (place === key ? id : place))

export const without = (places: Places, gone: string): Places => places.filter((place) => place !== gone)

/** A post has each file once. */
export const withMore = (places: Places, more: ReadonlyArray<string>): Places => [
  ...new Set([...places, ...more])
]

/** Moves a file to a place, counted without it. */
export const movedTo = (places: Places, place: string, to: number): Places => {
  const others = without(places, place)
  return others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, place)
}
