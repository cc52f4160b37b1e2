import { Schema } from "effect"
import { PlatformId } from "./Platform.ts"
import { platformAppNames } from "./platforms/PlatformApps.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

export const PlatformAppName = Schema.Literals(platformAppNames).annotate({ identifier: "PlatformAppName" })
export type PlatformAppName = typeof PlatformAppName.Type

export const PlatformApp = Schema.Struct({
  app: field("The app's name, which the paths under `/v1/platform-apps` have.", PlatformAppName),
  platform: field("The platform whose accounts are connected through it.", PlatformId),
  source: field(
    "Where the app comes from. `environment`: the service's configuration, which takes precedence over a stored app. `test_network`: there is no app; the test network stands in for the platform.",
    Schema.Literals(["environment", "stored", "test_network", "none"])
  ),
  client_id: field(
    "The id in use; null if the operator has set up no app. The secret is never shown.",
    Schema.NullOr(Schema.String)
  ),
  stored_at: field("When the stored app was set; null: no app is stored.", Schema.NullOr(Timestamp)),
  redirect_url: field("The redirect address to enter in the app's settings on the platform.", Schema.String),
  accounts: field("Accounts connected through it. With another id, they must be reconnected.", Schema.Int),
  variables: field(
    "The names of the environment variables that set its id and its secret.",
    Schema.Array(Schema.String).check(Schema.isMaxLength(2))
  )
}).annotate({ identifier: "PlatformApp" })
export interface PlatformApp extends Schema.Schema.Type<typeof PlatformApp> {}

export const PlatformAppList = Schema.Struct({
  data: field(
    "Every app that this release knows, set up or not.",
    Schema.Array(PlatformApp).check(Schema.isMaxLength(PlatformAppName.literals.length))
  )
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
  client_id: field("The app's id, as the platform shows it.", oneLine("id")),
  client_secret: field(
    "The app's secret, as the platform shows it. It is never shown again.",
    oneLine("secret")
  )
}).annotate({ identifier: "SetPlatformApp" })
export interface SetPlatformApp extends Schema.Schema.Type<typeof SetPlatformApp> {}

/** `POST /v1/platform-apps/{app}/test` */
export const TestPlatformApp = Schema.Struct({
  client_id: field(
    "The id to test. Default: the one in use.",
    Schema.optionalKey(SetPlatformApp.fields.client_id)
  ),
  client_secret: field(
    "The secret to test. Default: the one in use.",
    Schema.optionalKey(SetPlatformApp.fields.client_secret)
  )
}).annotate({
  identifier: "TestPlatformApp",
  description: "An id and a secret to test before they are set. Default: those in use."
})
export interface TestPlatformApp extends Schema.Schema.Type<typeof TestPlatformApp> {}

export const PlatformAppTest = Schema.Struct({
  result: field(
    "What the platform said of the id and the secret. `refused`: the id or the secret is wrong, and the platform does not say which. `unclear`: its answer does not tell. `unreachable`: it did not answer.",
    Schema.Literals(["accepted", "wrong_id", "wrong_secret", "refused", "unclear", "unreachable"])
  ),
  message: field("A sentence for people: what the platform answered, and what to do.", Schema.String)
}).annotate({ identifier: "PlatformAppTest" })
export interface PlatformAppTest extends Schema.Schema.Type<typeof PlatformAppTest> {}

export const PlatformAppRemoved = Schema.Struct({
  success: field("Always true; a failure has a status and a body of its own.", Schema.Literal(true)),
  app: field("The name of the app that is forgotten.", PlatformAppName)
}).annotate({ identifier: "PlatformAppRemoved" })
