import { ConflictError, ConnectionError } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import { type Message, toast } from "../ui/toast.ts"
import { queries, signInAgain } from "./api.ts"
import { postsKey } from "./posts.ts"
import { words } from "./en.ts"
import { reasonOf } from "./reasonOf.ts"

/** A change that a person asks for, and what the screen shows of it. */
export interface Act<A = unknown> {
  readonly do: () => Promise<A>
  /** Shows the outcome before the service answers, and returns what takes it back. */
  readonly show?: () => () => void
  /** The message on success. Leave it out if the screen shows the change anyway. */
  readonly done?: string | ((answer: A) => string)
  /** The act that undoes it, offered beside `done`. */
  readonly undo?: (answer: A) => Act
  /** The message on failure without its reason, such as `Not moved`. */
  readonly failed: string
  /** The message if somebody else was first; the sentence of the service by default. */
  readonly conflict?: (error: ConflictError) => Message | Promise<Message>
  /** Invalidates what may have changed, on success and on failure. */
  readonly changed?: () => unknown
}

/** The last act, if it can be undone, and the page on which it was done. */
let last: { readonly close: () => void; readonly undo: Act; readonly page: string } | null = null

/** Withdraws the offer to undo the act before: it would overwrite the one that follows. */
const withdraw = () => {
  last?.close()
  last = null
}

/** Undoes the last act of this page, as its message offers. */
export const undoLast = () => {
  if (last?.page === location.pathname) void act(last.undo)
}

const failure = async (error: unknown, given: Act): Promise<Message> => {
  if (error instanceof ConnectionError)
    return {
      icon: "cross",
      text: words.noConnection(given.failed),
      action: { label: words.retry, act: () => void act(given) }
    }
  return error instanceof ConflictError && given.conflict !== undefined
    ? given.conflict(error)
    : { icon: "cross", text: words.refused(given.failed, reasonOf(error)) }
}

/** The acts whose outcome is shown and not answered yet. What is read meanwhile may still be what was before. */
export const underWay = new Set<Promise<boolean>>()

/** Shows a change, does it, and tells the outcome in one message. Resolves to whether it was done. */
export const act = <A>(given: Act<A>): Promise<boolean> => {
  const doing = perform(given)
  if (given.show === undefined) return doing
  const over = () => void underWay.delete(doing)
  underWay.add(doing)
  doing.then(over, over)
  return doing
}

const perform = async <A>(given: Act<A>): Promise<boolean> => {
  // A reading that began before would show again what was.
  if (given.show !== undefined) await queries.cancelQueries({ queryKey: postsKey })
  const takeBack = given.show?.()
  withdraw()
  try {
    const answer = await given.do()
    const undo = given.undo?.(answer)
    const text = typeof given.done === "function" ? given.done(answer) : given.done
    if (text !== undefined) {
      const close = toast({
        icon: "check",
        text,
        ...(undo === undefined ? {} : { action: { label: words.undo, act: () => void act(undo) } })
      })
      if (undo !== undefined) last = { close, undo, page: location.pathname }
    }
    return true
  } catch (error) {
    takeBack?.()
    if (!signInAgain(error)) toast(await failure(error, given as Act))
    return false
  } finally {
    void given.changed?.()
  }
}

/** `act` for a component that shows by key which of its acts is under way. */
export const useAct = () => {
  const { isPending, mutateAsync, variables } = useMutation({
    mutationFn: ({ given }: { readonly key: string; readonly given: Act }) => act(given)
  })
  return {
    busy: isPending ? (variables?.key ?? null) : null,
    act: <A>(key: string, given: Act<A>) => mutateAsync({ key, given: given as Act })
  }
}
