import { renameSync, writeFileSync } from "node:fs"

/** Another process that reads the file meanwhile finds what it was or what it is, and never a part. */
export const writeWhole = (path: string, text: string) => {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}
