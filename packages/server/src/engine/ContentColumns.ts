import {
  AccountConfiguration,
  MediaId,
  PlatformConfigurations,
  ThreadFallback,
  ThreadItem
} from "@carillon/domain"
import { Schema } from "effect"
import { column } from "../sql/Columns.ts"

/** The columns of `posts` that say what a post is. Clients send them, and a claim takes them to the platform. */
export const contentColumns = {
  caption: column("text", Schema.NullOr(Schema.String)),
  media: column("uuid[]", Schema.Array(MediaId)),
  thread: column("jsonb", Schema.NullOr(Schema.Array(ThreadItem))),
  thread_fallback: column("text", Schema.NullOr(ThreadFallback)),
  platform_configurations: column("jsonb", Schema.NullOr(PlatformConfigurations)),
  account_configurations: column("jsonb", Schema.NullOr(Schema.Array(AccountConfiguration))),
  processing_enabled: column("boolean", Schema.Boolean)
}

type ContentColumns = typeof contentColumns

export type StoredContent = {
  readonly [Name in keyof ContentColumns]: ContentColumns[Name]["schema"]["Type"]
}

/** What a post is of which nothing is said. */
export const emptyContent: StoredContent = {
  caption: null,
  media: [],
  thread: null,
  thread_fallback: null,
  platform_configurations: null,
  account_configurations: null,
  processing_enabled: true
}

type Document = {
  [Name in keyof ContentColumns]: ContentColumns[Name]["type"] extends "jsonb" ? Name : never
}[keyof ContentColumns]

/** Those that are JSON. */
export const contentDocuments = Object.fromEntries(
  Object.entries(contentColumns).filter(([, { type }]) => type === "jsonb")
) as Pick<ContentColumns, Document>
