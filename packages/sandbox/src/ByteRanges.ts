import type { ByteRange } from "./MediaStore.ts"

/** What a `Range` header asks of a file (RFC 9110 section 14). Anything but one range of bytes means all of it. */
export const parseRange = (
  header: string | undefined,
  size: number
): ByteRange | "whole" | "unsatisfiable" => {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? []
  if (first === "" && last === "") return "whole"
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1)
  return start > end ? "unsatisfiable" : { start, end }
}
