import { words } from "./en.ts"
import { isPlayed, type OnNetwork } from "../data/networkName.ts"

/** Marks a network that the test network stands in for. */
export const TestMark = ({ of }: { readonly of: OnNetwork }) =>
  isPlayed(of) ? <span className="chip test">{words.testMark}</span> : null
