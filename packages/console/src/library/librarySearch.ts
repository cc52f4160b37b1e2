import type { MediaFilters } from "../data/media.ts"

export const shows = ["all", "image", "video", "unused", "undescribed"] as const

export type Show = (typeof shows)[number]

/** The library page in the address. */
export interface LibrarySearch {
  readonly show?: Show
  readonly q?: string
  /** The file whose drawer is open. */
  readonly file?: string
  /** The workspace, for members of several. */
  readonly w?: string
}

export const librarySearch = (given: Record<string, unknown>): LibrarySearch => {
  const { file, q, show, w } = given
  return {
    ...(shows.includes(show as Show) ? { show: show as Show } : {}),
    // The address of a search for digits is read as a number.
    ...(typeof q === "number" || (typeof q === "string" && q !== "") ? { q: String(q) } : {}),
    ...(typeof file === "string" ? { file } : {}),
    ...(typeof w === "string" ? { w } : {})
  }
}

const filters: Readonly<Record<Show, MediaFilters>> = {
  all: {},
  image: { type: ["image"] },
  video: { type: ["video"] },
  unused: { unused: true },
  undescribed: { described: false }
}

/** The same as a filter of the API. */
export const filtersOf = ({ q, show = "all" }: LibrarySearch): MediaFilters => ({
  ...filters[show],
  ...(q === undefined ? {} : { q })
})
