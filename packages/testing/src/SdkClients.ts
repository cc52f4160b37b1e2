import * as modern from "@modelcontextprotocol/client"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { redirect as nobody } from "./OAuthBrowser.ts"

/** An app's memory, and the address at which it would open a browser. */
export const memory = ({ redirect = nobody, keepsRefreshToken = true } = {}) => {
  const kept: { client?: any; tokens?: any; verifier?: string; discovery?: any; address?: URL } = {}
  return {
    kept,
    provider: {
      redirectUrl: redirect,
      clientMetadata: {
        client_name: "SDK client",
        redirect_uris: [redirect],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none"
      },
      clientInformation: () => kept.client,
      saveClientInformation: (client: any) => void (kept.client = client),
      tokens: () => kept.tokens,
      saveTokens: ({ refresh_token, ...tokens }: any) =>
        void (kept.tokens = keepsRefreshToken ? { ...tokens, refresh_token } : tokens),
      redirectToAuthorization: (address: URL) => void (kept.address = address),
      saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier!,
      saveDiscoveryState: (state: any) => void (kept.discovery = state),
      discoveryState: () => kept.discovery
    }
  }
}

export type Kept = ReturnType<typeof memory>["kept"]

export interface SdkSession {
  call(name: string, args: object): Promise<any>
  close(): Promise<void>
}

interface Sdk {
  connect(provider: any): Promise<SdkSession>
  finish(provider: any, back: URL): Promise<void>
}

export const sdkNames = ["the first SDK", "the second SDK"] as const

/** Clients of both SDKs, for the MCP endpoint of a service. */
export const sdks = (service: string): Readonly<Record<(typeof sdkNames)[number], Sdk>> => {
  const url = new URL(`${service}/mcp`)
  return {
    "the first SDK": {
      connect: async (provider) => {
        const client = new OlderClient({ name: "older", version: "1" })
        await client.connect(new OlderTransport(url, { authProvider: provider }) as never)
        return {
          call: (name, args) => client.callTool({ name, arguments: { ...args } }),
          close: () => client.close()
        }
      },
      finish: async (provider, back) =>
        new OlderTransport(url, { authProvider: provider }).finishAuth(back.searchParams.get("code")!)
    },
    "the second SDK": {
      connect: async (provider) => {
        const client = new modern.Client(
          { name: "newer", version: "1" },
          { versionNegotiation: { mode: "auto" } }
        )
        await client.connect(new modern.StreamableHTTPClientTransport(url, { authProvider: provider }))
        return {
          call: (name, args) => client.callTool({ name, arguments: { ...args } }),
          close: () => client.close()
        }
      },
      finish: async (provider, back) =>
        new modern.StreamableHTTPClientTransport(url, { authProvider: provider }).finishAuth(
          back.searchParams
        )
    }
  }
}
