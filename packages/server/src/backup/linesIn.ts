/** The lines of a text in UTF-8, without their ends. Only a line feed ends one: JSON may hold all other separators. */
export async function* linesIn(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of source) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop()!
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== "") yield rest
}
