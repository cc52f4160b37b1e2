import { Option } from "effect"
import type { HttpClient } from "effect/http"
import type { AppConfig } from "../AppConfig.ts"
import { type PlatformHttp, platformHttp } from "./PlatformHttp.ts"

/** The test network as adapters reach it whose servers are named by people: it has all that end in `.sandbox`, as no host on the internet does. */
export interface TestNetwork {
  readonly client: HttpClient.HttpClient
  /** The address that a host has there. */
  readonly at: (host: string) => string
}

/** Whether the server of this address is the test network's. */
export const isTestServer = (address: string) => URL.parse(address)?.hostname.endsWith(".sandbox") ?? false

/** The test network names itself by its address, its setting by this machine's name. */
const byAddress = (url: string) => `${url.replace("//localhost:", "//127.0.0.1:")}/`

/** Whether an address is below one of ours. */
export const isBelow = (own: Option.Option<string>, address: string) =>
  Option.exists(own, (url) => byAddress(address).startsWith(byAddress(url)))

/** Whether calls to this address stay on the test network: one of its own hosts, or where this instance has it. */
export const staysOnTestNetwork =
  ({ platformsUrl, sandboxUrl }: Pick<AppConfig["Service"], "platformsUrl" | "sandboxUrl">) =>
  (address: string) =>
    isTestServer(address) || isBelow(sandboxUrl, address) || isBelow(platformsUrl, address)

/** An address as it is called: one of the test network's there. */
export const calledAt = (address: string, network: TestNetwork | undefined) => {
  if (network === undefined || !isTestServer(address)) return address
  const { hostname, pathname, search } = new URL(address)
  return `${network.at(hostname)}${pathname}${search}`
}

/** Calls by this client, and those of the test network's servers there. */
export const platformHttpWith = (
  network: TestNetwork | undefined,
  client: HttpClient.HttpClient,
  platform: string
): PlatformHttp => {
  const strangers = platformHttp(client, platform)
  if (network === undefined) return strangers
  const played = platformHttp(network.client, platform)
  return (call) =>
    isTestServer(call.url) ? played({ ...call, url: calledAt(call.url, network) }) : strangers(call)
}
