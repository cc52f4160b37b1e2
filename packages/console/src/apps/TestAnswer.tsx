import type { PlatformAppTest } from "@carillon/sdk"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"

export interface Answer {
  /** Absent: this service failed, not the network. */
  readonly result?: PlatformAppTest["result"]
  readonly message: string
  readonly notSaved?: boolean
}

/** What the network said about an app. */
export const TestAnswer = ({ answer }: { readonly answer: Answer | undefined }) => (
  <div className="answer" role="status">
    {answer !== undefined && (
      <p data-result={answer.result}>
        <Icon name={answer.result === "accepted" ? "check" : "warning"} />
        <span>
          <strong>
            {answer.result === undefined ? words.form.failed : words.tested[answer.result]}
            {answer.notSaved === true && ` ${words.form.notSaved}`}
          </strong>{" "}
          {answer.message}
        </span>
      </p>
    )}
  </div>
)
