import { useState } from "react"
import { sizeWords } from "../media/mediaFacts.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Remark } from "../ui/Remark.tsx"
import { Stack } from "../ui/Stack.tsx"
import { Switch } from "../ui/Switch.tsx"
import { words as all } from "./en.ts"
import { beginExport, type ExportRun, stopExport, useExportRun } from "./exportRun.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.export

const Making = ({ run: { done, files, state, total } }: { readonly run: ExportRun }) => (
  <>
    <p className="text-sm" role="status">
      {state === "reading" ? words.reading : words.fetching(files, sizeWords(done), sizeWords(total))}
    </p>
    <progress
      className="h-1 w-full accent-brand"
      aria-label={words.progress}
      {...(total === 0 ? {} : { max: total, value: done })}
    />
    <p className="text-xs text-soft">{words.stay}</p>
    <Actions>
      <Button onPress={stopExport}>{words.stop}</Button>
    </Actions>
  </>
)

const Made = ({ run: { files, name, posts, reason, state } }: { readonly run: ExportRun }) =>
  state === "saved" ? (
    <Remark tone="good" icon="check" role="alert">
      {words.saved(name, posts, files)}
    </Remark>
  ) : reason === null ? (
    <p className="text-sm text-soft">{words.stopped}</p>
  ) : (
    <Remark tone="bad" icon="warning" role="alert">
      {reason} {words.nothing}
    </Remark>
  )

/** The posts, accounts and files of the workspace, in a file to take away. */
export const ExportWorkspace = () => {
  const run = useExportRun()
  const [withFiles, setWithFiles] = useState(true)
  const isBusy = run?.state === "reading" || run?.state === "fetching"
  return (
    <SettingsPage>
      <p className="text-sm text-soft max-sm:px-4">{words.text}</p>
      <Card title={words.title}>
        <Stack>
          {isBusy ? (
            <Making run={run} />
          ) : (
            <>
              {run !== null && <Made run={run} />}
              <div>
                <Switch on={withFiles} onChange={setWithFiles}>
                  {words.files}
                </Switch>
                <p className="text-xs text-soft">{words.filesHelp}</p>
              </div>
              <Actions>
                <Button look="main" onPress={() => void beginExport(withFiles)}>
                  <Icon name="download" />
                  {words.go}
                </Button>
              </Actions>
            </>
          )}
        </Stack>
      </Card>
      <Card title={words.after}>
        <Stack>
          <p className="text-sm">{words.afterText}</p>
          <code className="overflow-x-auto rounded-control bg-sunk p-2 text-sm">{words.command}</code>
          <p className="text-sm text-soft">{words.notInIt}</p>
        </Stack>
      </Card>
    </SettingsPage>
  )
}
