import { Schema } from "effect"

/** An id in a path. Any text is taken: what is no id is answered like one that does not exist. */
export const PathId = (of: string) => Schema.String.annotate({ description: `The id of ${of}.` })
