import { AccountsResource } from "./resources/AccountsResource.ts"
import { ApiKeysResource } from "./resources/ApiKeysResource.ts"
import { AuditResource } from "./resources/AuditResource.ts"
import { BackupsResource } from "./resources/BackupsResource.ts"
import { ClientReviewsResource } from "./resources/ClientReviewsResource.ts"
import { ConnectedAppsResource } from "./resources/ConnectedAppsResource.ts"
import { EventsResource } from "./resources/EventsResource.ts"
import { InstanceResource } from "./resources/InstanceResource.ts"
import { MediaResource } from "./resources/MediaResource.ts"
import { NotificationsResource } from "./resources/NotificationsResource.ts"
import { PlatformAppsResource } from "./resources/PlatformAppsResource.ts"
import { PostsResource } from "./resources/PostsResource.ts"
import { ProfileResource } from "./resources/ProfileResource.ts"
import { QueueResource } from "./resources/QueueResource.ts"
import { ResultsResource } from "./resources/ResultsResource.ts"
import { SecondFactorResource } from "./resources/SecondFactorResource.ts"
import { SessionResource } from "./resources/SessionResource.ts"
import { WebhooksResource } from "./resources/WebhooksResource.ts"
import { WorkspacesResource } from "./resources/WorkspacesResource.ts"
import { type ClientOptions, Transport } from "./Transport.ts"

/**
 * The client of a Carillon service.
 *
 * ```ts
 * const carillon = new Carillon({ apiKey: "crl_..." })
 * const picture = await carillon.media.upload("./bells.jpg")
 * const post = await carillon.posts.create({ social_accounts: [1], caption: "Evening bells", media: [picture.id] })
 * ```
 *
 * Answers are the service's JSON as it is (`snake_case`, times as ISO 8601 strings). Failures are subclasses of
 * `CarillonError`. A call without an answer, or with 429 or 5xx, is retried and takes effect once: each call that makes
 * something has an idempotency key of its own.
 */
export class Carillon {
  readonly accounts: AccountsResource
  readonly apiKeys: ApiKeysResource
  readonly audit: AuditResource
  readonly backups: BackupsResource
  readonly clientReviews: ClientReviewsResource
  readonly events: EventsResource
  readonly instance: InstanceResource
  readonly media: MediaResource
  readonly notifications: NotificationsResource
  readonly platformApps: PlatformAppsResource
  readonly posts: PostsResource
  readonly profile: ProfileResource
  readonly queue: QueueResource
  readonly results: ResultsResource
  readonly connectedApps: ConnectedAppsResource
  readonly secondFactor: SecondFactorResource
  readonly session: SessionResource
  readonly webhooks: WebhooksResource
  readonly workspaces: WorkspacesResource

  /** @throws AuthenticationError when there is no API key */
  constructor(options: ClientOptions = {}) {
    const transport = new Transport(options)
    this.accounts = new AccountsResource(transport)
    this.apiKeys = new ApiKeysResource(transport)
    this.audit = new AuditResource(transport)
    this.backups = new BackupsResource(transport)
    this.clientReviews = new ClientReviewsResource(transport)
    this.events = new EventsResource(transport)
    this.instance = new InstanceResource(transport)
    this.media = new MediaResource(transport)
    this.notifications = new NotificationsResource(transport)
    this.platformApps = new PlatformAppsResource(transport)
    this.posts = new PostsResource(transport)
    this.profile = new ProfileResource(transport)
    this.queue = new QueueResource(transport)
    this.results = new ResultsResource(transport)
    this.connectedApps = new ConnectedAppsResource(transport)
    this.secondFactor = new SecondFactorResource(transport)
    this.session = new SessionResource(transport)
    this.webhooks = new WebhooksResource(transport)
    this.workspaces = new WorkspacesResource(transport)
  }
}
