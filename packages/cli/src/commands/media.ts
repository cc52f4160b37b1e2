import type { Media } from "@carillon/sdk"
import { Command } from "@commander-js/extra-typings"
import type { OpenSession } from "../Session.ts"

export const mediaCommand = (open: OpenSession) =>
  new Command("media")
    .description("Work with the media library")
    .addCommand(
      new Command("upload")
        .description("Upload a file, to use it in any number of posts")
        .argument("<file>", "the path of an image, a video or a PDF")
        .option("--name <name>", "the name shown in the library (default: the file's)")
        .action(async (file, { name }) => {
          const { client, output } = await open()
          const media = await client.media.upload(file, { name })
          output.result(media, () => `Uploaded ${media.name} as ${media.id} (${describe(media)})`)
        })
    )
    .addCommand(
      new Command("import")
        .description("Have the service fetch a file from a URL")
        .argument("<url>", "a public https URL of an image, a video or a PDF")
        .option("--name <name>", "the name shown in the library (default: the server's)")
        .action(async (url, { name }) => {
          const { client, output } = await open()
          const media = await client.media.import(url, { name })
          output.result(media, () => `The service fetches ${media.name} as ${media.id}`)
        })
    )

const describe = (media: Media): string =>
  [
    media.mime_type ?? "unknown type",
    ...(media.width === null || media.height === null ? [] : [`${media.width} x ${media.height}`]),
    ...(media.duration_ms === null ? [] : [`${(media.duration_ms / 1000).toFixed(1)} s`]),
    `${media.size_bytes ?? "?"} bytes`
  ].join(", ")
