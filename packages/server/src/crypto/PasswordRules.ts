import { commonPasswords } from "./CommonPasswords.ts"

export const shortestPassword = 10
/** Longer passwords would only make the first pass slow. */
export const longestPassword = 200
/** `aaaaaaaaaa` and `1231231231` are on no list, and are guessed as soon. */
const fewestCharacters = 5

/** The rule, for a person who chooses one. */
export const passwordRule = `At least ${shortestPassword} characters, ${fewestCharacters} of them different, and none of the passwords that are guessed first.`

/** Why somebody who tries the likely ones first finds this one soon, and what to do; null: they do not. */
export const guessable = (secret: string, kind: "password" | "passphrase"): string | null => {
  // However it was typed: as other code points, or in other letters.
  const plain = secret.normalize("NFKC").toLowerCase().trim()
  if (new Set(plain).size < fewestCharacters) {
    return `The ${kind} repeats the same few characters. Choose one with at least ${fewestCharacters} different ones.`
  }
  return commonPasswords.has(plain)
    ? `The ${kind} is one of the most common ones, which are guessed first. Choose another, such as four words that do not belong together.`
    : null
}

/** What is wrong with a password that somebody chose, and what to do; null: nothing. */
export const passwordFlaw = (password: string): string | null => {
  const { length } = password
  return length < shortestPassword || length > longestPassword
    ? `The password has ${length} characters. Choose one of ${shortestPassword} to ${longestPassword}.`
    : guessable(password, "password")
}
