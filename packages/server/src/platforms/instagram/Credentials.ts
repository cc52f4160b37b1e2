import { Schema } from "effect"

/** A long-lived token of Instagram Login. */
const InstagramLogin = Schema.Struct({
  login: Schema.Literal("instagram"),
  token: Schema.String,
  /** ISO 8601; a token is refreshed when it is a day old. */
  issued_at: Schema.String
})

/** The token of a Page, and the user's that renews it. */
const FacebookLogin = Schema.Struct({
  login: Schema.Literal("facebook"),
  token: Schema.String,
  user_id: Schema.String,
  user_token: Schema.String,
  page_id: Schema.String
})

export const InstagramCredentials = Schema.Union([InstagramLogin, FacebookLogin])
export type InstagramCredentials = typeof InstagramCredentials.Type
