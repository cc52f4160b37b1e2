import type { Publication } from "@carillon/sandbox/testing"

type Details = Readonly<Record<string, any>>

/** What other publications of its network name when they answer this one. */
export const answerableId = ({ details, id }: Publication): string => {
  const { message_id, uri } = (details ?? {}) as Details
  return message_id ?? uri ?? id
}

/** Of each publication, at which place of the list the one that it answers stands; -1 for none. */
export const answered = (publications: ReadonlyArray<Publication>) => {
  const ids = publications.map(answerableId)
  return publications.map(({ details }) => {
    const { in_reply_to_id, message_reference, reply, reply_parameters, reply_to, reply_to_id } = (details ??
      {}) as Details
    return ids.indexOf(
      String(
        in_reply_to_id ??
          reply?.in_reply_to_tweet_id ??
          (message_reference ?? reply_parameters)?.message_id ??
          reply?.parent?.uri ??
          reply_to ??
          reply_to_id
      )
    )
  })
}
