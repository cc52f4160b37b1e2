import { boot } from "./boot.ts"

/** Tells a password manager whose password the form beside it asks for. */
export const OwnName = () => (
  <input
    className="unseen"
    name="username"
    autoComplete="username"
    value={boot.member.name}
    readOnly
    tabIndex={-1}
    aria-hidden="true"
  />
)
