import { Schema } from "effect"
import { PlatformId } from "./Platform.ts"
import { platformAppNames } from "./platforms/PlatformApps.ts"
import { Spending } from "./Spending.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"
import { success } from "./Success.ts"

export const PlatformAppName = Schema.Literals(platformAppNames).annotate({ identifier: "PlatformAppName" })
export type PlatformAppName = typeof PlatformAppName.Type

export const PlatformApp = Schema.Struct({
  app: field(
    "The app's name, for paths under `/v1/platform-apps`, such as `google`. It never changes.",
    PlatformAppName
  ),
  platform: field(
    "The platform whose accounts are connected through the app, such as `youtube` through `google`.",
    PlatformId
  ),
  source: field(
    "Where the app comes from. `environment`: the service's configuration, which wins over a stored app. `stored`: set through this API. `test_network`: no app is needed, because the test network stands in for the platform. `none`: it is not set up.",
    Schema.Literals(["environment", "stored", "test_network", "none"])
  ),
  client_id: field(
    "The client id in use, which is no secret; null: none is set. The client secret is never shown.",
    Schema.NullOr(Schema.String)
  ),
  stored_at: field(
    "When the stored app was last set, in UTC; null: none is stored.",
    Schema.NullOr(Timestamp)
  ),
  redirect_url: field(
    "The redirect URL to enter in the app's settings on the platform, exactly like this. It follows from the service's public URL.",
    Schema.String
  ),
  accounts: field(
    "How many accounts are connected through the app. They must be reconnected if its id changes.",
    Schema.Int
  ),
  spending: field(
    "What the platform charges for the app's calls; null: nothing that this service counts.",
    Schema.NullOr(Spending)
  ),
  variables: field(
    "The names of the environment variables that set the app's id, secret and, on Discord, bot token; they win over a stored app.",
    Schema.Array(Schema.String).check(Schema.isMaxLength(3))
  )
}).annotate({ identifier: "PlatformApp" })
export interface PlatformApp extends Schema.Schema.Type<typeof PlatformApp> {}

export const PlatformAppList = Schema.Struct({
  data: field(
    "Every app that this release knows, whether set up or not, in a fixed order.",
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

const botToken = Schema.optionalKey(oneLine("bot token"))

/** `PUT /v1/platform-apps/{app}` */
export const SetPlatformApp = Schema.Struct({
  client_id: field(
    "The client id that the platform shows for the app: at most 500 characters, without spaces; those around it are dropped.",
    oneLine("id")
  ),
  client_secret: field(
    "The client secret that the platform shows for the app, in the form of `client_id`. It is stored encrypted and never shown.",
    oneLine("secret")
  ),
  bot_token: field(
    "Discord, where it is required: the token of the app's bot, in the form of `client_id`. It is stored encrypted and never shown.",
    botToken
  )
}).annotate({ identifier: "SetPlatformApp" })
export interface SetPlatformApp extends Schema.Schema.Type<typeof SetPlatformApp> {}

/** `POST /v1/platform-apps/{app}/test` */
export const TestPlatformApp = Schema.Struct({
  client_id: field(
    "The client id to test, together with `client_secret`; it is not stored. Give both or neither. Neither: those in use are tested.",
    Schema.optionalKey(SetPlatformApp.fields.client_id)
  ),
  client_secret: field(
    "The client secret to test, together with `client_id`; it is not stored. Give both or neither. Neither: those in use are tested.",
    Schema.optionalKey(SetPlatformApp.fields.client_secret)
  ),
  bot_token: field("Discord: the bot token to test with them; it is not stored.", botToken)
}).annotate({
  identifier: "TestPlatformApp",
  description: "An id and its secret to test before they are set. Without both, those in use are tested."
})
export interface TestPlatformApp extends Schema.Schema.Type<typeof TestPlatformApp> {}

export const PlatformAppTest = Schema.Struct({
  result: field(
    "What the platform said about the id and secret. `refused`: one of them is wrong, but the platform does not say which. `unclear`: its answer does not tell. `unreachable`: it did not answer.",
    Schema.Literals(["accepted", "wrong_id", "wrong_secret", "refused", "unclear", "unreachable"])
  ),
  message: field(
    "A sentence for people: what the platform answered, and what to do. Its words may change.",
    Schema.String
  )
}).annotate({ identifier: "PlatformAppTest" })
export interface PlatformAppTest extends Schema.Schema.Type<typeof PlatformAppTest> {}

export const PlatformAppRemoved = Schema.Struct({
  success,
  app: field(
    "The app's name. Its stored id and secret are gone; those from the environment stay.",
    PlatformAppName
  )
}).annotate({ identifier: "PlatformAppRemoved" })
