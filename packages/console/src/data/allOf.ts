/** Every item of a list that is read page by page. */
export const allOf = async <Item>(list: AsyncIterable<Item>): Promise<ReadonlyArray<Item>> => {
  const found: Array<Item> = []
  for await (const item of list) found.push(item)
  return found
}
