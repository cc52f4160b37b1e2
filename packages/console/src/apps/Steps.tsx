import { type AppStep, platformApps } from "@carillon/domain/PlatformApps"
import type { PlatformApp } from "@carillon/sdk"
import { boot } from "../data/boot.ts"
import { Card } from "../ui/Card.tsx"
import { CopyField } from "../ui/CopyField.tsx"
import { ExternalLink } from "../ui/ExternalLink.tsx"
import { Stack } from "../ui/Stack.tsx"
import { words } from "./en.ts"
import { Remark } from "../ui/Remark.tsx"

/** The sentence, with the name in it leading there. */
const Sentence = ({ link, text }: AppStep) => {
  if (link === undefined) return text
  const [before = "", after = ""] = text.split(link.name)
  return (
    <>
      {before}
      <ExternalLink href={link.href}>{link.name}</ExternalLink>
      {after}
    </>
  )
}

const number =
  "grid size-6 flex-none place-items-center rounded-full bg-tint text-xs font-semibold text-brand"

export const Steps = ({ app: { app, redirect_url } }: { readonly app: PlatformApp }) => {
  const { later, steps } = platformApps[app]
  const addresses = { redirect: redirect_url, site: `${boot.public_url}/` }
  return (
    <Card title={words.steps}>
      <Stack>
        {!boot.public_url.startsWith("https:") && (
          <Remark tone="plain" icon="warning">
            {words.notHttps(boot.public_url)}
          </Remark>
        )}
        <ol className="flex flex-col gap-4 text-sm">
          {steps.map((step, index) => (
            <li key={step.text} className="flex gap-3">
              <span className={number} aria-hidden="true">
                {index + 1}
              </span>
              <div className="flex min-w-0 flex-1 flex-col gap-2">
                <p>
                  <Sentence {...step} />
                </p>
                {step.copies !== undefined && (
                  <CopyField label={words[step.copies]} value={addresses[step.copies]} />
                )}
                {step.exactly !== undefined && (
                  <ul className="flex flex-wrap gap-2">
                    {step.exactly.map((name) => (
                      <li key={name} className="rounded-tile bg-sunk px-2 text-xs select-all">
                        <code className="wrap-anywhere">{name}</code>
                      </li>
                    ))}
                  </ul>
                )}
              </div>
            </li>
          ))}
        </ol>
        <p className="text-sm text-soft">
          <strong>{words.later}.</strong> {later}
        </p>
      </Stack>
    </Card>
  )
}
