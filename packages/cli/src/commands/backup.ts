import { Command } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import { withExamples } from "../Examples.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { bytes } from "../Text.ts"

export const backupCommand: MakeCommand = (open) =>
  withExamples(
    new Command("backup")
      .argument("<file>", "where to save it; a file that is there is replaced when the backup is whole")
      .option("--media", "with the bytes of all media")
      .option(
        "--passphrase-file <file>",
        "also keep CARILLON_SECRET, encrypted under the passphrase in this file"
      )
      .action(async (file, { media, passphraseFile }) => {
        const passphrase = passphraseFile === undefined ? undefined : await passphraseIn(passphraseFile)
        const { client, output } = await open()
        const { save } = await import("../BackupFile.ts")
        const answer = await client.backups.create({
          include_media: media === true,
          ...(passphrase === undefined ? {} : { passphrase })
        })
        const { manifest, size_bytes } = await save(answer.bytes, file)
        const rows = (table: string) => manifest.tables.find(({ name }) => name === table)?.rows ?? 0
        const { left_out } = manifest.media
        if (left_out.length > 0) {
          output.note(
            `The bytes of ${left_out.length} media items are not in it: they are missing in the store, or damaged.`
          )
        }
        if (!manifest.secret.included) {
          output.note(
            "It does not hold CARILLON_SECRET: after a restore accounts have to be connected again, unless the same secret is set there. " +
              "--passphrase-file keeps it in the backup."
          )
        }
        const made = { file, size_bytes, made_at: manifest.made_at, posts: rows("posts") }
        output.result(
          { ...made, media: manifest.media.included, secret: manifest.secret.included },
          () =>
            `Saved and verified ${file}: ${made.posts} posts, ${manifest.media.included ? "with" : "without"} media, ${bytes(size_bytes)}`
        )
      }),
    "backup carillon.tar",
    "backup carillon.tar --media --passphrase-file ./passphrase"
  )

const passphraseIn = async (path: string): Promise<string> => {
  const { readFile } = await import("node:fs/promises")
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new CliError(exitCodes.usage, `The passphrase cannot be read: ${error.message}.`)
  })
  const passphrase = text.trim()
  if (passphrase.length < 12 || passphrase.length > 1024) {
    throw new CliError(
      exitCodes.usage,
      `The passphrase in ${path} has ${passphrase.length} characters; it needs 12 to 1024.`
    )
  }
  return passphrase
}
