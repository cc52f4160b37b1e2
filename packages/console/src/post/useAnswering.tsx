import type { PostResult } from "@carillon/sdk"
import { useState } from "react"
import { platformName } from "@carillon/domain/PlatformFacts"
import { ItIsLiveDialog } from "./ItIsLiveDialog.tsx"
import { SendAgainDialog } from "./SendAgainDialog.tsx"
import type { useAnswers } from "./useAnswers.ts"

export interface OpenDialog {
  readonly dialog: "live" | "again"
  readonly result: PostResult
  readonly name: string
}

interface Props {
  readonly asked: OpenDialog
  readonly answers: ReturnType<typeof useAnswers>
  readonly onClose: () => void
}

const Answering = ({ answers, asked: { dialog, name, result }, onClose }: Props) =>
  dialog === "live" ? (
    <ItIsLiveDialog
      name={name}
      onClose={onClose}
      onConfirm={(url) => {
        onClose()
        void answers.isLive(result, name, url)
      }}
    />
  ) : (
    <SendAgainDialog
      network={platformName(result.platform)}
      name={name}
      onClose={onClose}
      onLeave={
        result.status === "unconfirmed"
          ? () => {
              onClose()
              void answers.isNotLive(result, name)
            }
          : undefined
      }
      onSend={() => {
        onClose()
        void answers.sendAgain(result)
      }}
    />
  )

/** Opens the dialog of an answer. */
export const useAnswering = (answers: ReturnType<typeof useAnswers>) => {
  const [asked, setAsked] = useState<OpenDialog | null>(null)
  return {
    ask: setAsked,
    dialog: asked && <Answering asked={asked} answers={answers} onClose={() => setAsked(null)} />
  }
}
