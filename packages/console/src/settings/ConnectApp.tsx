import { boot } from "../data/boot.ts"
import { BackLink } from "../ui/BackLink.tsx"
import { buttonClass } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { CopyField } from "../ui/CopyField.tsx"
import { Remark } from "../ui/Remark.tsx"
import { Stack } from "../ui/Stack.tsx"
import { agents } from "./agents.ts"
import { words as all } from "./en.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.connectApp

const url = `${boot.public_url}/mcp`

/** Whether the makers' servers, on other machines, can reach the address. */
const isPublic = ({ hostname, protocol }: URL) =>
  protocol === "https:" && !/^(localhost|127\.|10\.|192\.168\.|\[)|\.(local|internal|lan)$/.test(hostname)

/** How to connect each popular app to this instance, with its address filled in. */
export const ConnectApp = () => (
  <SettingsPage>
    <div>
      <BackLink to="/settings/connected-apps">{all.pages.apps}</BackLink>
    </div>
    <Card title={words.title}>
      <Stack>
        <p className="text-sm text-soft">{words.text}</p>
        <CopyField label={words.address} value={url} />
        {!isPublic(new URL(url)) && (
          <Remark tone="plain" icon="globe">
            {words.unreachable(boot.public_url)}
          </Remark>
        )}
      </Stack>
    </Card>
    <Card title={words.steps}>
      <ul className="divide-y divide-hair">
        {agents(url).map(({ link, name, steps }) => (
          <li key={name}>
            <details className="px-4 text-sm" name="agent">
              <summary className="min-h-8 cursor-pointer py-2 font-semibold max-md:min-h-touch">
                {name}
              </summary>
              <div className="flex flex-col gap-3 pb-4">
                {link !== undefined && (
                  <div>
                    <a className={buttonClass()} href={link}>
                      {words.add(name)}
                    </a>
                  </div>
                )}
                {steps.map((step) =>
                  typeof step === "string" ? (
                    <p key={step}>{step}</p>
                  ) : (
                    <CopyField
                      key={step.code}
                      label={words.lines(name)}
                      value={step.code}
                      lines={step.code.split("\n").length}
                    />
                  )
                )}
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  </SettingsPage>
)
