/** Scripts in which joiners are letters of the orthography. */
const joining =
  "\\p{sc=Arab}\\p{sc=Beng}\\p{sc=Deva}\\p{sc=Gujr}\\p{sc=Guru}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Orya}\\p{sc=Sinh}\\p{sc=Taml}\\p{sc=Telu}"

/** What a terminal or a model obeys and nobody sees: joiners within a word or an emoji are none of it. */
const unseen = new RegExp(
  [
    `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])|(?<=[\\p{ExtPict}\\ufe0f\\p{EMod}])\\u200d(?=\\p{ExtPict})|\\n`,
    "([\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0\\u{e0100}-\\u{e01ef}])"
  ].join("|"),
  "gu"
)

/**
 * Text of others without what is not seen: control characters except line ends, marks that change the reading direction,
 * characters of no width, and halves of surrogate pairs.
 */
export const printable = (text: string): string =>
  /^[\n\x20-\x7e]*$/.test(text)
    ? text
    : text.replace(unseen, (found, hidden: string | undefined) => (hidden === undefined ? found : ""))

/** Words of others, such as a name, a caption or a network's error, as one line that cannot look like several. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/gu, " ")).trim()

/** The same within a sentence, where it shows what are the words of others. */
export const quoted = (text: string): string => JSON.stringify(oneLine(text))
