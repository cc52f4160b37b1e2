import { Schema } from "effect"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/** The password of the member who is signed in, given again. */
export const ConfirmPassword = Schema.Struct({
  password: field(
    "The password of the member who is signed in. For keys and apps, any text; it is ignored.",
    Text.check(Schema.isBetweenLength(1, 200, { message: "Expected 1 to 200 characters" }))
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
