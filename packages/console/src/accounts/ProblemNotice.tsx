import { Remark } from "../ui/Remark.tsx"
import { problemSentence } from "./problemSentence.ts"

/** Why the last try failed. Screen readers announce it. */
export const ProblemNotice = ({ error }: { readonly error: Error | string | null }) =>
  error !== null && (
    <Remark tone="bad" icon="warning" role="alert">
      {typeof error === "string" ? error : problemSentence(error)}
    </Remark>
  )
