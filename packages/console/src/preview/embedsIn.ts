import type { DiscordEmbed } from "@carillon/domain"

/** The embeds that can be shown. Not decoded: their schema would make the page of hosts a third larger. */
export const embedsIn = ({ embeds }: Readonly<Record<string, unknown>>): ReadonlyArray<DiscordEmbed> =>
  Array.isArray(embeds)
    ? embeds.filter(
        (embed) =>
          typeof embed === "object" &&
          embed !== null &&
          Object.values(embed).every((part) => typeof part === "string")
      )
    : []
