/** A tag or a mention begins a word, so it needs a space before it. */
export const insertion = (text: string, caret: number, sign: string) =>
  /\S$/u.test(text.slice(0, caret)) ? ` ${sign}` : sign
