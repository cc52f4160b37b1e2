import { useState } from "react"
import { carillon } from "./api.ts"

/** Sets the zone of the workspace. The page is read anew: the zone stands in it, and in everything that is shown. */
export const useZone = () => {
  const [saving, setSaving] = useState(false)
  const change = async (zone: string) => {
    setSaving(true)
    try {
      await carillon.profile.update({ timezone: zone })
      location.reload()
    } catch (error) {
      setSaving(false)
      throw error
    }
  }
  return { change, saving }
}
