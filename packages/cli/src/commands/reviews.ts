import type { ClientReview, ReviewLink } from "@carillon/sdk"
import { oneLine } from "@carillon/domain/OneLine"
import { Command, InvalidArgumentError } from "@commander-js/extra-typings"
import { withExamples } from "../Examples.ts"
import { withFields } from "../FieldHelp.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import type { OpenSession } from "../Session.ts"
import { shortTime } from "../Text.ts"

const post = "ID of the post"

export const reviewsCommand: MakeCommand = (open) =>
  withExamples(
    new Command("reviews")
      .addCommand(listCommand(open))
      .addCommand(askCommand(open))
      .addCommand(linksCommand(open))
      .addCommand(revokeCommand(open)),
    'reviews ask 01a1fd84-0a5f-7788-97ec-9b46677293d3 --name "The baker"'
  )

const listCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("list"), "ClientReview")
      .description("Show what clients said of a post, newest first")
      .argument("<post>", post)
      .action(async (id) => {
        const { client, output } = await open()
        const answer = await client.clientReviews.list(id)
        output.result(answer, () => answer.data.map(said).join("\n") || "No client has answered yet.")
      }),
    "reviews list 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const toSeconds = (days: string) => {
  const count = Number(days)
  if (!Number.isInteger(count) || count < 1 || count > 90)
    throw new InvalidArgumentError("Give 1 to 90 days.")
  return count * 86_400
}

const askCommand = (open: OpenSession) =>
  withExamples(
    new Command("ask")
      .description("Make a link by which a client sees a post and answers; it is shown only once")
      .argument("<post>", post)
      .option("--name <name>", "whom it is for")
      .option("--days <days>", "how long it works (default: 30)", toSeconds)
      .action(async (id, { days, name }) => {
        const { client, output } = await open()
        const link = await client.clientReviews.createLink(id, {
          ...(name === undefined ? {} : { name }),
          ...(days === undefined ? {} : { expires_in: days })
        })
        output.result(link, () => link.url)
      }),
    'reviews ask 01a1fd84-0a5f-7788-97ec-9b46677293d3 --name "The baker" --days 7'
  )

const linksCommand = (open: OpenSession) =>
  withExamples(
    withFields(new Command("links"), "ReviewLink")
      .description("List the links of a post that still work")
      .argument("<post>", post)
      .action(async (id) => {
        const { client, output } = await open()
        const answer = await client.clientReviews.links(id)
        output.result(answer, () => answer.data.map(described).join("\n") || "No link works.")
      }),
    "reviews links 01a1fd84-0a5f-7788-97ec-9b46677293d3"
  )

const revokeCommand = (open: OpenSession) =>
  withExamples(
    new Command("revoke")
      .description("Revoke a link; what was said with it stays")
      .argument("<post>", post)
      .argument("<link>", "ID of the link")
      .action(async (id, link) => {
        const { client, output } = await open()
        const answer = await client.clientReviews.revokeLink(id, link)
        output.result(answer, () => `Revoked ${answer.id}`)
      }),
    "reviews revoke 01a1fd84-0a5f-7788-97ec-9b46677293d3 01a1fd84-0b11-7000-8000-9b46677293d3"
  )

const said = ({ answer, comment, created_at, name }: ClientReview) =>
  [`${shortTime(created_at)} ${oneLine(name)}:`, answer, comment && oneLine(comment)]
    .filter((part) => part !== null)
    .join(" ")

const described = ({ expires_at, id, last_opened_at, name }: ReviewLink) =>
  `${id} ${name === null ? "" : `${oneLine(name)}, `}until ${shortTime(expires_at)}, ${last_opened_at === null ? "not opened yet" : `opened ${shortTime(last_opened_at)}`}`
