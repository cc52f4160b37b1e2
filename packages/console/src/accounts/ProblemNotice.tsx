import { Icon } from "../ui/Icon.tsx"

/** Why the last try did not work, told to those who do not see it too. */
export const ProblemNotice = ({ problem }: { readonly problem: string | null }) =>
  problem !== null && (
    <p className="notice bad" role="alert">
      <Icon name="warning" />
      {problem}
    </p>
  )
