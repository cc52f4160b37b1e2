import type * as Domain from "@carillon/domain"
import type { DateTime } from "effect"

// The shapes as they are in the JSON, taken from the contract: times are ISO 8601 strings, ids plain strings or numbers.

export type Post = (typeof Domain.Post)["Encoded"]
export type PostSummary = (typeof Domain.PostSummary)["Encoded"]
export type PostList = (typeof Domain.PostList)["Encoded"]
export type PostDeleted = (typeof Domain.PostDeleted)["Encoded"]
export type CreatedBy = (typeof Domain.CreatedBy)["Encoded"]
export type UpdatedBy = (typeof Domain.UpdatedBy)["Encoded"]
export type PostStatus = Domain.PostStatus
export type Progress = (typeof Domain.Progress)["Encoded"]
export type CreatePost = (typeof Domain.CreatePost)["Encoded"]
export type UpdatePost = (typeof Domain.UpdatePost)["Encoded"]
export type PostValid = (typeof Domain.PostValid)["Encoded"]
export type Approval = (typeof Domain.Approval)["Encoded"]
export type ApprovePost = (typeof Domain.ApprovePost)["Encoded"]
export type RequestApproval = (typeof Domain.RequestApproval)["Encoded"]
export type RefusePost = (typeof Domain.RefusePost)["Encoded"]
export type RetryPost = (typeof Domain.RetryPost)["Encoded"]
export type PlatformConfigurations = (typeof Domain.PlatformConfigurations)["Encoded"]
export type AccountConfiguration = (typeof Domain.AccountConfiguration)["Encoded"]
export type Calendar = (typeof Domain.Calendar)["Encoded"]
export type CalendarDay = (typeof Domain.CalendarDay)["Encoded"]
export type CalendarPost = (typeof Domain.CalendarPost)["Encoded"]
export type CalendarFilter = Query<typeof Domain.CalendarFilter>
export type PostFilter = Query<typeof Domain.PostFilter>

export type Attempt = (typeof Domain.Attempt)["Encoded"]
export type PostResult = (typeof Domain.PostResult)["Encoded"]
export type SinglePostResult = (typeof Domain.SinglePostResult)["Encoded"]
export type ResultStatus = Domain.ResultStatus
export type WaitingFor = Domain.WaitingFor
export type ResultError = (typeof Domain.ResultError)["Encoded"]
export type ResultAction = Domain.ResultAction
export type PostResultList = (typeof Domain.PostResultList)["Encoded"]
export type ConfirmResult = (typeof Domain.ConfirmResult)["Encoded"]
export type DismissResult = (typeof Domain.DismissResult)["Encoded"]
export type PostResultFilter = Query<typeof Domain.PostResultFilter>

export type Queue = (typeof Domain.Queue)["Encoded"]
export type PutQueue = (typeof Domain.PutQueue)["Encoded"]
export type Slot = (typeof Domain.Slot)["Encoded"]
export type FreeSlot = (typeof Domain.FreeSlot)["Encoded"]
export type FreeSlotList = (typeof Domain.FreeSlotList)["Encoded"]
export type FreeSlotFilter = Query<typeof Domain.FreeSlotFilter>

export type Media = (typeof Domain.Media)["Encoded"]
export type MediaList = (typeof Domain.MediaList)["Encoded"]
export type MediaDeleted = (typeof Domain.MediaDeleted)["Encoded"]
export type MediaFilter = Query<typeof Domain.MediaFilter>
export type MimeType = Domain.MimeType
export type UploadReservation = (typeof Domain.UploadReservation)["Encoded"]
export type ImportMedia = (typeof Domain.ImportMedia)["Encoded"]
export type UpdateMedia = (typeof Domain.UpdateMedia)["Encoded"]
export type ReserveUpload = (typeof Domain.ReserveUpload)["Encoded"]

