import { Command } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import { withExamples } from "../Examples.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { bytes, count } from "../Text.ts"

export const backupCommand: MakeCommand = (open) =>
  withExamples(
    new Command("backup")
      .argument("<file>", "file to write; an existing file is replaced once the backup is complete")
      .option("--media", "include all media files")
      .option(
        "--passphrase-file <file>",
        "include CARILLON_SECRET, encrypted with the passphrase in this file"
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
            `${count(left_out.length, "media file")} could not be included: missing from storage, or damaged.`
          )
        }
        if (!manifest.secret.included) {
          output.note(
            "The backup does not include CARILLON_SECRET. After a restore, accounts have to be reconnected unless the same secret is set. " +
              "Use --passphrase-file to include it."
          )
        }
        const made = { file, size_bytes, made_at: manifest.made_at, posts: rows("posts") }
        output.result(
          { ...made, media: manifest.media.included, secret: manifest.secret.included },
          () =>
            `Saved and verified ${file}: ${count(made.posts, "post")}, ${manifest.media.included ? "with" : "without"} media, ${bytes(size_bytes)}`
        )
      }),
    "backup carillon.tar",
    "backup carillon.tar --media --passphrase-file ./passphrase"
  )

const passphraseIn = async (path: string): Promise<string> => {
  const { readFile } = await import("node:fs/promises")
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new CliError(exitCodes.usage, `Cannot read the passphrase: ${error.message}.`)
  })
  const passphrase = text.trim()
  if (passphrase.length < 12 || passphrase.length > 1024) {
    throw new CliError(
      exitCodes.usage,
      `The passphrase in ${path} has ${passphrase.length} characters; it must have 12 to 1024.`
    )
  }
  return passphrase
}
