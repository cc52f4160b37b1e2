import { problem, type WorkspaceId } from "@carillon/domain"
import { Effect, Option } from "effect"
import type { ReservationRepository } from "./ReservationRepository.ts"

/**
 * Refuses bytes that would bring a workspace above `MAX_WORKSPACE_BYTES`. `added`: the bytes that this transaction has
 * just added, so that of two at the same time the second counts the first; null where the size is not known yet.
 */
export const requireQuota = Effect.fnUntraced(function* (
  maximum: Option.Option<number>,
  reservations: ReservationRepository["Service"],
  workspaceId: WorkspaceId,
  added: number | null
) {
  if (Option.isNone(maximum)) return
  const held = yield* reservations.bytesHeld(workspaceId)
  if (added === null ? held < maximum.value : held <= maximum.value) return
  return yield* problem(
    "workspace_full",
    `The workspace uses ${held - (added ?? 0)} of its ${maximum.value} bytes of media storage, reserved uploads ` +
      `included${added === null ? "" : `; the file has ${added}`}. Delete media and reservations that you no longer ` +
      "need, or ask the operator to raise MAX_WORKSPACE_BYTES."
  )
})
