import type { migrations } from "./Migrations.ts"

/**
 * What each migration does, for the person who upgrades. It says so where it reads or rewrites a table that may be large:
 * others wait for that table meanwhile.
 */
export const migrationSentences: Readonly<Record<keyof typeof migrations, string>> = {
  "0001_first": "makes the tables of workspaces, keys, accounts, media, posts and targets",
  "0002_idempotency_keys": "makes the table of idempotency keys",
  "0003_media_imports":
    "makes the table of media that are fetched from a URL; reads the whole table media once",
  "0004_queue": "makes the table of queues; makes two indexes over all posts",
  "0005_events": "makes the tables of webhooks, events and deliveries",
  "0008_engine": "gives the engine's targets their next step; rewrites many rows and all indexes of targets",
  "0009_lists":
    "orders lists by one column; rewrites the whole table posts, and indexes of posts, targets and media",
  "0010_token_refresh": "makes room in social_accounts for the renewal of tokens",
  "0011_connect": "makes the table of connections that are under way",
  "0013_platform_quotas": "makes the table of platforms' daily quotas",
  "0018_engine_plans": "makes two indexes of targets anew",
  "0019_engine_writes": "rewrites the whole table targets and its indexes, so that claims cost less",
  "0020_media_lists": "makes the indexes of media anew",
  "0021_members": "makes the tables of members and their sessions",
  "0022_oauth": "makes the tables of connected apps",
  "0023_boards": "adds boards to targets and accounts, without a rewrite",
  "0025_device_sign_in": "lets an app be connected without a redirect",
  "0026_approvals": "adds approvals to posts, with an index that reads the whole table once",
  "0027_engine_room": "leaves more room on new pages of targets; rewrites nothing",
  "0028_holders": "adds the holder to targets, without a rewrite",
  "0029_limited_admin_keys": "takes the scope admin from keys that are limited to some accounts",
  "0030_audit": "makes the table of the audit trail",
  "0031_media_usage": "counts the bytes that each workspace holds; reads the whole table media once",
  "0032_target_states": "takes a state that nothing was ever in from targets; reads the whole table once",
  "0033_holders_of_loops": "adds the holder to deliveries and imports, without a rewrite",
  "0034_password_given": "notes when each session gave its password; rewrites the small table sessions",
  "0035_alt_text": "adds the description of media; nothing is rewritten",
  "0036_created_by": "adds to posts who made them; nothing is rewritten",
  "0037_backup_runs": "makes the table of scheduled backups",
  "0038_avatars": "gives accounts a picture of their own",
  "0039_platform_apps": "makes the table of the apps that are entered in the console",
  "0040_default_audience": "adds the default audience to accounts",
  "0041_updated_by": "adds to posts who changed them last; nothing is rewritten",
  "0042_access_ends": "adds the end of their access to accounts",
  "0043_dismissed_results": "makes the table of the failures that are left as they are",
  "0044_chains": "adds chains to posts and targets; nothing is rewritten",
  "0045_mastodon_apps": "makes the table of this service's apps at Mastodon servers",
  "0046_account_limits": "adds the limits of their servers to accounts",
  "0047_broken_chains": "makes an index of the chains that broke off",
  "0048_password_set_at": "notes when each member chose the password; nothing is rewritten",
  "0049_repairs": "makes the table of the posts that repair failures",
  "0050_dated_at":
    "dates posts at their publication, and drafts without a time at none; rewrites the whole table posts and its indexes",
  "0051_redirect_addresses":
    "adds the redirect address to connections that are under way; nothing is rewritten",
  "0052_device_generation":
    "counts how often the browsers of each member were forgotten; nothing is rewritten",
  "0053_allowed_clients": "notes which apps a person has allowed; rewrites those that registered themselves",
  "0054_remote_posts":
    "makes the table of the posts that look-ups must tell apart; reads the whole table targets once",
  "0055_reserved_by":
    "adds to media who reserved them; makes an index of open reservations, which reads the whole table",
  "0056_failed_tries":
    "makes an index of the results that are tried again, which reads the whole table targets",
  "0057_published_by_account":
    "makes an index of what was published to each account, which reads the whole table targets"
}
