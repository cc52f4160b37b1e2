import { Icon } from "../ui/Icon.tsx"
import { problemSentence } from "./problemSentence.ts"

/** Why the last try failed. Screen readers announce it. */
export const ProblemNotice = ({ error }: { readonly error: Error | string | null }) =>
  error !== null && (
    <p className="notice bad" role="alert">
      <Icon name="warning" />
      {typeof error === "string" ? error : problemSentence(error)}
    </p>
  )
