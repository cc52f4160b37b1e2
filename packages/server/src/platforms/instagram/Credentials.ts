import { Schema } from "effect"
import { longLivedToken } from "../meta/LongLivedToken.ts"

/** The token of a Page, and the user's that renews it. */
const FacebookLogin = Schema.Struct({
  login: Schema.Literal("facebook"),
  token: Schema.String,
  user_id: Schema.String,
  user_token: Schema.String,
  page_id: Schema.String
})

export const InstagramCredentials = Schema.Union([longLivedToken("instagram"), FacebookLogin])
export type InstagramCredentials = typeof InstagramCredentials.Type
