/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Reads a `Range` header ([RFC 9110 section 14](https://www.rfc-editor.org/rfc/rfc9110#section-14)).
 * Anything but one well-formed range of bytes is ignored, as the RFC allows, and the whole file is sent.
 */
export const parseRange = (
  header: string | undefined,
  size: number
): ByteRange | "whole" | "unsatisfiable" => {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replace(/[ \t]+/g, "") ?? "")
  if (match === null) return "whole"
  const [, first = "", last = ""] = match
  if (first === "" && last === "") return "whole"
  if (first === "") {
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== "" && Number(last) < start) return "whole"
  return start >= size ? "unsatisfiable" : { start, end }
}
