import { Api } from "@carillon/domain"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AppConfig } from "./AppConfig.ts"
import { Audit } from "./audit/Audit.ts"
import { ConsolePagesLayer } from "./console/ConsolePages.ts"
import { ConsoleSite } from "./console/ConsoleSite.ts"
import { AuditHttpLayer } from "./audit/AuditHttp.ts"
import { BackupsHttpLayer } from "./backup/BackupsHttp.ts"
import { ClientReviews } from "./reviews/ClientReviews.ts"
import { ClientReviewsHttpLayer } from "./reviews/ClientReviewsHttp.ts"
import { ReviewPagesLayer } from "./reviews/ReviewPages.ts"
import { ApprovalsPagesLayer } from "./approvals/ApprovalsPages.ts"
import { Avatars } from "./accounts/Avatars.ts"
import { AvatarsHttpLayer } from "./accounts/AvatarsHttp.ts"
import { Connect } from "./accounts/Connect.ts"
import { ConnectPagesLayer } from "./accounts/ConnectPages.ts"
import { CredentialCipher } from "./crypto/CredentialCipher.ts"
import { DataDirectoryLayer } from "./DataDirectory.ts"
import { connectDemoAccounts } from "./accounts/DemoAccounts.ts"
import { SocialAccounts } from "./accounts/SocialAccounts.ts"
import { SocialAccountView } from "./accounts/SocialAccountView.ts"
import { PlatformAppsHttpLayer } from "./accounts/PlatformAppsHttp.ts"
import { PendingConnections } from "./accounts/PendingConnections.ts"
import { SocialAccountsHttpLayer } from "./accounts/SocialAccountsHttp.ts"
import { TokenVault } from "./accounts/TokenVault.ts"
import { Admission } from "./auth/Admission.ts"
import { ApiKeys } from "./auth/ApiKeys.ts"
import { ApiKeysHttpLayer } from "./auth/ApiKeysHttp.ts"
import { AuthorizationLayer } from "./auth/Authorization.ts"
import { Browser } from "./auth/Browser.ts"
import { Members } from "./auth/Members.ts"
import { Secrets } from "./crypto/Secrets.ts"
import { SecondFactorHttpLayer } from "./auth/SecondFactorHttp.ts"
import { SessionHttpLayer } from "./auth/SessionHttp.ts"
import { SignInPagesLayer } from "./auth/SignInPages.ts"
import { SignIns } from "./auth/SignIns.ts"
import { keepAddress } from "./StartedAddress.ts"
import { startupBanner } from "./StartupBanner.ts"
import { Idempotency } from "./http/Idempotency.ts"
import { Listener } from "./http/Listener.ts"
import { MetricsPageLayer } from "./operations/MetricsPage.ts"
import { PagesLayer } from "./operations/Pages.ts"
import { RequestProblemsLayer } from "./http/Problems.ts"
import { ReferencePagesLayer } from "./operations/ReferencePages.ts"
import { OpenLayer, serve } from "./http/Server.ts"
import { BlobStoreLayer } from "./media/files/BlobStoreLayer.ts"
import { MediaHttpLayer } from "./media/MediaHttp.ts"
import { MediaFilesLayer } from "./media/serving/MediaFilesHttp.ts"
import { BrowserUploads } from "./media/uploads/BrowserUploads.ts"
import { ImporterLayer } from "./media/imports/Importer.ts"
import { McpRoutesLayer } from "./mcp/McpRoutes.ts"
import { MediaLayer } from "./media/MediaLayer.ts"
import { UploadPagesLayer } from "./media/uploads/UploadPages.ts"
import { AuthorizationServer } from "./oauth/AuthorizationServer.ts"
import { AuthorizationServerHttpLayer } from "./oauth/AuthorizationServerHttp.ts"
import { ConnectedAppsHttpLayer } from "./oauth/ConnectedAppsHttp.ts"
import { ConsentPagesLayer } from "./oauth/ConsentPages.ts"
import { DevicePagesLayer } from "./oauth/DevicePages.ts"
import { Grants } from "./auth/Grants.ts"
import { Platforms } from "./platforms/Platforms.ts"
import { Spending } from "./platforms/twitter/Spending.ts"
import { PostBridgeHttpLayer } from "./postBridge/PostBridgeHttp.ts"
import { PostApprovals } from "./posts/PostApprovals.ts"
import { PostOutcomes } from "./posts/PostOutcomes.ts"
import { AccountActivities } from "./posts/AccountActivities.ts"
import { PostCalendar } from "./posts/PostCalendar.ts"
import { Posts } from "./posts/Posts.ts"
import { PostProblemsLayer } from "./posts/PostProblems.ts"
import { EngineLayer } from "./posts/EngineLayer.ts"
import { PostMediaRepositoryLayer } from "./posts/PostMediaRepository.ts"
import { PostResultsHttpLayer, PostsHttpLayer } from "./posts/PostsHttp.ts"
import { ProfileHttpLayer } from "./profile/ProfileHttp.ts"
import { Profiles } from "./profile/Profiles.ts"
import { InstanceHttpLayer } from "./operations/InstanceHttp.ts"
import { InstanceWorkspaces } from "./profile/InstanceWorkspaces.ts"
import { Workspaces } from "./workspaces/Workspaces.ts"
import { WorkspacesHttpLayer } from "./profile/WorkspacesHttp.ts"
import { Publish } from "./publishing/Publish.ts"
import { PublishRequests } from "./publishing/PublishRequests.ts"
import { RecurringLayer } from "./RecurringLayer.ts"
import { SchedulerLayer } from "./publishing/Scheduler.ts"
import { Queue } from "./queue/Queue.ts"
import { QueueHttpLayer } from "./queue/QueueHttp.ts"
import { SandboxProcessLayer } from "./SandboxProcess.ts"
import * as DatabaseClock from "./sql/DatabaseClock.ts"
import * as Sql from "./sql/Sql.ts"
import { Wakeup } from "./sql/Wakeup.ts"
import { Deliver } from "./webhooks/Deliver.ts"
import { DeliveryLoopLayer } from "./webhooks/DeliveryLoop.ts"
import { DeliveryQueue } from "./webhooks/DeliveryQueue.ts"
import { Notifications } from "./webhooks/Notifications.ts"
import { NotificationsHttpLayer } from "./webhooks/NotificationsHttp.ts"
import { Notify } from "./webhooks/Notify.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"
import { EventsHttpLayer } from "./streams/EventsHttp.ts"
import { WebhooksHttpLayer } from "./webhooks/WebhooksHttp.ts"

