import type { HttpClient } from "effect/http"
import { type PlatformHttp, platformHttp } from "./PlatformHttp.ts"

/** The test network as adapters reach it whose servers are named by people: it has all that end in `.sandbox`, as no host on the internet does. */
export interface TestNetwork {
  readonly client: HttpClient.HttpClient
  /** The address that a host has there. */
  readonly at: (host: string) => string
}

/** Whether the server of this address is the test network's. */
export const isTestServer = (address: string) => URL.parse(address)?.hostname.endsWith(".sandbox") ?? false

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
