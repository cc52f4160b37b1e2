import { askedScopes } from "@carillon/domain"
import { Redacted, Schema } from "effect"
import { googleCredentials, type GoogleNetwork, googleScope } from "../google/GoogleSignIn.ts"
import type { GrantedAccess } from "../Platform.ts"
import { decodeCredentials } from "../StoredCredentials.ts"

/** Everything on the channel, without and with comments; only adding to playlists needs it. */
export const wideScopes = ["youtube", "youtube.force-ssl"].map(googleScope)

export const youtubeAccess: GoogleNetwork = {
  platform: "YouTube",
  needed: ["youtube.upload", "youtube.readonly"],
  including: wideScopes,
  more: ({ permissions = [] }) => askedScopes("youtube", "google", permissions)
}

/** Two channels of one sign-in share it; a channel that was connected twice has one consent. */
export const sharesAccess = (one: GrantedAccess, other: GrantedAccess): boolean =>
  one.remote_id === other.remote_id ||
  Redacted.value(one.credentials)["refresh_token"] === Redacted.value(other.credentials)["refresh_token"]

export const readCredentials = decodeCredentials(Schema.Struct(googleCredentials), youtubeAccess.platform)
