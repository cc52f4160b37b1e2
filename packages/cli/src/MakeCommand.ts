import type { Command } from "@commander-js/extra-typings"
import type { OpenSession } from "./Session.ts"

/** Makes a command; `program` is the whole tree, for commands that describe it. */
export type MakeCommand = (open: OpenSession, program: Command<any, any, any>) => Command<any, any, any>
