import { type PlatformId, platformRules } from "@carillon/domain"

const kinds = { picture: "images", video: "videos" } as const

export type Kind = keyof typeof kinds

/** The kinds of files that all of these networks take. */
export const kindsTaken = (platforms: ReadonlyArray<PlatformId>): ReadonlyArray<Kind> =>
  (["picture", "video"] as const).filter((kind) =>
    platforms.every((one) =>
      platformRules[one].placements.some((placement) => placement[kinds[kind]] !== undefined)
    )
  )
