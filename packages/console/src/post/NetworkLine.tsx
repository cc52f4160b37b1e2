import { platformName } from "@carillon/domain/PlatformFacts"
import type { ReactNode } from "react"
import type { OnNetwork } from "../data/networkName.ts"
import { Glyph } from "../ui/Glyph.tsx"
import { TestMark } from "./TestMark.tsx"

interface Props {
  readonly of: OnNetwork
  /** Where it has another name than its network. */
  readonly name?: string
  readonly children: ReactNode
}

/** A network in a list, with what is said about it. */
export const NetworkLine = ({ children, name, of }: Props) => (
  <>
    <Glyph platform={of.platform} large />
    <span className="flex min-w-0 flex-1 flex-col text-sm text-soft">
      <strong className="text-base font-semibold text-ink">
        {name ?? platformName(of.platform)} <TestMark of={of} />
      </strong>
      <span>{children}</span>
    </span>
  </>
)
