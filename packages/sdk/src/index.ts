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
export type { ImportOptions, UploadOptions } from "./resources/MediaResource.ts"
export type { WaitOptions } from "./resources/PostsResource.ts"
export type { ClientOptions, RequestOptions } from "./Transport.ts"
export { webhooks, type WebhookHeaders } from "./WebhookVerification.ts"
export type * from "./Wire.ts"
