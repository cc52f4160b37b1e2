const alphabet = "234567abcdefghijklmnopqrstuvwxyz"

/**
 * A record key of the AT Protocol (atproto.com/specs/tid): 53 bits of microseconds since 1970 and 10 bits that
 * tell apart what happens in one microsecond, as 13 characters that sort like the time.
 */
export const tid = (microseconds: number, clockId: number): string => {
  let rest = (BigInt(microseconds) << 10n) | BigInt(clockId & 1023)
  let text = ""
  for (let index = 0; index < 13; index++) {
    text = alphabet[Number(rest & 31n)]! + text
    rest >>= 5n
  }
  return text
}
