import { Button } from "../ui/Button.tsx"
import { words } from "./en.ts"

interface Props {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** The next page of a list, if there is one. */
export const MoreButton = ({ list }: Props) =>
  list.hasNextPage && (
    <div className="flex justify-center p-3">
      <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
        {words.more}
      </Button>
    </div>
  )
