import {
  grantedPermissions,
  permissionNames,
  permissionsOf,
  platformName,
  problem,
  type StartConnect
} from "@carillon/domain"
import { Effect, Schema } from "effect"
import type { SocialAccountRow } from "./SocialAccountRepository.ts"

/** What a person is asked for besides publishing, if the platform has it; accounts that are connected again keep what they have. */
export const askedPermissions = (
  { permissions = [], platform }: StartConnect,
  again: ReadonlyArray<Pick<SocialAccountRow, "granted_scopes">>
) => {
  const known = permissionsOf(platform)
  const unknown = permissions.filter((name) => !known.includes(name))
  return unknown.length === 0
    ? Effect.succeed([
        ...new Set([
          ...permissions,
          // Who connected before scopes were kept may have been asked for all of them.
          ...again.flatMap(({ granted_scopes }) =>
            granted_scopes === null ? known : (grantedPermissions(platform, granted_scopes)?.granted ?? [])
          )
        ])
      ])
    : problem("invalid_request", [
        {
          path: "permissions",
          code: "invalid_value",
          message: `${platformName(platform)} does not have the permission ${unknown.join(" or ")}; ${known.length === 0 ? "leave permissions out" : `it has ${known.join(" and ")}`}.`
        }
      ])
}

/** The same, as they were kept until the person follows the link. */
export const readPermissions = Schema.decodeUnknownSync(Schema.Array(Schema.Literals(permissionNames)))
