import {
  type AuditActor,
  type PlatformId,
  type SocialAccount,
  SocialAccountId,
  type SocialAccountStatus,
  truncate,
  type WorkspaceId
} from "@carillon/domain"
import { DateTime, Effect, Random } from "effect"
import { SqlClient } from "effect/sql"
import { Audit } from "../audit/Audit.ts"
import { CredentialCipher, owner } from "../crypto/CredentialCipher.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"
import type { ConnectedAccount, Credentials } from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { AccountEvents } from "./AccountEvents.ts"
import { Avatars } from "./Avatars.ts"
import { DemoAccountRepository } from "./DemoAccountRepository.ts"
import {
  type AvatarPicture,
  SocialAccountRepository,
  type SocialAccountRow
} from "./SocialAccountRepository.ts"
import { SocialAccountView } from "./SocialAccountView.ts"
import { tokenTimes } from "./TokenTimes.ts"

/** What a platform tells of an account is shown in every list of accounts. */
const longestName = 300
const longestAddress = 2048

/** A name as it is stored. */
export const storedName = (name: string) => truncate(name, longestName)

export interface AccountStore {
  /** Stores an account that `actor` has just connected; the same remote account again is renewed and keeps its id. */
  store(
    actor: AuditActor | null,
    workspaceId: WorkspaceId,
    platform: PlatformId,
    connected: ConnectedAccount
  ): Effect.Effect<SocialAccount>
  /** The same for several, all or none, in one transaction with what has to go with it. null: `begin` said no. */
  storeAll(
    actor: AuditActor | null,
    workspaceId: WorkspaceId,
    platform: PlatformId,
    connected: ReadonlyArray<ConnectedAccount>,
    together: {
      readonly begin: Effect.Effect<boolean>
      readonly end: (accounts: ReadonlyArray<SocialAccount>) => Effect.Effect<void>
    }
  ): Effect.Effect<ReadonlyArray<SocialAccount> | null>
  /** Those that the workspace has, by their ids at the platform. */
  known(
    workspaceId: WorkspaceId,
    platform: PlatformId,
    accounts: ReadonlyArray<ConnectedAccount>
  ): Effect.Effect<
    ReadonlyMap<string, { readonly id: SocialAccountId; readonly status: SocialAccountStatus }>
  >
}

/** `forget`: what was known of the account's destinations; the person may have allowed more this time. */
export const makeAccountStore = Effect.fnUntraced(function* (forget: (id: number) => Effect.Effect<void>) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* AccountEvents
  const repository = yield* SocialAccountRepository
  const demos = yield* DemoAccountRepository
  const platforms = yield* Platforms
  const cipher = yield* CredentialCipher
  const queue = yield* TargetQueue
  const audit = yield* Audit
  const view = yield* SocialAccountView
  const avatars = yield* Avatars

  const known: AccountStore["known"] = Effect.fnUntraced(function* (workspaceId, platform, accounts) {
    const rows = yield* repository.known(workspaceId, platform, accounts.flatMap(idsOf))
    return new Map(
      accounts.flatMap((account) => {
        const row = rows.find(({ remote_id }) => idsOf(account).includes(remote_id))
        return row === undefined
          ? []
          : [[account.remote_id, { id: SocialAccountId.make(row.id), status: row.status }] as const]
      })
    )
  })

  const replaceDemo = Effect.fnUntraced(function* (
    { platform, workspace_id }: SocialAccountRow,
    credentials: Credentials
  ) {
    const network = yield* Effect.orElseSucceed(platforms.networkOf(platform, credentials), () => "real")
    if (network === "real") yield* demos.replace(workspace_id, [platform])
  })

  /** In a transaction. */
  const storeOne = Effect.fnUntraced(function* (
    actor: AuditActor | null,
    workspaceId: WorkspaceId,
    platform: PlatformId,
    connected: ConnectedAccount,
    picture: AvatarPicture | null
  ) {
    const {
      credentials,
      default_board_id = null,
      demo = false,
      former_remote_id,
      limits = null,
      scopes = null,
      ...account
    } = connected
    const now = yield* DateTime.now
    const ids = idsOf(connected)
    const stored = ids.length === 1 ? [] : yield* repository.known(workspaceId, platform, ids)
    const remote_id = ids.find((id) => stored.some((row) => row.remote_id === id)) ?? account.remote_id
    const { was_known, ...row } = yield* repository.connect({
      ...account,
      remote_id,
      username: storedName(account.username),
      display_name: account.display_name === null ? null : storedName(account.display_name),
      avatar_url: pictureOf(account),
      ...(picture ?? { avatar: null, avatar_version: null }),
      default_board_id,
      limits,
      granted_scopes: scopes,
      ...(demo ? { demo: "active" as const } : {}),
      ...tokenTimes(now, account.token_expires_at, yield* Random.next),
      workspace_id: workspaceId,
      platform,
      credentials: cipher.encrypt(owner(platform, remote_id), credentials),
      connected_at: now
    })
    if (row.demo === null) yield* replaceDemo(row, credentials)
    yield* events.connected(row)
    yield* audit.record({
      workspace_id: workspaceId,
      actor,
      action: was_known ? "account.reconnected" : "account.connected",
      subject: auditSubject(row)
    })
    yield* queue.resumeAccount(row.id)
    yield* forget(row.id)
    return yield* view.one(row)
  })

  const storeAll: AccountStore["storeAll"] = Effect.fn("SocialAccounts.storeAll")(function* (
    actor,
    workspaceId,
    platform,
    connected,
    { begin, end }
  ) {
    const pictures = new Map<ConnectedAccount, AvatarPicture | null>()
    yield* Effect.forEach(
      connected,
      (account) =>
        Effect.map(avatars.fetch(workspaceId, pictureOf(account)), (picture) =>
          pictures.set(account, picture)
        ),
      { concurrency: 8, discard: true }
      // The others come at the next start.
    ).pipe(Effect.timeoutOption("10 seconds"))
    return yield* Effect.gen(function* () {
      if (!(yield* begin)) return null
      const stored = new Map<ConnectedAccount, SocialAccount>()
      // Two that store the same accounts lock them in one order.
      for (const account of connected.toSorted((a, b) => (a.remote_id < b.remote_id ? -1 : 1))) {
        const picture = pictures.get(account) ?? null
        stored.set(account, yield* storeOne(actor, workspaceId, platform, account, picture))
      }
      const accounts = connected.map((account) => stored.get(account)!)
      yield* end(accounts)
      return accounts
    }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
  })

  const store: AccountStore["store"] = (actor, workspaceId, platform, connected) =>
    storeAll(actor, workspaceId, platform, [connected], {
      begin: Effect.succeed(true),
      end: () => Effect.void
    }).pipe(Effect.map((accounts) => accounts![0]!))

  return { known, store, storeAll } satisfies AccountStore
})

/** An account in the trail. */
export const auditSubject = ({
  id,
  platform,
  username
}: Pick<SocialAccountRow, "id" | "platform" | "username">) =>
  ({ type: "account", id: String(id), name: `${platform}/@${username}` }) as const

const idsOf = ({ former_remote_id, remote_id }: ConnectedAccount) =>
  former_remote_id === undefined ? [remote_id] : [remote_id, former_remote_id]

const pictureOf = ({ avatar_url }: Pick<ConnectedAccount, "avatar_url">) =>
  (avatar_url?.length ?? 0) > longestAddress ? null : avatar_url
