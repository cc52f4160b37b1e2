export { Carillon } from "./Carillon.ts"
export {
  AuthenticationError,
  CarillonError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PublishFailedError,
  RateLimitError,
  ServiceError,
  TimeoutError,
  WebhookVerificationError
} from "./Errors.ts"
export { ListRequest, type ListPage } from "./ListRequest.ts"
export type { UploadProgress } from "./MediaUpload.ts"
export type { Backup } from "./resources/BackupsResource.ts"
export type { EventStreamOptions, StreamedEvent } from "./resources/EventsResource.ts"
export type { ImportOptions, UploadOptions } from "./resources/MediaResource.ts"
export type { ChangeOptions, WaitOptions } from "./resources/PostsResource.ts"
export type { ClientOptions, RequestOptions, SendOptions } from "./Transport.ts"
export type { UploadFile } from "./UploadSource.ts"
export { webhooks, type WebhookHeaders } from "./WebhookVerification.ts"
export type * from "./Wire.ts"
