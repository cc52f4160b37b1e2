import { type MediaId, problem } from "@carillon/domain"
import { DateTime, Effect } from "effect"
import type { ReservationRepository } from "../files/ReservationRepository.ts"

/**
 * Refuses a reservation that would bring the open ones of its credential above `MAX_RESERVED_BYTES`. One upload is always
 * possible. In the transaction that has just stored it: the change of the workspace's bytes lets others wait.
 */
export const requireReservation = Effect.fnUntraced(function* (
  maximum: number,
  reservations: ReservationRepository["Service"],
  id: MediaId,
  bytes: number
) {
  const others = yield* reservations.otherBytesReserved(id, yield* DateTime.now)
  if (others === 0 || others + bytes <= maximum) return
  return yield* problem(
    "reservations_full",
    `This credential has reserved ${others} bytes that have not been uploaded; with the ${bytes} of this file there would ` +
      `be more than ${maximum}. Upload or delete what is reserved, or wait until its upload_url has expired, an hour after it was given.`
  )
})
