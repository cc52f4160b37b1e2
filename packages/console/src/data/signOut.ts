import { carillon } from "./api.ts"

/** Ends the session of this browser. */
export const signOut = async () => {
  const { data } = await carillon.session.list()
  const own = data.find(({ current }) => current)
  if (own !== undefined) await carillon.session.end(own.id)
  location.assign("/sign-in")
}
