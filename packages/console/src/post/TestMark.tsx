import { words } from "./en.ts"
import { isPlayed, type OnNetwork } from "../data/networkName.ts"

/** Marks a network that the test network stands in for. */
export const TestMark = ({ of }: { readonly of: OnNetwork }) =>
  isPlayed(of) ? <span className={mark}>{words.testMark}</span> : null

const mark =
  "flex-none rounded-control border border-dashed border-edge px-1 align-middle text-xs font-semibold text-soft"
