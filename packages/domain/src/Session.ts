import { Schema } from "effect"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"
import { maximumLimit } from "./Lists.ts"
import { success } from "./Success.ts"

// A message of its own, because the usual one quotes the value.
const password = Text.check(Schema.isBetweenLength(1, 200, { message: "Expected 1 to 200 characters" }))

/** The password of the member who is signed in, given again. */
export const ConfirmPassword = Schema.Struct({
  password: field(
    "The password of the member who is signed in. For keys and apps, any text; it is ignored.",
    password
  )
}).annotate({ identifier: "ConfirmPassword" })
export interface ConfirmPassword extends Schema.Schema.Type<typeof ConfirmPassword> {}

/** Until when the password counts as just given; null: keys and apps are never asked for one. */
export const PasswordConfirmed = Schema.Struct({
  confirmed_until: field(
    "Until when the password counts as just given, in UTC: 15 minutes from the request. null: keys and apps need none.",
    Schema.NullOr(Timestamp)
  )
}).annotate({ identifier: "PasswordConfirmed" })
export interface PasswordConfirmed extends Schema.Schema.Type<typeof PasswordConfirmed> {}

/** `PUT /v1/session/password` */
export const ChangePassword = Schema.Struct({
  current_password: field("The present password of the member who is signed in.", password),
  new_password: field(
    "The new one: 10 to 200 characters, 5 of them different, and none of the passwords that are guessed first.",
    password
  )
}).annotate({ identifier: "ChangePassword" })

/** A browser in which the member is signed in. */
export const Session = Schema.Struct({
  id: field("A UUID, for the path of `DELETE`.", Schema.String),
  current: field("Whether this request was made in it.", Schema.Boolean),
  device: field("The browser, as far as it tells: `Firefox on Linux`.", Schema.String),
  address: field(
    "The IP address of the sign-in, of IPv6 the network. null: it is older than this record.",
    Schema.NullOr(Schema.String)
  ),
  new_device: field(
    "Whether the browser had not signed in before, as far as the service knows.",
    Schema.Boolean
  ),
  created_at: field("When the member signed in, in UTC.", Timestamp),
  last_used_at: field("When it was last used, in UTC and to the hour.", Timestamp)
}).annotate({ identifier: "Session" })
export interface Session extends Schema.Schema.Type<typeof Session> {}

export const SessionList = Schema.Struct({
  data: field(
    "The sessions of the member that still last, last used first.",
    Schema.Array(Session).check(Schema.isMaxLength(maximumLimit))
  )
}).annotate({ identifier: "SessionList" })

export const SessionEnded = Schema.Struct({
  success,
  id: field("The id of the session that has ended.", Schema.String)
}).annotate({ identifier: "SessionEnded" })

/** Of the password's change, too. */
export const SessionsEnded = Schema.Struct({ success }).annotate({ identifier: "SessionsEnded" })
