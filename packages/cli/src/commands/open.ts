import { Command } from "@commander-js/extra-typings"
import { browse } from "../Browser.ts"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { withExamples } from "../Examples.ts"
import { targetOf } from "../Session.ts"

export const openCommand: MakeCommand = (open) =>
  withExamples(
    new Command("open")
      .argument("[what]", "docs, errors, or the ID of a published post", "docs")
      .option("--print", "print the URLs instead of opening them")
      .action(async (what, { print }) => {
        const { options, output, terminal } = open.local()
        const { url } = targetOf(terminal.env, options)
        const base = url.replace(/\/+$/, "")
        const pages: Readonly<Record<string, string>> = {
          docs: `${base}/docs`,
          errors: `${base}/docs/errors`
        }
        const urls = pages[what] === undefined ? await linksOf(what) : [pages[what]]
        if (print || !terminal.stdout.isTTY) return output.result(urls, () => urls.join("\n"))
        for (const one of urls) {
          const shown = await browse(one, terminal)
          output.note(
            shown ? `Opening ${one}` : `Cannot open a browser here. Open this page yourself: ${one}`
          )
        }

        async function linksOf(id: string): Promise<ReadonlyArray<string>> {
          const { client } = await open()
          const { results } = await client.posts.get(id)
          const links = results.flatMap(({ platform_data }) => platform_data?.url ?? [])
          if (links.length > 0) return links
          throw new CliError(
            exitCodes.notFound,
            `Post ${id} has no link on any platform yet.`,
            `See its results with: carillon posts show ${id}`
          )
        }
      }),
    "open",
    "open 01a1fd84-0a5f-7788-97ec-9b46677293d3",
    "open errors --print"
  )