export type SocialAccount = (typeof Domain.SocialAccount)["Encoded"]
export type SocialAccountList = (typeof Domain.SocialAccountList)["Encoded"]
export type SocialAccountDeleted = (typeof Domain.SocialAccountDeleted)["Encoded"]
export type SocialAccountFilter = Query<typeof Domain.SocialAccountFilter>
export type UpdateSocialAccount = (typeof Domain.UpdateSocialAccount)["Encoded"]
export type ConnectAccount = (typeof Domain.ConnectAccount)["Encoded"]
export type StartConnect = (typeof Domain.StartConnect)["Encoded"]
export type ConnectStarted = (typeof Domain.ConnectStarted)["Encoded"]
export type ConnectLinkRequest = (typeof Domain.ConnectLinkRequest)["Encoded"]
export type ConnectLink = (typeof Domain.ConnectLink)["Encoded"]
export type OfferedAccount = (typeof Domain.OfferedAccount)["Encoded"]
export type PendingConnection = (typeof Domain.PendingConnection)["Encoded"]
export type PendingConnectionFilter = Query<typeof Domain.PendingConnectionFilter>
export type ChooseAccounts = (typeof Domain.ChooseAccounts)["Encoded"]
export type ChosenAccounts = (typeof Domain.ChosenAccounts)["Encoded"]
export type SocialAccountOptions = (typeof Domain.SocialAccountOptions)["Encoded"]
export type SocialAccountStatus = Domain.SocialAccountStatus
export type PlatformId = Domain.PlatformId

export type BackupSchedule = (typeof Domain.BackupSchedule)["Encoded"]
export type CreateBackup = (typeof Domain.CreateBackup)["Encoded"]

export type Webhook = (typeof Domain.Webhook)["Encoded"]
export type NewWebhook = (typeof Domain.NewWebhook)["Encoded"]
export type WebhookList = (typeof Domain.WebhookList)["Encoded"]
export type WebhookFilter = Query<typeof Domain.WebhookFilter>
export type WebhookDeleted = (typeof Domain.WebhookDeleted)["Encoded"]
export type CreateWebhook = (typeof Domain.CreateWebhook)["Encoded"]
export type UpdateWebhook = (typeof Domain.UpdateWebhook)["Encoded"]
export type WebhookDelivery = (typeof Domain.WebhookDelivery)["Encoded"]
export type WebhookDeliveryList = (typeof Domain.WebhookDeliveryList)["Encoded"]
export type WebhookDeliveryFilter = Query<typeof Domain.WebhookDeliveryFilter>
export type Notifications = (typeof Domain.Notifications)["Encoded"]
export type NotificationAttempt = (typeof Domain.NotificationAttempt)["Encoded"]
export type NotificationEvent = Domain.NotificationEvent
export type NotificationFormat = Domain.NotificationFormat
export type SetNotifications = (typeof Domain.SetNotifications)["Encoded"]
export type NotificationsDeleted = (typeof Domain.NotificationsDeleted)["Encoded"]
export type WebhookEvent = (typeof Domain.Event)["Encoded"]
export type WebhookEventType = Domain.EventType

export type Instance = (typeof Domain.Instance)["Encoded"]
export type InstanceChecks = (typeof Domain.InstanceChecks)["Encoded"]

export type PlatformApp = (typeof Domain.PlatformApp)["Encoded"]
export type PlatformAppName = Domain.PlatformAppName
export type PlatformAppList = (typeof Domain.PlatformAppList)["Encoded"]
export type SetPlatformApp = (typeof Domain.SetPlatformApp)["Encoded"]
export type TestPlatformApp = (typeof Domain.TestPlatformApp)["Encoded"]
export type PlatformAppTest = (typeof Domain.PlatformAppTest)["Encoded"]
export type PlatformAppRemoved = (typeof Domain.PlatformAppRemoved)["Encoded"]

export type Profile = (typeof Domain.Profile)["Encoded"]
export type UpdateProfile = (typeof Domain.UpdateProfile)["Encoded"]

export type ApiKey = (typeof Domain.ApiKey)["Encoded"]
export type NewApiKey = (typeof Domain.NewApiKey)["Encoded"]
export type CreateApiKey = (typeof Domain.CreateApiKey)["Encoded"]
export type ApiKeyList = (typeof Domain.ApiKeyList)["Encoded"]
export type ApiKeyFilter = Query<typeof Domain.ApiKeyFilter>
export type ApiKeyDeleted = (typeof Domain.ApiKeyDeleted)["Encoded"]
export type Role = Domain.Role
export type Scope = Domain.Scope

