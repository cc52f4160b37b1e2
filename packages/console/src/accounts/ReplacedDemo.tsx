import { Avatar } from "../ui/Avatar.tsx"
import { Button } from "../ui/Button.tsx"
import { words } from "./en.ts"
import type { Account } from "../data/accounts.ts"

interface Props {
  readonly account: Account
  readonly onRemove: (account: Account) => void
}

/** A demo account whose network has an app or an account of its own now. */
export const ReplacedDemo = ({ account, onRemove }: Props) => (
  <section className="replaced card" aria-labelledby={`replaced-${account.id}`}>
    <Avatar account={account} size={36} />
    <div className="what">
      <h2 id={`replaced-${account.id}`}>{words.demo.title(words.ofAccount(account))}</h2>
      <p>{words.demo.text(account)}</p>
    </div>
    <Button onPress={() => onRemove(account)}>{words.demo.remove}</Button>
  </section>
)
