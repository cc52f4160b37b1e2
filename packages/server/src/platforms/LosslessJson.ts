import { Option } from "effect"

/**
 * Parses JSON; integers beyond 2^53 become strings of their digits, because platform ids are that long. What no database
 * column takes is replaced in texts: one answer must not keep a result from being stored.
 */
export const parseJson = (text: string): Option.Option<unknown> =>
  Option.liftThrowable(() =>
    wantsLook.test(text) ? (JSON.parse as ParseWithSource)(text, readValue) : JSON.parse(text)
  )()

/** A number of as many digits as 2^53, or a written NUL or half of a pair. Looking at each value costs many times the parsing. */
const wantsLook = /(?:^|[\s:,[-])\d{16}|\\u(?:0000|d[89a-f])/i

/** The text without NUL and half surrogate pairs. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed()

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
// TypeScript's library does not know the third argument yet.
type ParseWithSource = (text: string, reviver: Reviver) => unknown

const readValue: Reviver = (_key, value, { source }) =>
  typeof value === "string"
    ? storable(value)
    : typeof value === "number" &&
        !Number.isSafeInteger(value) &&
        source !== undefined &&
        /^-?\d+$/.test(source)
      ? source
      : value
