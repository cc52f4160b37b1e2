import { words } from "./en.ts"
import { isPlayed, type OnNetwork } from "../data/networkName.ts"

/** Stands beside the name of a network that the test network plays. */
export const TestMark = ({ of }: { readonly of: OnNetwork }) =>
  isPlayed(of) ? <span className="chip test">{words.testMark}</span> : null
