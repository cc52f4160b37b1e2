import { platformName } from "@carillon/domain/PlatformFacts"
import { Link } from "@tanstack/react-router"
import { useAccounts } from "../data/accounts.ts"
import { useResult } from "../data/posts.ts"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import type { Failure } from "./repairs.ts"

interface Props {
  /** At least one. */
  readonly failures: ReadonlyArray<Failure>
}

/** Says which failures the post repairs. */
export const RepairNote = ({ failures }: Props) => {
  const failed = useResult(failures[0]!.result)
  const accounts = useAccounts()
  const names = failures.flatMap(({ account }) => {
    const found = accounts.get(account)
    return found === undefined ? [] : [`${platformName(found.platform)} ${found.name}`]
  })
  if (names.length === 0) return null
  return (
    <p className="note" role="note">
      <Icon name="refresh" />{" "}
      <span>
        {words.repair.of(names)}{" "}
        {failed !== undefined && (
          <Link to="/posts/$id" params={{ id: failed.post_id }}>
            {words.repair.show}
          </Link>
        )}
      </span>
    </p>
  )
}
