import type { PlatformAppTest } from "@carillon/sdk"
import { words } from "./en.ts"
import { Remark } from "../ui/Remark.tsx"

export interface Answer {
  /** Absent: this service failed, not the network. */
  readonly result?: PlatformAppTest["result"]
  readonly message: string
  readonly notSaved?: boolean
}

/** What the network said about an app. */
export const TestAnswer = ({ answer }: { readonly answer: Answer | undefined }) => (
  <div className="empty:hidden" role="status">
    {answer !== undefined && (
      <Remark
        tone={
          answer.result === "accepted"
            ? "good"
            : answer.result?.startsWith("wrong") || answer.result === "refused"
              ? "bad"
              : "plain"
        }
        icon={answer.result === "accepted" ? "check" : "warning"}
      >
        <strong>
          {answer.result === undefined ? words.form.failed : words.tested[answer.result]}
          {answer.notSaved === true && ` ${words.form.notSaved}`}
        </strong>{" "}
        {answer.message}
      </Remark>
    )}
  </div>
)
