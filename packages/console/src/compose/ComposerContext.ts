import type { Media } from "@carillon/sdk"
import { createContext, use } from "react"
import type { Account } from "../data/accounts.ts"
import { type Action, emptyForm, type Form, type Level, type Tab } from "./Form.ts"
import type { Placed } from "./problems.ts"

/** What the parts of the composer share. It keeps its identity while a text is typed. */
interface ComposerContext {
  /** The form without its texts. */
  readonly outline: Form
  /** The selected accounts. */
  readonly accounts: ReadonlyArray<Account>
  readonly media: ReadonlyMap<string, Media>
  readonly problems: ReadonlyArray<Placed>
  readonly sentence: (placed: Placed) => string
  readonly tabs: ReadonlyArray<Tab>
  /** The tab that is shown. */
  readonly tab: Tab
  readonly nameOf: (level: Level) => string
  readonly act: (action: Action) => void
  readonly onLevel: (level: Level) => void
  /** Drops a part of a level, which then comes from the level above. */
  readonly onShare: (of: Exclude<Level, "everywhere">, part: "caption" | "media" | "thread") => void
  /** How many files of a field are still uploading. */
  readonly onUploading: (field: string | number, count: number) => void
}

export const ComposerContext = createContext<ComposerContext | null>(null)
export const useComposer = () => use(ComposerContext)!

/** The form, which changes with every keystroke. */
export const FormContext = createContext<Form>(emptyForm)