export type Workspace = (typeof Domain.Workspace)["Encoded"]
export type NewWorkspace = (typeof Domain.NewWorkspace)["Encoded"]
export type CreateWorkspace = (typeof Domain.CreateWorkspace)["Encoded"]
export type WorkspaceList = (typeof Domain.WorkspaceList)["Encoded"]
export type WorkspaceFilter = Query<typeof Domain.WorkspaceFilter>

export type ReviewLink = (typeof Domain.ReviewLink)["Encoded"]
export type NewReviewLink = (typeof Domain.NewReviewLink)["Encoded"]
export type CreateReviewLink = (typeof Domain.CreateReviewLink)["Encoded"]
export type ReviewLinkList = (typeof Domain.ReviewLinkList)["Encoded"]
export type ReviewLinkRevoked = (typeof Domain.ReviewLinkRevoked)["Encoded"]
export type ClientReview = (typeof Domain.ClientReview)["Encoded"]
export type ClientReviewList = (typeof Domain.ClientReviewList)["Encoded"]

export type ConnectedApp = (typeof Domain.ConnectedApp)["Encoded"]
export type ConnectedAppList = (typeof Domain.ConnectedAppList)["Encoded"]
export type UpdateConnectedApp = (typeof Domain.UpdateConnectedApp)["Encoded"]
export type ConnectedAppDisconnected = (typeof Domain.ConnectedAppDisconnected)["Encoded"]

export type ConfirmPassword = (typeof Domain.ConfirmPassword)["Encoded"]
export type ChangePassword = (typeof Domain.ChangePassword)["Encoded"]
export type Session = (typeof Domain.Session)["Encoded"]
export type SessionList = (typeof Domain.SessionList)["Encoded"]
export type SessionEnded = (typeof Domain.SessionEnded)["Encoded"]
export type SessionsEnded = (typeof Domain.SessionsEnded)["Encoded"]
export type PasswordConfirmed = (typeof Domain.PasswordConfirmed)["Encoded"]

export type SecondFactor = (typeof Domain.SecondFactor)["Encoded"]
export type TotpSecret = (typeof Domain.TotpSecret)["Encoded"]
export type SetTotp = (typeof Domain.SetTotp)["Encoded"]
export type TotpDeleted = (typeof Domain.TotpDeleted)["Encoded"]
export type RecoveryCodes = (typeof Domain.RecoveryCodes)["Encoded"]
export type Passkey = (typeof Domain.Passkey)["Encoded"]
export type PasskeyOptions = (typeof Domain.PasskeyOptions)["Encoded"]
export type AddPasskey = (typeof Domain.AddPasskey)["Encoded"]
export type PasskeyDeleted = (typeof Domain.PasskeyDeleted)["Encoded"]

export type AuditEntry = (typeof Domain.AuditEntry)["Encoded"]
export type AuditAction = Domain.AuditAction
export type AuditActor = (typeof Domain.AuditActor)["Encoded"]
export type AuditSubject = (typeof Domain.AuditSubject)["Encoded"]
export type AuditEntryList = (typeof Domain.AuditEntryList)["Encoded"]
export type AuditFilter = Query<typeof Domain.AuditFilter>

export type ProblemItem = (typeof Domain.ProblemItem)["Encoded"]
export type ProblemCode = Domain.ProblemCode

/** A filter as one writes it: numbers as numbers, one value or several, times as ISO 8601 or `Date`. */
type Query<Schema extends { readonly Type: object; readonly Encoded: object }> = {
  readonly [Key in keyof Schema["Type"]]?: Value<
    NonNullable<Schema["Type"][Key]>,
    Key extends keyof Schema["Encoded"] ? NonNullable<Schema["Encoded"][Key]> : never
  >
}

type Value<Type, Encoded> =
  Type extends ReadonlyArray<infer Item extends string>
    ? OneOrMore<string extends Item ? string | number : Item>
    : Type extends DateTime.DateTime
      ? string | Date
      : Type extends number | boolean
        ? Type
        : Encoded

type OneOrMore<Item> = Item | ReadonlyArray<Item>
