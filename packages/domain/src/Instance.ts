import { Schema } from "effect"
import { PlatformId } from "./Platform.ts"
import { ConnectForm } from "./platforms/ConnectForm.ts"
import { AccountNetwork } from "./SocialAccount.ts"
import { field } from "./Field.ts"

const platforms = Schema.Array(PlatformId).check(Schema.isMaxLength(PlatformId.literals.length))

/**
 * What the operator has set up, for every workspace the same. `closed_to`: platforms that cannot fetch media from this
 * instance, because `public_url` is no https address on a public host.
 */
export const Instance = Schema.Struct({
  version: field("The version of the service, `0.1.0`.", Schema.String),
  public_url: field(
    "The address that others reach the service at, without a slash at the end.",
    Schema.String
  ),
  closed_to: field(
    "Platforms that cannot fetch media from here, because `public_url` is no https address on a public host.",
    platforms
  ),
  video_transcoding: field(
    "Whether videos are converted for platforms that do not take them as they are.",
    Schema.Boolean
  ),
  maximum_bytes: field(
    "The largest file of each kind that can be uploaded or imported, in bytes.",
    Schema.Struct({
      image: field("The largest image, in bytes.", Schema.Int),
      video: field("The largest video, in bytes.", Schema.Int),
      document: field("The largest PDF, in bytes.", Schema.Int)
    })
  ),
  test_network_url: field(
    "Where people see what the test network was sent; null: this instance has none.",
    Schema.NullOr(Schema.String)
  ),
  connectable: field(
    "The platforms whose accounts can be connected, those that the operator has yet to set up among them.",
    Schema.Array(
      Schema.Struct({
        platform: field("A platform that this release can publish to.", PlatformId),
        by: field(
          "`consent`: on the platform's own page, with `POST /v1/social-accounts/connect`. `credentials`: with `POST /v1/social-accounts`.",
          Schema.Literals(["consent", "credentials"])
        ),
        configured: field("false: the operator has to set up the platform's app first.", Schema.Boolean),
        network: AccountNetwork,
        logins: field(
          "The ways to sign in there, for `login`; the first is the usual one.",
          Schema.Array(Schema.String).check(Schema.isMaxLength(10))
        ),
        form: field(
          "What a person enters to connect an account; null: the platform's own page asks for everything.",
          Schema.NullOr(ConnectForm)
        )
      })
    ).check(Schema.isMaxLength(PlatformId.literals.length))
  )
}).annotate({ identifier: "Instance" })
export interface Instance extends Schema.Schema.Type<typeof Instance> {}
