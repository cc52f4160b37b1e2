import { HttpApi, OpenApi } from "effect/http-api"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { AuditApi } from "./AuditApi.ts"
import { BackupsApi } from "./BackupsApi.ts"
import { ClientReviewsApi } from "./ClientReviewsApi.ts"
import { ConnectedAppsApi } from "./ConnectedAppsApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { InstanceApi } from "./InstanceApi.ts"
import { completeDocument } from "./OpenApiDocument.ts"
import { MediaApi } from "./MediaApi.ts"
import { NotificationsApi } from "./NotificationsApi.ts"
import { PostResultsApi } from "./PostResultsApi.ts"
import { PlatformAppsApi } from "./PlatformAppsApi.ts"
import { PostsApi } from "./PostsApi.ts"
import { ProfileApi } from "./ProfileApi.ts"
import { QueueApi } from "./QueueApi.ts"
import { SecondFactorApi } from "./SecondFactorApi.ts"
import { SessionApi } from "./SessionApi.ts"
import { SocialAccountsApi } from "./SocialAccountsApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"
import { WorkspacesApi } from "./WorkspacesApi.ts"

const Contract = HttpApi.make("carillon")
  .add(PostsApi)
  .add(PostResultsApi)
  .add(ClientReviewsApi)
  .add(QueueApi)
  .add(MediaApi)
  .add(SocialAccountsApi)
  .add(WebhooksApi)
  .add(NotificationsApi)
  .add(EventsApi)
  .add(ProfileApi)
  .add(ApiKeysApi)
  .add(WorkspacesApi)
  .add(AuditApi)
  .add(SessionApi)
  .add(SecondFactorApi)
  .add(ConnectedAppsApi)
  .add(InstanceApi)
  .add(BackupsApi)
  .add(PlatformAppsApi)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  // Strict for requests only: for answers it would turn an extra column into a 500.
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error", reportInput: true })
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error", reportInput: true })
  .annotate(HttpApi.HeadersParseOptions, {})
  .annotateMerge(
    OpenApi.annotations({
      title: "Carillon",
      version: "1",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description:
        "Schedule and publish social posts: upload media, write one post, and it goes out at the right second, once."
    })
  )

/** The whole REST contract under `/v1`. The server implements it; the SDK, the CLI and `/docs` are derived from it. */
export class Api extends Contract.annotateMerge(
  OpenApi.annotations({ transform: completeDocument(Contract) })
) {}

/** The document of the instance at this address; who runs it is reached there. */
export const openApiDocument = (publicUrl: string) => {
  const document = OpenApi.fromApi(Api)
  return {
    ...document,
    info: { ...document.info, contact: { name: "The operator of this instance", url: publicUrl } },
    servers: [{ url: publicUrl }]
  }
}
