import { placeOf } from "../time/zone.ts"

export interface Zone {
  readonly id: string
  /** `Paris` */
  readonly place: string
  /** `Europe` */
  readonly region: string
}

export const zoneOf = (id: string): Zone => ({
  id,
  place: placeOf(id),
  region: id.split("/").slice(0, -1).join(", ").replaceAll("_", " ")
})

/** Without accents and separators. */
const plain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036F]/g, "")
    .replace(/[\s/_,-]+/g, " ")
    .toLowerCase()

/** The zones that match, those whose place begins with the text first. */
export const matchingZones = (
  zones: ReadonlyArray<Zone>,
  typed: string,
  most: number
): ReadonlyArray<Zone> => {
  const wanted = plain(typed).trim()
  if (wanted === "") return zones.slice(0, most)
  const rank = ({ id, place, region }: Zone) => {
    if (plain(place).startsWith(wanted)) return 0
    const all = `${plain(place)} ${plain(region)}`
    return all.includes(` ${wanted}`) || plain(id).startsWith(wanted) ? 1 : all.includes(wanted) ? 2 : 3
  }
  return zones
    .map((zone) => ({ zone, rank: rank(zone) }))
    .filter((one) => one.rank < 3)
    .sort((one, other) => one.rank - other.rank || one.zone.place.localeCompare(other.zone.place))
    .slice(0, most)
    .map(({ zone }) => zone)
}

/** All zones that the browser knows, some of them first. */
export const allZones = (first: ReadonlyArray<string>): ReadonlyArray<Zone> =>
  [...new Set([...first, "UTC", ...Intl.supportedValuesOf("timeZone")])].map(zoneOf)
