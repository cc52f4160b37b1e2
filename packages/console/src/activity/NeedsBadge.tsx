import { Badge } from "../ui/Badge.tsx"
import { useNeeds } from "./useNeeds.ts"

/** How many things need a person. */
export const NeedsBadge = () => {
  const count = useNeeds().causes?.length ?? 0
  return count === 0 ? null : (
    <Badge>
      {count}
      <span className="unseen"> {count === 1 ? "needs you" : "need you"}</span>
    </Badge>
  )
}
