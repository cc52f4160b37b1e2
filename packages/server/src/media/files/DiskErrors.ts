import { Effect } from "effect"
import { unlink } from "node:fs/promises"
import { StorageFull } from "./BlobStore.ts"

export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code

export const isFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "")

export const onDisk = <A>(run: () => Promise<A>): Effect.Effect<A, StorageFull> =>
  Effect.tryPromise(run).pipe(
    Effect.catch(({ cause }) => (isFull(cause) ? new StorageFull({ received: 0 }) : Effect.die(cause)))
  )

export const unlinkIfThere = (path: string): Promise<void> =>
  unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error
  })
