import { platformName } from "@carillon/domain/PlatformFacts"

/** As much of an account as names its network; less where the account is not known. */
export interface OnNetwork {
  readonly platform: string
  readonly network?: "real" | "test"
}

/** The test network stands in for another one. Its own accounts need not say so. */
export const isPlayed = ({ network, platform }: OnNetwork) => network === "test" && platform !== "sandbox"

/** The network of an account as people call it. */
export const networkName = (account: OnNetwork) =>
  `${platformName(account.platform)}${isPlayed(account) ? " (test)" : ""}`
