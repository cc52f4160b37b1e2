import { Schema } from "effect"
import { field } from "./Field.ts"
import { success } from "./Success.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

/** A way to sign in without a password. */
export const Passkey = Schema.Struct({
  id: field("A UUID, for the path of `DELETE`.", Schema.String),
  name: field("What the member calls it.", Schema.String),
  works_here: field(
    "Whether it was made for the host of `PUBLIC_URL`. Elsewhere it does not work.",
    Schema.Boolean
  ),
  created_at: field("When it was added, in UTC.", Timestamp),
  last_used_at: field("When it was last used, in UTC. null: not yet.", Schema.NullOr(Timestamp))
}).annotate({ identifier: "Passkey" })
export interface Passkey extends Schema.Schema.Type<typeof Passkey> {}

/** Of each member at most. */
export const mostPasskeys = 20

/** What a member signs in with beside the password. */
export const SecondFactor = Schema.Struct({
  totp_since: field(
    "Since when the sign-in asks for a code of an authenticator app after the password, in UTC. null: it does not.",
    Schema.NullOr(Timestamp)
  ),
  recovery_codes_left: field("How many recovery codes are not used yet.", Schema.Int),
  passkeys: field("First added first.", Schema.Array(Passkey).check(Schema.isMaxLength(mostPasskeys))),
  passkeys_unavailable: field(
    "Why no passkey can be used at this `PUBLIC_URL`, for people. null: they can.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "SecondFactor" })
export interface SecondFactor extends Schema.Schema.Type<typeof SecondFactor> {}

const secret = Schema.String.check(
  Schema.isPattern(/^[A-Z2-7]{32}$/u, { message: "Expected the 32 letters and digits of the secret" })
)

/** What an authenticator app is set up with; it counts only once a code has confirmed it. */
export const TotpSecret = Schema.Struct({
  secret: field("160 random bits in base32, to type into the app.", secret),
  uri: field("The same as an `otpauth:` address, to show as a QR code.", Schema.String)
}).annotate({ identifier: "TotpSecret" })
export interface TotpSecret extends Schema.Schema.Type<typeof TotpSecret> {}

/** `PUT /v1/session/totp` */
export const SetTotp = Schema.Struct({
  secret: field("The secret that `POST /v1/session/totp` gave.", secret),
  code: field(
    "The six digits that the app shows now.",
    Schema.String.check(Schema.isPattern(/^\d{6}$/u, { message: "Expected six digits" }))
  )
}).annotate({ identifier: "SetTotp" })

export const RecoveryCodes = Schema.Struct({
  recovery_codes: field(
    "Each signs in once instead of a code of the app. They are shown this once; new ones replace them.",
    Schema.Array(Schema.String).check(Schema.isMaxLength(10))
  )
}).annotate({ identifier: "RecoveryCodes" })
export interface RecoveryCodes extends Schema.Schema.Type<typeof RecoveryCodes> {}

export const TotpDeleted = Schema.Struct({ success }).annotate({ identifier: "TotpDeleted" })

const options = Schema.Record(Schema.String, Schema.Json).check(Schema.isMaxProperties(20))

/** What a page gives the browser, for either of two ends. */
export const PasskeyOptions = Schema.Struct({
  create: field("For `PublicKeyCredential.parseCreationOptionsFromJSON`, to add a passkey.", options),
  get: field("For `PublicKeyCredential.parseRequestOptionsFromJSON`, to confirm with one.", options)
}).annotate({ identifier: "PasskeyOptions" })
export interface PasskeyOptions extends Schema.Schema.Type<typeof PasskeyOptions> {}

const credential = field(
  "The browser's answer to the options, as `JSON.stringify(credential)`; within five minutes, and once.",
  Text.check(Schema.isBetweenLength(1, 20_000, { message: "Expected 1 to 20,000 characters" }))
)

/** `POST /v1/session/passkeys` */
export const AddPasskey = Schema.Struct({
  name: field("What the member calls it, such as `Laptop`.", Text.check(Schema.isBetweenLength(1, 100))),
  credential
}).annotate({ identifier: "AddPasskey" })

/** `PUT /v1/session/confirmation/passkey` */
export const ConfirmWithPasskey = Schema.Struct({ credential }).annotate({
  identifier: "ConfirmWithPasskey"
})

export const PasskeyDeleted = Schema.Struct({
  success,
  id: field("The id of the passkey that was removed.", Schema.String)
}).annotate({ identifier: "PasskeyDeleted" })
