import type { migrations } from "./Migrations.ts"

/**
 * What each migration does, for the person who upgrades. It says so where it reads or rewrites a table that may be large:
 * others wait for that table meanwhile.
 */
export const migrationSentences: Readonly<Record<keyof typeof migrations, string>> = {
  "0100_schema": "makes the tables of 0.1.0",
  "0101_pending_connections": "lets a client choose among the accounts of a sign-in",
  "0102_costs": "adds what X costs, by month and by post; reads every result once, for an index of few",
  "0103_demo_accounts": "marks the demo accounts of the test network",
  "0104_granted_scopes": "keeps which permissions an account was given; nothing is rewritten",
  "0105_reviews":
    "adds when a network is asked about its review of a post; reads every result twice, for two indexes of few",
  "0106_approvals": "finds posts by their approval; reads every post once, for an index of few",
  "0108_sessions": "keeps where each session was begun",
  "0109_listeners": "adds who listens to events; nothing is rewritten",
  "0111_notifications": "adds the address that people are told at; nothing is rewritten",
  "0112_members": "adds roles, invitations, and who made a key or a webhook; nothing is rewritten",
  "0113_second_factor": "adds authenticator apps, recovery codes and passkeys; nothing is rewritten",
  "0114_askers": "says of each request for an approval who asked; rewrites the few posts that have one",
  "0115_client_reviews":
    "adds the links by which clients review posts, and what they say; nothing is rewritten"
}
