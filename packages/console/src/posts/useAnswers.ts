import { CarillonError, ConflictError, ConnectionError, type Post, type PostResult } from "@carillon/sdk"
import { useState } from "react"
import { calendarKey } from "../calendar/useCalendar.ts"
import { carillon, queries, signInAgain } from "../api.ts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { postKey } from "./usePost.ts"

/** What is shown elsewhere of posts and of what needs a person. */
const refreshOthers = () => {
  void queries.invalidateQueries({ queryKey: calendarKey })
  void queries.invalidateQueries({ queryKey: ["needs"] })
}

/** What a person says or asks about results. `busy` is the result, or the post, that is being answered. */
export const useAnswers = () => {
  const [busy, setBusy] = useState<string | null>(null)

  const run = async (
    key: string,
    done: string,
    postId: string,
    act: () => Promise<void>
  ): Promise<boolean> => {
    setBusy(key)
    try {
      await act()
      toast({ icon: "check", text: done })
      return true
    } catch (error) {
      signInAgain(error)
      if (error instanceof ConflictError) toast({ icon: "warning", text: words.done.somebody })
      else if (error instanceof ConnectionError)
        toast({
          icon: "cross",
          text: words.noConnection,
          action: { label: words.retry, act: () => void run(key, done, postId, act) }
        })
      else
        toast({
          icon: "cross",
          text: words.failedTo(error instanceof CarillonError ? error.message : String(error))
        })
      return false
    } finally {
      setBusy(null)
      void queries.invalidateQueries({ queryKey: postKey(postId) })
      refreshOthers()
    }
  }

  const put = (post: Post) => queries.setQueryData(postKey(post.id), post)

  return {
    busy,
    isLive: ({ id, post_id }: PostResult, name: string, url: string | null) =>
      run(id, words.done.live(name), post_id, async () => {
        await carillon.results.confirm(id, { published: true, ...(url === null ? {} : { url }) })
      }),
    isNotLive: ({ id, post_id }: PostResult, name: string) =>
      run(id, words.done.notLive(name), post_id, async () => {
        await carillon.results.confirm(id, { published: false })
      }),
    /** A person has looked; what is unconfirmed is said to be missing first, so that a second press sends nothing twice. */
    sendAgain: ({ id, post_id, social_account_id, status }: PostResult) =>
      run(id, words.done.again, post_id, async () => {
        if (status === "unconfirmed") await carillon.results.confirm(id, { published: false })
        put(await carillon.posts.retry(post_id, { social_accounts: [social_account_id] }))
      }),
    /** The failed ones of a post: all of them, or those on one account. */
    retry: (postId: string, key: string, account?: number) =>
      run(key, words.done.again, postId, async () => {
        put(await carillon.posts.retry(postId, account === undefined ? {} : { social_accounts: [account] }))
      }),
    /** The failed ones of several posts. */
    retryAll: (postIds: ReadonlyArray<string>, key: string, accounts: ReadonlyArray<number>) =>
      run(key, words.done.again, postIds[0]!, async () => {
        for (const id of postIds) await carillon.posts.retry(id, { social_accounts: [...accounts] })
      })
  }
}
