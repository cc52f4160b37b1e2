import { type AppStep, platformApps } from "@carillon/domain/PlatformApps"
import type { PlatformApp } from "@carillon/sdk"
import { boot } from "../data/boot.ts"
import { CopyField } from "../ui/CopyField.tsx"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"

/** The sentence, with the name in it leading there. */
const Sentence = ({ link, text }: AppStep) => {
  if (link === undefined) return text
  const [before = "", after = ""] = text.split(link.name)
  return (
    <>
      {before}
      <a href={link.href} target="_blank" rel="noreferrer">
        {link.name}
        <span className="unseen"> ({words.newTab})</span>
      </a>
      {after}
    </>
  )
}

export const Steps = ({ app: { app, redirect_url } }: { readonly app: PlatformApp }) => {
  const { later, steps } = platformApps[app]
  const addresses = { redirect: redirect_url, site: `${boot.public_url}/` }
  return (
    <section className="card" aria-labelledby="steps">
      <h2 id="steps">{words.steps}</h2>
      {!boot.public_url.startsWith("https:") && (
        <p className="remark">
          <Icon name="warning" />
          {words.notHttps(boot.public_url)}
        </p>
      )}
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.text}>
            <p>
              <Sentence {...step} />
            </p>
            {step.copies !== undefined && (
              <CopyField label={words[step.copies]} value={addresses[step.copies]} words={words} />
            )}
            {step.exactly !== undefined && (
              <ul className="exactly">
                {step.exactly.map((name) => (
                  <li key={name}>
                    <code>{name}</code>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      <p className="help">
        <strong>{words.later}.</strong> {later}
      </p>
    </section>
  )
}
