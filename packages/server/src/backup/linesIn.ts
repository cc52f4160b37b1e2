/** Of a row in a backup, in UTF-16 code units: many times what the largest row of an instance has. */
const longestRow = 64 * 1024 * 1024

/** The lines of a text in UTF-8, without their ends. Only a line feed ends one: JSON may hold all other separators. */
export async function* linesIn(
  source: AsyncIterable<Uint8Array>,
  longest = longestRow
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  // Joined once: a text that is added to with each chunk would be copied each time.
  let begun: Array<string> = []
  let length = 0
  const add = (text: string) => {
    length += text.length
    if (length > longest) throw new Error(`a row has more than ${longest} characters`)
    begun.push(text)
  }
  const whole = () => {
    const line = begun.join("")
    begun = []
    length = 0
    return line
  }
  for await (const bytes of source) {
    const [first = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n")
    add(first)
    for (const next of others) {
      yield whole()
      add(next)
    }
  }
  add(decoder.decode())
  if (length > 0) yield whole()
}
