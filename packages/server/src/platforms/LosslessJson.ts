import { Option } from "effect"

/** Parses JSON; integers beyond 2^53 become strings of their digits, because platform ids are that long. */
export const parseJson = (text: string): Option.Option<unknown> =>
  Option.liftThrowable(() => (JSON.parse as ParseWithSource)(text, keepLongIntegers))()

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
// TypeScript's library does not know the third argument yet.
type ParseWithSource = (text: string, reviver: Reviver) => unknown

const keepLongIntegers: Reviver = (_key, value, { source }) =>
  typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? source
    : value
