import { platformName } from "@carillon/domain/PlatformFacts"
import { Link } from "@tanstack/react-router"
import { useAccounts } from "../data/accounts.ts"
import { useResult } from "../data/posts.ts"
import { words } from "./en.ts"
import { Notice } from "./Notice.tsx"
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
    <Notice icon="refresh" role="note">
      {words.repair.of(names)}{" "}
      {failed !== undefined && (
        <Link to="/posts/$id" params={{ id: failed.post_id }}>
          {words.repair.show}
        </Link>
      )}
    </Notice>
  )
}
