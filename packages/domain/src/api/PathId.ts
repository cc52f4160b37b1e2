import { Schema } from "effect"

/** An id in a path. Any text is accepted: text that is no id is answered like an id that does not exist. */
export const PathId = (of: string) =>
  Schema.String.annotate({
    description: `The \`id\` of ${of}; 404 if it does not exist or the credential may not see it.`
  })
