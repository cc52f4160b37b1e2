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
  version: field("The version of the service, such as `0.1.0`.", Schema.String),
  public_url: field(
    "The URL at which others reach the service, without a trailing slash: `PUBLIC_URL` of its configuration.",
    Schema.String
  ),
  closed_to: field(
    "Platforms that cannot fetch media from this service because `public_url` is not an https URL on a public host. Empty: none.",
    platforms
  ),
  video_transcoding: field(
    "true: the service converts videos that a platform does not take, unless `processing_enabled` of the post is false. false: posts with such videos are refused.",
    Schema.Boolean
  ),
  maximum_bytes: field(
    "The largest file of each kind that can be uploaded or imported, as the operator set it.",
    Schema.Struct({
      image: field(
        "The largest image that can be uploaded or imported, in bytes; a larger one is refused.",
        Schema.Int
      ),
      video: field(
        "The largest video that can be uploaded or imported, in bytes; a larger one is refused.",
        Schema.Int
      ),
      document: field(
        "The largest PDF that can be uploaded or imported, in bytes; a larger one is refused.",
        Schema.Int
      )
    })
  ),
  test_network_url: field(
    "The page that shows what the test network received; null: this instance has no test network.",
    Schema.NullOr(Schema.String)
  ),
  connectable: field(
    "The platforms whose accounts can be connected, including those that the operator has yet to set up.",
    Schema.Array(
      Schema.Struct({
        platform: field(
          "The platform's id, for `platform` of the requests that connect, such as `bluesky`.",
          PlatformId
        ),
        by: field(
          "How accounts are connected. `consent`: on the platform's own page, with `POST /v1/social-accounts/connect`. `credentials`: with `POST /v1/social-accounts`.",
          Schema.Literals(["consent", "credentials"])
        ),
        configured: field(
          "true: accounts can be connected now. false: the operator must first set up the platform's app.",
          Schema.Boolean
        ),
        network: AccountNetwork,
        logins: field(
          "The ways to sign in there, for `login` of the request, such as `facebook` for Instagram; the first is the default. Empty: it has no consent page.",
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
