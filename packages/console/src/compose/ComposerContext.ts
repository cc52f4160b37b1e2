import type { Media } from "@carillon/sdk"
import { createContext, use } from "react"
import type { Account } from "../data/accounts.ts"
import { type Action, emptyForm, type Form, type Level, type Tab } from "./Form.ts"
import type { Placed } from "./problems.ts"

/** What the parts of the composer show and do. It stays the same while a text is typed. */
interface ComposerContext {
  /** The form without its texts. */
  readonly outline: Form
  /** The chosen ones. */
  readonly accounts: ReadonlyArray<Account>
  readonly media: ReadonlyMap<string, Media>
  readonly problems: ReadonlyArray<Placed>
  readonly sentence: (placed: Placed) => string
  readonly tabs: ReadonlyArray<Tab>
  /** The one that is shown. */
  readonly tab: Tab
  readonly nameOf: (level: Level) => string
  readonly act: (action: Action) => void
  readonly onLevel: (level: Level) => void
  /** Gives a part of a level back to the level above it. */
  readonly onShare: (of: Exclude<Level, "everywhere">, part: "caption" | "media" | "thread") => void
  /** How many files of a field are still on their way. */
  readonly onUploading: (field: string | number, count: number) => void
}

export const ComposerContext = createContext<ComposerContext | null>(null)
export const useComposer = () => use(ComposerContext)!

/** What is being written. It changes with every key. */
export const FormContext = createContext<Form>(emptyForm)
