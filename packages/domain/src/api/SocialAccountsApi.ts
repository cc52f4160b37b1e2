import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, NotFound } from "../Problems.ts"
import {
  ChooseAccounts,
  ChosenAccounts,
  PendingConnection,
  PendingConnectionFilter
} from "../PendingConnection.ts"
import {
  ConnectAccount,
  ConnectLink,
  ConnectLinkRequest,
  ConnectStarted,
  SocialAccount,
  SocialAccountDeleted,
  SocialAccountFilter,
  SocialAccountList,
  SocialAccountOptions,
  StartConnect,
  UpdateSocialAccount
} from "../SocialAccount.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

const pendingParams = { pending_id: PathId("the pending connection") }
const params = { account_id: PathId("the social account") }

/** A wrong value of these requests may come back in the error. */
const withoutSecrets = { errors: "all", onExcessProperty: "error", reportInput: true } as const

export class SocialAccountsApi extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: SocialAccountFilter,
      success: SocialAccountList
    }).annotateMerge(about({ scope: "accounts:read", codes: [], summary: "List social accounts" })),
    HttpApiEndpoint.get("pending", "/pending/:pending_id", {
      params: pendingParams,
      query: PendingConnectionFilter,
      success: PendingConnection,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "accounts:read",
        codes: ["not_found"],
        summary: "Get a pending connection",
        description:
          "What POST /v1/social-accounts/connect began. Only the member, key or app that began it sees it, for 15 minutes after each step."
      })
    ),
    HttpApiEndpoint.post("choose", "/pending/:pending_id", {
      params: pendingParams,
      payload: ChooseAccounts,
      success: ChosenAccounts,
      error: [NotFound, Conflict]
    })
      .annotateMerge(
        about({
          scope: "accounts:write",
          codes: ["not_found", "account_not_offered", "nothing_to_choose"],
          // Pictures are fetched from the platform.
          effect: "outside",
          summary: "Choose the accounts to connect",
          description:
            "Connects the chosen accounts, all or none, and deletes the access to the others. The same choice again gets the same answer."
        })
      )
      .annotate(HttpApi.PayloadParseOptions, withoutSecrets),
    HttpApiEndpoint.get("get", "/:account_id", {
      params,
      success: SocialAccount,
      error: NotFound
    }).annotateMerge(
      about({ scope: "accounts:read", codes: ["not_found"], summary: "Get a social account" })
    ),
    HttpApiEndpoint.get("options", "/:account_id/options", {
      params,
      success: SocialAccountOptions,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "accounts:read",
        codes: ["not_found"],
        summary: "Get the limits and options of an account",
        description: "Caption and media limits, and the JSON Schema of its platform_configurations entry."
      })
    ),
    HttpApiEndpoint.post("connect", "/", {
      payload: ConnectAccount,
      success: SocialAccount.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      about({
        scope: "accounts:write",
        codes: ["platform_not_supported", "credentials_rejected"],
        // The platform is asked whether the credentials are good.
        effect: "outside",
        summary: "Connect an account with credentials",
        description: "Connecting the same remote account again renews it and keeps its id."
      })
    ),
    HttpApiEndpoint.post("startConnect", "/connect", {
      payload: StartConnect,
      success: ConnectStarted.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(
        about({
          scope: "accounts:write",
          codes: [
            "platform_not_supported",
            "platform_not_configured",
            "credentials_rejected",
            "social_account_not_found"
          ],
          // A server that the person names is asked whether it lets this service in.
          effect: "outside",
          summary: "Connect an account in the browser",
          description:
            "For platforms with a consent page of their own. Connecting the same remote account again renews it and " +
            "keeps its id."
        })
      )
      .annotate(HttpApi.PayloadParseOptions, withoutSecrets),
    HttpApiEndpoint.post("connectLink", "/connect-link", {
      payload: ConnectLinkRequest,
      success: ConnectLink.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(
        about({
          scope: "accounts:write",
          codes: ["platform_not_supported", "platform_not_configured", "credentials_rejected"],
          effect: "outside",
          summary: "Get a link that connects an account",
          description:
            "The same as POST /v1/social-accounts/connect, with the fields of clients of similar services."
        })
      )
      .annotate(HttpApi.PayloadParseOptions, withoutSecrets),
    HttpApiEndpoint.patch("update", "/:account_id", {
      params,
      payload: UpdateSocialAccount,
      success: SocialAccount,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "accounts:write",
        codes: ["not_found", "destination_not_found", "privacy_level_not_offered"],
        summary: "Change an account's defaults",
        description:
          "Posts already scheduled keep the board that they were created with; they use the default audience at the time they go out."
      })
    ),
    HttpApiEndpoint.delete("disconnect", "/:account_id", {
      params,
      success: SocialAccountDeleted,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "accounts:write",
        codes: ["not_found"],
        summary: "Disconnect a social account",
        description:
          "Its tokens are erased, and the platform is told if it has a call for that and no other account uses the " +
          "same access. Posts scheduled for it fail at their time with account_disconnected."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/social-accounts")
  .middleware(RequestProblems)
  // Credentials are sent here, so no value may come back in an error.
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Social accounts",
      description: "The accounts that posts are published to."
    })
  ) {}
