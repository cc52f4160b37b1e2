import type { Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { type PlatformCall, platformHttp } from "../PlatformHttp.ts"
import { refuseApi, statusIn } from "./GoogleBusinessErrors.ts"

type AnySchema = Schema.ConstraintDecoder<unknown>

/** The Business Profile APIs, each at a host of its own. */
export const googleBusinessApi = (client: HttpClient.HttpClient, { at }: ConnectedApp) => {
  const ask = platformHttp(client, "Google")
  const call = <S extends AnySchema>(request: Omit<PlatformCall<S>, "refuse" | "statusIn">) =>
    ask<S>({ ...request, refuse: refuseApi, statusIn } as PlatformCall<S>)
  return {
    call,
    get: <S extends AnySchema>(request: Omit<PlatformCall<S>, "refuse" | "statusIn" | "method">) =>
      call<S>({ ...request, method: "GET" } as Omit<PlatformCall<S>, "refuse" | "statusIn">),
    hosts: {
      accounts: at("mybusinessaccountmanagement.googleapis.com"),
      information: at("mybusinessbusinessinformation.googleapis.com"),
      posts: `${at("mybusiness.googleapis.com")}/v4`
    }
  }
}

export type GoogleBusinessApi = ReturnType<typeof googleBusinessApi>
