/** RFC 6266: the name for old readers in ASCII, and for all others as it is. */
export const contentDisposition = (type: "inline" | "attachment", name: string): string => {
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_")
  const plain = `${type}; filename="${ascii}"`
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${percentEncoded(name)}`
}

/** RFC 8187 allows fewer characters than encodeURIComponent leaves alone. */
const percentEncoded = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  )
