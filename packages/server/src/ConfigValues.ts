import { pricedCalls, type Prices } from "@carillon/domain"
import { Config, ConfigProvider, Effect, Result, Schema } from "effect"
import { IpNetwork } from "effect/net"
import { withSecretFiles } from "./SecretFiles.ts"

export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  message: Schema.String
}) {}

/** The value of a variable that holds no secret; an address may hold a password. */
const shown = (value: string | undefined) =>
  value === undefined || value.includes("@")
    ? "not valid"
    : JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}...` : value)

/** Reads the environment; what cannot be used is told with its name, its value and the rule. */
export const readable = <A>(config: Config.Config<A>) =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (provider) =>
    config.parse(withSecretFiles(provider)).pipe(Effect.catch(unreadable))
  )

const unreadable = Effect.fnUntraced(function* (error: Config.ConfigError) {
  if (error.cause._tag === "SourceError") return yield* new ConfigInvalid({ message: error.cause.message })
  const provider = yield* ConfigProvider.ConfigProvider
  const [rule = "", at = ""] = error.message.replace(/^SchemaError\(|\)$/g, "").split(/\s+at (?=\[)/)
  const variable = at.replace(/[[\]"]/g, "")
  const given = yield* Effect.orElseSucceed(provider.load([variable]), () => undefined)
  return yield* new ConfigInvalid({
    message:
      `${variable} is ${shown(given?.value)}. ${rule.replace("valid Duration string", 'duration such as "30 minutes"')}. ` +
      "Correct it, or leave it out for its default; docs/configuration.md says what each variable may be."
  })
})

export const mebibyte = 1024 * 1024

export const onOff = (name: string) =>
  Config.Literals(["on", "off"], name).pipe(Config.map((value) => value === "on"))

export const perMinute = (name: string, otherwise: number) =>
  Config.schema(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
    name
  ).pipe(Config.withDefault(otherwise))

export const aDay = (name: string, otherwise: number) =>
  Config.schema(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 100_000_000 })),
    name
  ).pipe(Config.withDefault(otherwise))

export const listed = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

export const nameAndContent = (text: string): readonly [string, string] => {
  const at = text.indexOf("=")
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

export const SiteFiles = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      listed(text).every((file) => /^[\w-]+\.(txt|html)\s*=\s*\S/u.test(file)) ||
      "Expected files as name=content, separated by commas, each name ending in .txt or .html; for example tiktokAbC.txt=tiktok-developers-site-verification=AbC"
  )
)

const mostDollars = 1_000_000

/** US dollars, as millionths of one. */
export const dollarAmount = (name: string) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter(
        (text) =>
          isAmount(text, mostDollars) ||
          `Expected US dollars from 0 to ${mostDollars.toLocaleString("en")}, such as 50 or 12.50`
      )
    ),
    name
  ).pipe(Config.map(millionths))

const isAmount = (text: string, most: number) => /^\d+(\.\d{1,6})?$/u.test(text) && Number(text) <= most
const millionths = (text: string) => Math.round(Number(text) * 1_000_000)

const dearestCall = 10

/** Prices of calls that differ from those that are known, as `call=dollars`. */
export const changedPrices = (name: string) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter(
        (text) =>
          listed(text)
            .map(nameAndContent)
            .every(([call, price]) => isPricedCall(call) && isAmount(price, dearestCall)) ||
          `Expected call=dollars, separated by commas, such as post=0.015,post_with_url=0.2; the calls are ${pricedCalls.join(", ")}, and each costs at most ${dearestCall} dollars`
      )
    ),
    name
  ).pipe(
    Config.map((text): Partial<Prices> =>
      Object.fromEntries(
        listed(text)
          .map(nameAndContent)
          .map(([call, price]) => [call, millionths(price)])
      )
    )
  )

const isPricedCall = Schema.is(Schema.Literals(pricedCalls))

export const Networks = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      listed(text).every((network) => Result.isSuccess(IpNetwork.fromString(network))) ||
      "networks such as 10.0.0.0/8, separated by commas"
  )
)

/** As a browser sends them: no path, no slash at the end. */
export const Origins = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      listed(text).every((origin) => origin === "*" || URL.parse(origin)?.origin === origin) ||
      "* or origins such as https://app.example, separated by commas"
  )
)

export const wholeBytes = (name: string) =>
  Config.schema(
    Schema.FiniteFromString.check(
      Schema.isInt(),
      Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
    ),
    name
  )

/** The start of an address: a scheme, a host and perhaps a port; with `path`, more may follow. */
export const address = (name: string, example: string, { path = false } = {}) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter((text) => {
        const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
        if (url === null) return `Expected an address with its scheme, such as ${example}`
        if (url.username !== "" || url.password !== "")
          return "Expected an address without a user or a password"
        if (url.search !== "" || url.hash !== "")
          return `Expected an address without a query or a fragment, such as ${url.origin}`
        return path || url.pathname === "/" || `Expected an address without a path, such as ${url.origin}`
      })
    ),
    name
  ).pipe(Config.map((text) => new URL(text)))