const ApiLayer = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    PostsHttpLayer,
    PostResultsHttpLayer,
    ClientReviewsHttpLayer,
    QueueHttpLayer,
    MediaHttpLayer,
    SocialAccountsHttpLayer,
    ProfileHttpLayer,
    WebhooksHttpLayer,
    NotificationsHttpLayer,
    EventsHttpLayer,
    ApiKeysHttpLayer,
    WorkspacesHttpLayer,
    AuditHttpLayer,
    Layer.merge(SessionHttpLayer, SecondFactorHttpLayer).pipe(Layer.provide(Browser.layer)),
    ConnectedAppsHttpLayer,
    InstanceHttpLayer,
    BackupsHttpLayer,
    PlatformAppsHttpLayer
  ]),
  Layer.merge(PostBridgeHttpLayer),
  Layer.provide([AuthorizationLayer, RequestProblemsLayer, PostProblemsLayer])
)

const PeopleLayer = Layer.mergeAll(
  SignInPagesLayer,
  ConsentPagesLayer,
  DevicePagesLayer,
  ApprovalsPagesLayer,
  Layer.merge(ConsolePagesLayer, ReviewPagesLayer).pipe(Layer.provide(ConsoleSite.layer)),
  AuthorizationServerHttpLayer
).pipe(Layer.provide(Browser.layer))

const Routes = Layer.mergeAll(
  ApiLayer,
  PeopleLayer,
  MediaFilesLayer,
  AvatarsHttpLayer,
  ConnectPagesLayer,
  McpRoutesLayer,
  UploadPagesLayer.pipe(Layer.provide(BrowserUploads.layer)),
  MetricsPageLayer,
  PagesLayer,
  ReferencePagesLayer
).pipe(
  Layer.provide([Admission.layer, ClientReviews.layer]),
  Layer.provide([NodeHttpServer.layerHttpServices, BlobStoreLayer])
)

/** The services behind the three faces and the engine, each above what it needs. */
export const Services = Layer.mergeAll(
  InstanceWorkspaces.layer,
  Profiles.layer,
  Connect.layer.pipe(Layer.provideMerge(PendingConnections.layer)),
  Posts.layer,
  PostApprovals.layer,
  PostCalendar.layer,
  AccountActivities.layer,
  PostOutcomes.layer,
  Publish.layer,
  Webhooks.layer,
  Notifications.layer
).pipe(
  Layer.provideMerge(AuthorizationServer.layer),
  Layer.provideMerge(
    Layer.mergeAll(ApiKeys.layer, Grants.layer, SignIns.layer.pipe(Layer.provideMerge(Members.layer)))
  ),
  Layer.provideMerge(
    Layer.mergeAll(PublishRequests.layer, SocialAccounts.layer, Queue.layer, Deliver.layer, Idempotency.layer)
  ),
  Layer.provideMerge(Layer.merge(TokenVault.layer, Avatars.layer)),
  Layer.provideMerge(
    Layer.mergeAll(MediaLayer, Workspaces.layer, Audit.layer, EngineLayer, DeliveryQueue.layer)
  ),
  Layer.provideMerge(Layer.merge(SocialAccountView.layer, PostMediaRepositoryLayer)),
  Layer.provideMerge(Layer.mergeAll(Platforms.layer, Spending.layer, CredentialCipher.layer)),
  Layer.provideMerge(Wakeup.layer)
)

const Database = Layer.unwrap(Effect.map(AppConfig, Sql.layer))

const Start = Layer.effectDiscard(connectDemoAccounts).pipe(Layer.provideMerge(SandboxProcessLayer))

/**
 * The socket is open first and says that the service starts. Requests are let in when everything is ready, and the
 * person is told last. At shutdown requests are refused first, while the engine and running work finish.
 */
export const App = Layer.effectDiscard(Effect.andThen(keepAddress, startupBanner)).pipe(
  Layer.provideMerge(OpenLayer),
  Layer.provideMerge(
    Layer.mergeAll(
      serve(Routes),
      SchedulerLayer,
      DeliveryLoopLayer.pipe(Layer.provide(Notify.layer)),
      ImporterLayer,
      RecurringLayer.pipe(Layer.provide([BlobStoreLayer, Idempotency.layer]))
    )
  ),
  Layer.provideMerge(Start),
  Layer.provideMerge(Services),
  Layer.provideMerge(DatabaseClock.layer),

  Layer.provideMerge(Layer.mergeAll(Database, Secrets.layer)),
  Layer.provideMerge(Listener.layer),
  Layer.provideMerge(DataDirectoryLayer),
  Layer.provideMerge(AppConfig.layer)
)
