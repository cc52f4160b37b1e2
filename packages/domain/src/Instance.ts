import { Schema } from "effect"
import { PlatformId } from "./Platform.ts"
import { ConnectForm } from "./platforms/ConnectForm.ts"
import { AccountNetwork } from "./SocialAccount.ts"

const platforms = Schema.Array(PlatformId).check(Schema.isMaxLength(PlatformId.literals.length))

/**
 * What the operator has set up, for every workspace the same. `closed_to`: platforms that cannot fetch media from this
 * instance, because `public_url` is no https address on a public host.
 */
export const Instance = Schema.Struct({
  version: Schema.String,
  public_url: Schema.String,
  closed_to: platforms,
  /** Whether videos are converted for platforms that do not take them as they are. */
  video_transcoding: Schema.Boolean,
  /** The largest file of each kind, in bytes. */
  maximum_bytes: Schema.Struct({ image: Schema.Int, video: Schema.Int, document: Schema.Int }),
  test_network_url: Schema.NullOr(Schema.String).annotate({
    description: "Where people see what the test network was sent; null: this instance has none."
  }),
  /**
   * The platforms of which accounts can be connected: `consent` on the platform's own page, `credentials` with
   * `POST /v1/social-accounts`. Not `configured`: the operator has to set it up first.
   */
  connectable: Schema.Array(
    Schema.Struct({
      platform: PlatformId,
      by: Schema.Literals(["consent", "credentials"]),
      configured: Schema.Boolean,
      network: AccountNetwork,
      logins: Schema.Array(Schema.String)
        .check(Schema.isMaxLength(10))
        .annotate({ description: "The ways to sign in there, for `login`; the first is the usual one." }),
      form: Schema.NullOr(ConnectForm).annotate({
        description:
          "What a person enters to connect an account; null: the platform's own page asks for everything."
      })
    })
  ).check(Schema.isMaxLength(PlatformId.literals.length))
}).annotate({ identifier: "Instance" })
export interface Instance extends Schema.Schema.Type<typeof Instance> {}
