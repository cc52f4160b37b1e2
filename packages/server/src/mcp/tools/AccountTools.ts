import {
  CurrentActor,
  optionSchemas,
  PlatformId,
  platformRules,
  problem,
  SocialAccount,
  SocialAccountOptions
} from "@carillon/domain"
import { Effect, Schema, Struct } from "effect"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"
import { mcpTool } from "../McpTool.ts"
import { paged, pageOf, pageWith, paging, rest } from "./Paging.ts"

const shown = [
  "id",
  "platform",
  "username",
  "display_name",
  "status",
  "needs_reconnect",
  "status_reason"
] as const

const Account = SocialAccount.mapFields(Struct.pick(shown))

/** The accounts to post to, and what each takes. */
export const makeAccountTools = Effect.gen(function* () {
  const accounts = yield* SocialAccounts

  const listAccounts = mcpTool({
    name: "list_accounts",
    title: "List social accounts",
    description:
      "List the social accounts that posts can go to, with the ids that create_post and preview_post want in social_accounts, " +
      "and the time zone that times without one are read in. Call this first. Accounts the user did not share with this " +
      "connection are not listed. needs_reconnect: posts to it wait until the user connects it again; status disconnected: it takes no posts. " +
      "For what an account takes (caption length, media, options) use get_platform_options.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "accounts:read",
    input: Schema.Struct({
      platform: Schema.optionalKey(
        Schema.NullOr(PlatformId).annotate({ description: "Only accounts of this platform." })
      ),
      ...paging
    }),
    output: Schema.Struct({ accounts: pageWith(Account), timezone: Schema.String, ...paged }),
    run: Effect.fnUntraced(function* ({ platform, ...input }) {
      const { timezone } = yield* CurrentActor
      const page = pageOf(input)
      const found = yield* accounts.list(platform ? { platform: [platform] } : {}, page)
      return {
        accounts: found.data.map(Struct.pick(shown)),
        timezone,
        ...rest(found, page)
      }
    })
  })

  const { account_id, ...ofThePlatform } = SocialAccountOptions.fields

  const getPlatformOptions = mcpTool({
    name: "get_platform_options",
    title: "Get platform options",
    description:
      "Get what a post to one account, or to a platform in general, may hold: caption limit and how it is counted, media rules " +
      "for each kind of post, and the JSON Schema of its entry in platform_configurations. With account_id also what the account " +
      "offers right now, asked of the platform (boards, privacy levels, playlists). Use it before setting options or when " +
      "preview_post names a limit; not needed for a plain post. Give account_id or platform, not both.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    scope: "accounts:read",
    input: Schema.Struct({
      account_id: Schema.optionalKey(
        Schema.NullOr(Schema.Int).annotate({ description: "An id from list_accounts." })
      ),
      platform: Schema.optionalKey(
        Schema.NullOr(PlatformId).annotate({ description: "The rules of a platform, without live choices." })
      )
    }),
    output: Schema.Struct({ account_id: Schema.NullOr(account_id), ...ofThePlatform }),
    run: Effect.fnUntraced(function* (input) {
      const platform = input.platform ?? null
      const id = input.account_id ?? null
      if ((id === null) === (platform === null)) {
        return yield* problem(
          "invalid_request",
          "get_platform_options takes account_id or platform, exactly one of the two."
        )
      }
      if (id !== null) return yield* accounts.options(String(id))
      return {
        account_id: null,
        platform: platform!,
        placements: platformRules[platform!].placements,
        choices: {},
        choices_error: null,
        schema: optionSchemas[platform!]
      }
    })
  })

  return [listAccounts, getPlatformOptions]
})
