import { Effect, type Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import type { Interceptor } from "./Interceptor.ts"
import { answer as send, passedOn, proxying } from "./PassingProxy.ts"

/** The network's fault in one call. */
export type NetworkFault =
  /** The connection is reset before the platform has seen anything. */
  | "reset"
  /** 500 without the effect. */
  | "error_before"
  /** The effect, then 500. */
  | "error_after"
  /** The effect, then the connection is closed without an answer. */
  | "lost_reply"
  /** The effect, then half of the answer. */
  | "half_answer"
  /** The effect, and the answer three seconds later. */
  | "slow"
  /** The connection is closed at once, the effect comes three seconds later. */
  | "late_effect"
  /** The same seven seconds later: after the first look-up of the test network, before the second. */
  | "later_effect"

export const networkFaults: ReadonlyArray<NetworkFault> = [
  "reset",
  "error_before",
  "error_after",
  "lost_reply",
  "half_answer",
  "slow",
  "late_effect",
  "later_effect"
]

const delay = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Between a service and the test network: counts the calls, and fails them by script. */
export interface NetworkProxy {
  readonly url: string
  /** The calls of this account from now on, by number. Sign-ins are not counted. */
  readonly script: (username: string, faults: ReadonlyMap<number, NetworkFault>) => void
  /** The account's calls since it was scripted. */
  readonly called: (username: string) => ReadonlyArray<string>
  /** Holds every publication before it reaches the platform until it is released, or its sender gives it up. */
  readonly hold: () => { readonly held: () => number; readonly release: () => void }
}

interface Account {
  faults: ReadonlyMap<number, NetworkFault>
  calls: Array<string>
}

export const startNetworkProxy = (
  platformUrl: string,
  interceptor: Interceptor,
  /** The fault of calls that no script names. */
  chance: () => NetworkFault | undefined = () => undefined
): Effect.Effect<NetworkProxy, never, Scope.Scope> => {
  const accounts = new Map<string, Account>()
  const usernames = new Map<string, string>()
  let gate: { readonly opened: Promise<void>; held: number } | undefined

  const ask = (incoming: IncomingMessage, body: Buffer) => passedOn(platformUrl, incoming, body)

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const alive = interceptor.watch()
    const drop = () => void response.socket?.destroy()
    const body = await buffer(incoming)
    if (incoming.url === "/api/session") {
      const answer = await ask(incoming, body)
      const { access_token, account } = JSON.parse(String(answer.body))
      usernames.set(`Bearer ${access_token}`, account?.username)
      return send(response, answer)
    }

    const label = `${incoming.method} ${incoming.url!.split(/[?]/)[0]}`
    const account = accounts.get(usernames.get(incoming.headers.authorization ?? "") ?? "")
    const number = account === undefined ? 0 : account.calls.push(label)
    const step = interceptor.pass(label)
    if (!(await interceptor.reach(step, "before")) || !alive()) return drop()
    if (gate !== undefined && label === "POST /api/posts") {
      gate.held++
      await gate.opened
      // A call that its sender has given up is not delivered.
      if (response.destroyed) return
    }
    const fault = account?.faults.get(number) ?? chance()
    switch (fault) {
      case "reset":
        return void response.socket?.resetAndDestroy()
      case "error_before":
        return void response.writeHead(500).end()
      case "error_after":
        await ask(incoming, body)
        return void response.writeHead(500).end()
      case "lost_reply":
        await ask(incoming, body)
        return drop()
      case "half_answer": {
        const answer = await ask(incoming, body)
        response.writeHead(answer.status, answer.headers)
        return void response.write(answer.body.subarray(0, answer.body.length / 2), drop)
      }
      case "late_effect":
      case "later_effect":
        drop()
        await delay(fault === "late_effect" ? 3000 : 7000)
        return void (await ask(incoming, body))
      case "slow": {
        const answer = await ask(incoming, body)
        await delay(3000)
        return send(response, answer)
      }
    }
    const answer = await ask(incoming, body)
    if (!(await interceptor.reach(step, "done")) || !alive()) return drop()
    await send(response, answer)
    if (!(await interceptor.reach(step, "after"))) drop()
  }

  return Effect.map(proxying(handle), (url) => ({
    url,
    script: (username, faults) => void accounts.set(username, { faults, calls: [] }),
    called: (username) => accounts.get(username)?.calls ?? [],
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const mine = { opened: promise, held: 0 }
      gate = mine
      return {
        held: () => mine.held,
        release: () => {
          gate = undefined
          resolve()
        }
      }
    }
  }))
}
