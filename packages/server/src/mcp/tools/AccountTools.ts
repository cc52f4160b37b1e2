import {
  CurrentActor,
  optionSchemas,
  platformRules,
  problem,
  SocialAccount,
  SocialAccountOptions
} from "@carillon/domain"
import { DateTime, Effect, Schema, Struct } from "effect"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"
import { AppConfig } from "../../AppConfig.ts"
import { AccountActivities } from "../../posts/AccountActivities.ts"
import { consoleRooms } from "../ConsoleRooms.ts"
import { mcpTool } from "../McpTool.ts"
import { thatFit } from "./AnswerSize.ts"
import { LocalTime, localTime, localTimeOrNull } from "./LocalTime.ts"
import { paged, pageOf, pageWith, paging, rest } from "./Paging.ts"
import { ofPlatform, ToolPlatform } from "./PostArguments.ts"

const shown = [
  "id",
  "platform",
  "username",
  "display_name",
  "network",
  "status",
  "needs_reconnect",
  "status_reason"
] as const

const Account = Schema.Struct({
  ...Struct.pick(SocialAccount.fields, shown),
  planned: Schema.Int.annotate({ description: "Posts that have still to go out." }),
  published_30d: Schema.Int.annotate({ description: "Posts of the last 30 days." }),
  last_published_at: Schema.NullOr(LocalTime)
}).annotate({ identifier: "ToolAccount" })

const usualPage = 100

/** What the rest of the answer takes is some 2,000 tokens. */
const mostOfChoices = 3_500

/** An account may have hundreds of boards; one that is not shown is found by its name. */
const withChoicesThatFit = (options: SocialAccountOptions) => {
  const lists = Object.entries(options.choices).map(([name, all]) => ({
    name,
    all,
    shown: Array.isArray(all) ? thatFit(all, mostOfChoices) : all
  }))
  const cut = lists.flatMap(({ name, all, shown }) =>
    all === shown
      ? []
      : [`${name}: ${(shown as ReadonlyArray<unknown>).length} of ${(all as ReadonlyArray<unknown>).length}.`]
  )
  return {
    ...options,
    choices: Object.fromEntries(lists.map(({ name, shown }) => [name, shown])),
    ...(cut.length === 0
      ? {}
      : {
          choices_left_out: `${cut.join(" ")} For others, give the name that the user says: preview_post tells whether it exists.`
        })
  }
}

/** The accounts to post to, and what each takes. */
export const makeAccountTools = Effect.gen(function* () {
  const accounts = yield* SocialAccounts
  const activities = yield* AccountActivities
  const { publicUrl } = yield* AppConfig

  const listAccounts = mcpTool({
    name: "list_accounts",
    title: "List social accounts",
    description:
      "List the social accounts that posts can go to, with the ids for social_accounts, the time zone of times without one, " +
      "and the current time. Call this first. What the user did not share with this connection is not listed. " +
      "Where needs_reconnect is true, posts wait until the user reconnects the account at reconnect_at. To a disconnected " +
      "one, due posts fail, and new ones are refused, except drafts. Each says what is scheduled and was published there. For an account's limits use get_platform_options.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "accounts:read",
    input: Schema.Struct({
      platform: ofPlatform,
      query: Schema.optionalKey(
        Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))).annotate({
          description: "Text in the name."
        })
      ),
      ...paging(usualPage)
    }),
    output: Schema.Struct({
      accounts: pageWith(Account),
      timezone: Schema.String,
      now: LocalTime,
      reconnect_at: Schema.optionalKey(Schema.String),
      ...paged
    }),
    run: Effect.fnUntraced(function* ({ platform, query, ...input }) {
      const { timezone } = yield* CurrentActor
      const page = pageOf(input, usualPage)
      const found = yield* accounts.list(
        { ...(platform ? { platform: [platform] } : {}), ...(query ? { q: query } : {}) },
        page
      )
      const activity = yield* activities.of(found.data.map(({ id }) => id))
      const all = found.data.map((account) => {
        const { last_published_at, planned, published_30d } = activity.get(account.id)!
        return {
          ...Struct.pick(account, shown),
          planned,
          published_30d,
          last_published_at: localTimeOrNull(last_published_at, timezone)
        }
      })
      const fitting = input.limit ? all : thatFit(all)
      return {
        accounts: fitting,
        timezone,
        now: localTime(yield* DateTime.now, timezone),
        ...(found.data.some(
          ({ demo, status }) => status !== "connected" && (demo === null || demo === "active")
        )
          ? { reconnect_at: consoleRooms(publicUrl).accounts }
          : {}),
        ...rest(found, { ...page, limit: fitting.length })
      }
    })
  })

  const { account_id, ...ofThePlatform } = SocialAccountOptions.fields

  const getPlatformOptions = mcpTool({
    name: "get_platform_options",
    title: "Get platform options",
    description:
      "Get what a post to one account, or to a platform in general, may have: caption limit and how it is counted, media rules " +
      "for each kind of post, and the JSON Schema of its entry in platform_configurations. With account_id also what the account " +
      "offers right now, asked of the platform (boards by name, privacy levels). Use it before setting options or when " +
      "preview_post names a limit; not needed for a plain post.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    scope: "accounts:read",
    input: Schema.Struct({
      account_id: Schema.optionalKey(
        Schema.NullOr(Schema.Int).annotate({ description: "An id from list_accounts. Not with platform." })
      ),
      platform: Schema.optionalKey(
        Schema.NullOr(ToolPlatform).annotate({
          description: "Its rules alone; such as instagram or twitter (X)."
        })
      )
    }),
    output: Schema.Struct({
      account_id: Schema.NullOr(account_id),
      ...ofThePlatform,
      choices_left_out: Schema.optionalKey(Schema.String)
    }),
    run: Effect.fnUntraced(function* (input) {
      const platform = input.platform ?? null
      const id = input.account_id ?? null
      if ((id === null) === (platform === null)) {
        return yield* problem(
          "invalid_request",
          "get_platform_options needs account_id or platform, exactly one of the two."
        )
      }
      if (id !== null) return withChoicesThatFit(yield* accounts.options(String(id)))
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
