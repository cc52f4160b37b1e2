import type { Post, PostResult } from "@carillon/sdk"
import { carillon } from "../data/api.ts"
import { postsChanged, postSeen } from "../data/posts.ts"
import { useAct } from "../data/useAct.ts"
import { resultWords as words } from "./resultWords.ts"

const common = {
  failed: words.notDone,
  conflict: () => ({ icon: "warning", text: words.done.somebody }) as const,
  changed: postsChanged
}

const retry = async (post: string, accounts?: ReadonlyArray<number>) => {
  postSeen(await carillon.posts.retry(post, accounts === undefined ? {} : { social_accounts: [...accounts] }))
}

/** What a person answers about results. `busy` is the key of the act under way. */
export const useAnswers = () => {
  const { act, busy } = useAct()
  return {
    busy,
    isLive: ({ id }: PostResult, name: string, url: string | null) =>
      act(id, {
        ...common,
        do: () => carillon.results.confirm(id, { published: true, ...(url === null ? {} : { url }) }),
        done: words.done.live(name)
      }),
    isNotLive: ({ id }: PostResult, name: string) =>
      act(id, {
        ...common,
        do: () => carillon.results.confirm(id, { published: false }),
        done: words.done.notLive(name)
      }),
    /** Marks an unconfirmed result as not live first, so that a second press sends nothing twice. */
    sendAgain: ({ id, post_id, social_account_id, status }: PostResult) =>
      act(id, {
        ...common,
        do: async () => {
          if (status === "unconfirmed") await carillon.results.confirm(id, { published: false })
          await retry(post_id, [social_account_id])
        },
        done: words.done.again
      }),
    /** Turns a post that waits for its next try into a draft. */
    stop: (post: Post) =>
      act(post.id, {
        do: async () => postSeen(await carillon.posts.update(post.id, { is_draft: true }, { ifMatch: post })),
        done: words.done.stopped,
        failed: words.notStopped,
        changed: postsChanged
      }),
    /** Retries the failed results of posts, on all or some accounts. */
    retry: (posts: ReadonlyArray<string>, key: string, accounts?: ReadonlyArray<number>) =>
      act(key, {
        ...common,
        do: async () => {
          for (const id of posts) await retry(id, accounts)
        },
        done: words.done.again
      })
  }
}
