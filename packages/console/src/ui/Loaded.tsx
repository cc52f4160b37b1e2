import type { ReactNode } from "react"
import { ErrorState } from "./ErrorState.tsx"
import { Skeleton } from "./Skeleton.tsx"

interface Props<A> {
  readonly query: {
    readonly data: A | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  /** The title where it did not load. */
  readonly failed: string
  /** What is shown meanwhile: so many rows, each so high. */
  readonly rows: number
  readonly height?: number
  readonly children: (data: A) => ReactNode
}

/** What was read, grey rows until then, or why it was not and a way to try again. */
export const Loaded = <A,>({ children, failed, height, query, rows }: Props<A>) => {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  return error === null ? (
    <Skeleton rows={rows} {...(height === undefined ? {} : { height })} />
  ) : (
    <ErrorState title={failed} error={error} onRetry={() => void refetch()} />
  )
}
