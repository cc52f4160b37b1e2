import { ConflictError, ConnectionError } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import type { Message } from "../ui/toastQueue.ts"
import { toast } from "../ui/toasts.tsx"
import { signInAgain } from "./api.ts"
import { words } from "./en.ts"
import { reasonOf } from "./reasonOf.ts"

/** A change that a person asked for, and everything that is shown of it. */
export interface Act<A = unknown> {
  readonly do: () => Promise<A>
  /** Shows the outcome before the service has answered; what it returns takes that back. */
  readonly show?: () => () => void
  /** What is said when it is done. Absent: nothing, it is seen. */
  readonly done?: string | ((answer: A) => string)
  /** The act that takes it back, offered beside `done`. */
  readonly undo?: (answer: A) => Act
  /** What did not happen, such as `Not moved`. The reason is put behind it. */
  readonly failed: string
  /** What is said when somebody else was first; absent: the service's own sentence. */
  readonly conflict?: (error: ConflictError) => Message | Promise<Message>
  /** Reads again what may have changed, whether it was done or not. */
  readonly changed?: () => unknown
}

/** The act that was done last and can be taken back, with its message on the screen. */
let last: { readonly close: () => void; readonly undo: Act } | null = null

/** Takes the offer to undo the act before off the screen: by now it would undo something else. */
const withdraw = () => {
  last?.close()
  last = null
}

/** Takes back what was done last, as its message offers. */
export const undoLast = () => {
  if (last !== null) void act(last.undo)
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

/** Carries out a change: at once on the screen, then at the service, with one message about the outcome. Tells whether it was done. */
export const act = async <A>(given: Act<A>): Promise<boolean> => {
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
      if (undo !== undefined) last = { close, undo }
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

/** `act` for a component that shows which of its acts is under way, by its `key`. */
export const useAct = () => {
  const { isPending, mutateAsync, variables } = useMutation({
    mutationFn: ({ given }: { readonly key: string; readonly given: Act }) => act(given)
  })
  return {
    busy: isPending ? (variables?.key ?? null) : null,
    act: <A>(key: string, given: Act<A>) => mutateAsync({ key, given: given as Act })
  }
}
