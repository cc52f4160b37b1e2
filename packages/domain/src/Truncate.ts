/** The text, or its beginning with an ellipsis: at most so many characters in all, none of them cut in half. */
export const truncate = (text: string, most: number): string => {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`
}
