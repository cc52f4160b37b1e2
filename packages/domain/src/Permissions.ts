import type { PlatformId } from "./PlatformFacts.ts"

/** What an account may be allowed beyond publishing, and what a person who connects it reads. */
export const permissionTitles = {
  first_comment: "First comments",
  playlists: "Playlists",
  locations: "Locations"
} as const
export type PermissionName = keyof typeof permissionTitles
export const permissionNames = Object.keys(permissionTitles) as ReadonlyArray<PermissionName>

interface Permission {
  /** The options that need it. */
  readonly options: ReadonlyArray<string>
  /** By login: the scope to ask for, and then others that include it. */
  readonly scopes: Readonly<Record<string, readonly [string, ...ReadonlyArray<string>]>>
}

const google = (name: string) => `https://www.googleapis.com/auth/${name}`

/** Options of other platforms need nothing but what publishing needs. */
export const platformPermissions: Readonly<
  Partial<Record<PlatformId, Readonly<Partial<Record<PermissionName, Permission>>>>>
> = {
  instagram: {
    first_comment: {
      options: ["first_comment"],
      scopes: { instagram: ["instagram_business_manage_comments"], facebook: ["instagram_manage_comments"] }
    }
  },
  threads: {
    locations: { options: ["location"], scopes: { threads: ["threads_location_tagging"] } }
  },
  facebook: {
    first_comment: {
      options: ["first_comment"],
      scopes: { facebook_pages: ["pages_manage_engagement"] }
    }
  },
  youtube: {
    first_comment: { options: ["first_comment"], scopes: { google: [google("youtube.force-ssl")] } },
    playlists: {
      options: ["playlist_ids"],
      scopes: { google: [google("youtube"), google("youtube.force-ssl")] }
    }
  }
}

/** The permissions that a platform has. */
export const permissionsOf = (platform: PlatformId): ReadonlyArray<PermissionName> =>
  permissionNames.filter((name) => platformPermissions[platform]?.[name] !== undefined)

/** The scopes to ask for besides those of publishing. */
export const askedScopes = (
  platform: PlatformId,
  login: string,
  permissions: ReadonlyArray<PermissionName>
): ReadonlyArray<string> =>
  permissions.flatMap((name) => platformPermissions[platform]?.[name]?.scopes[login]?.[0] ?? [])

/** Which permissions these scopes give an account; null: the platform has none, or nobody knows what was granted. */
export const grantedPermissions = (platform: PlatformId, scopes: ReadonlyArray<string> | null) => {
  const all = permissionsOf(platform)
  if (scopes === null || all.length === 0) return null
  const isGranted = (name: PermissionName) =>
    Object.values(platformPermissions[platform]![name]!.scopes).some((one) =>
      one.some((scope) => scopes.includes(scope))
    )
  return { granted: all.filter(isGranted), missing: all.filter((name) => !isGranted(name)) }
}
