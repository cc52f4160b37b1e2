// What a command line or a file says of posts, and how that becomes requests. Loads no Effect.
export * from "./AccountChoice.ts"
export * from "./Attachments.ts"
export * from "./PostFile.ts"
export * from "./PostPlan.ts"
export * from "./PostRow.ts"
export * from "./RowThread.ts"
export * from "./Settings.ts"
export { Unusable } from "./Unusable.ts"
