import { SocialAccountView } from "@carillon/server/accounts/SocialAccountView"
import type { SocialAccountRow } from "@carillon/server/accounts/SocialAccountRepository"
import { SocialAccountId } from "@carillon/domain"
import { Effect, Layer } from "effect"

const shown = ({ avatar_version: _, remote_id: __, workspace_id: ___, ...row }: SocialAccountRow) => ({
  ...row,
  network: "real" as const,
  permissions: null,
  warning: null,
  avatar_url: null,
  id: SocialAccountId.make(row.id),
  needs_reconnect: row.status === "needs_reconnect"
})

/** Accounts as they are shown where no platform is at hand. */
export const PlainAccounts = Layer.succeed(
  SocialAccountView,
  SocialAccountView.of({
    one: (row) => Effect.succeed(shown(row)),
    all: (rows) => Effect.succeed(rows.map(shown))
  })
)
