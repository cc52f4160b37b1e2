import type { rooms } from "./rooms.ts"

export type RoomOf = (typeof rooms)[number]

/** The number beside the name of a room that has one. */
export const Badge = ({ room }: { readonly room: RoomOf }) => ("Badge" in room ? <room.Badge /> : null)
