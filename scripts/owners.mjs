// Which room of the server writes which table. `rooms.mjs` holds the SQL against this, and docs/architecture.md shows it.

/** The tables of each room. Others read them. */
export const owners = {
  accounts: ["social_accounts", "account_connections"],
  audit: ["audit_entries"],
  auth: [
    "api_keys",
    "members",
    "memberships",
    "sessions",
    "owner_links",
    "invitations",
    "grants",
    "totp_secrets",
    "recovery_codes",
    "passkeys"
  ],
  backup: ["backup_runs"],
  engine: ["targets", "attempts", "commits", "remote_posts"],
  events: ["events", "listeners"],
  http: ["idempotency_keys", "throttles"],
  // A trigger on `media` keeps `media_usage`.
  media: ["media", "media_imports", "media_usage"],
  oauth: ["oauth_records"],
  platforms: ["platform_apps", "platform_quotas", "mastodon_apps", "twitter_spending"],
  posts: ["posts", "post_media", "dismissed_results", "repairs"],
  reviews: ["review_links", "client_reviews"],
  webhooks: ["webhooks", "webhook_deliveries"],
  workspaces: ["workspaces", "queues"]
}

/** The rooms that write another's table, and why. At most five. */
export const exceptions = [
  {
    table: "posts",
    room: "engine",
    reason: "A post's status follows from its targets in the statement that settles them."
  },
  {
    table: "targets",
    room: "posts",
    reason:
      "A post and its targets are created, changed and sent again together; creation is one statement. What a review found changes both, too."
  },
  {
    table: "social_accounts",
    room: "engine",
    reason:
      "An account is paused, or has to be connected again, in the transaction that holds back its targets."
  },
  {
    table: "webhook_deliveries",
    room: "events",
    reason: "An event is stored with its deliveries, in the statement that makes the change."
  },
  {
    table: "oauth_records",
    room: "auth",
    reason: "When a grant ends or changes, its tokens end or change with it, and `oauth` stands above."
  }
]

/** A restore writes every table. */
export const writesAll = "backup"
