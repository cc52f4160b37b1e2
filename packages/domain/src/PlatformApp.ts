import { Schema } from "effect"
import { PlatformId } from "./Platform.ts"
import { platformAppNames } from "./platforms/PlatformApps.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

export const PlatformAppName = Schema.Literals(platformAppNames).annotate({ identifier: "PlatformAppName" })
export type PlatformAppName = typeof PlatformAppName.Type

export const PlatformApp = Schema.Struct({
  app: PlatformAppName,
  /** The platforms whose accounts it connects. */
  platform: PlatformId,
  source: Schema.Literals(["environment", "stored", "test_network", "none"]).annotate({
    description:
      "Where the app comes from. `environment`: the service's configuration, which takes precedence over a stored app. " +
      "`test_network`: there is no app; the test network stands in for the platform."
  }),
  client_id: Schema.NullOr(Schema.String).annotate({
    description: "The id in use; null if the operator has set up no app. The secret is never shown."
  }),
  stored_at: Schema.NullOr(Timestamp).annotate({
    description: "When the stored app was set; null: no app is stored."
  }),
  redirect_url: Schema.String.annotate({ description: "Enter it on the platform." }),
  accounts: Schema.Int.annotate({
    description: "Accounts connected through it. With another id, they must be reconnected."
  }),
  variables: Schema.Array(Schema.String)
    .check(Schema.isMaxLength(2))
    .annotate({ description: "The environment variables of its id and secret." })
}).annotate({ identifier: "PlatformApp" })
export interface PlatformApp extends Schema.Schema.Type<typeof PlatformApp> {}

export const PlatformAppList = Schema.Struct({
  data: Schema.Array(PlatformApp).check(Schema.isMaxLength(PlatformAppName.literals.length))
}).annotate({ identifier: "PlatformAppList" })

// Messages of their own, because the usual ones quote the value. What is copied has spaces around it.
const oneLine = (what: string) =>
  Text.check(
    Schema.isBetweenLength(1, 500, { message: `Expected the ${what}: 1 to 500 characters` }),
    Schema.isPattern(/^\s*[!-~]+\s*$/u, {
      message: `Expected the ${what} as the platform shows it, without spaces`
    })
  )

/** `PUT /v1/platform-apps/{app}` */
export const SetPlatformApp = Schema.Struct({
  client_id: oneLine("id"),
  client_secret: oneLine("secret")
}).annotate({ identifier: "SetPlatformApp" })
export interface SetPlatformApp extends Schema.Schema.Type<typeof SetPlatformApp> {}

/** `POST /v1/platform-apps/{app}/test` */
export const TestPlatformApp = Schema.Struct({
  client_id: Schema.optionalKey(SetPlatformApp.fields.client_id),
  client_secret: Schema.optionalKey(SetPlatformApp.fields.client_secret)
}).annotate({
  identifier: "TestPlatformApp",
  description: "An id and a secret to test before they are set. Default: those in use."
})
export interface TestPlatformApp extends Schema.Schema.Type<typeof TestPlatformApp> {}

export const PlatformAppTest = Schema.Struct({
  result: Schema.Literals([
    "accepted",
    "wrong_id",
    "wrong_secret",
    "refused",
    "unclear",
    "unreachable"
  ]).annotate({
    description:
      "`refused`: the id or the secret is wrong, and the platform does not say which. `unclear`: its answer does not tell. " +
      "`unreachable`: it did not answer."
  }),
  message: Schema.String
}).annotate({ identifier: "PlatformAppTest" })
export interface PlatformAppTest extends Schema.Schema.Type<typeof PlatformAppTest> {}

export const PlatformAppRemoved = Schema.Struct({
  success: Schema.Literal(true),
  app: PlatformAppName
}).annotate({ identifier: "PlatformAppRemoved" })
