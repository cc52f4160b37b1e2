import { Schema } from "effect"
import { onePlacement, rulesOf } from "../Platform.ts"
import { language, named, option, overrides, webAddress } from "./OptionFields.ts"

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts */
export const googleBusinessRules = rulesOf("google_business", {
  ...onePlacement({
    caption: { unit: "code_points", max: 1500 },
    text_only: true,
    images: {
      max_count: 1,
      mime_types: ["image/jpeg", "image/png"],
      max_bytes: 5_000_000,
      min_width: 400,
      min_height: 300
    },
    fetched: ["image"],
    mixed: false
  }),
  conflicts: ({ options: { cta_action_type: action, cta_url: url } }) => {
    if (action === "CALL")
      return url === undefined
        ? []
        : [
            {
              option: "cta_url",
              rule: "call_without_url",
              sentence: "calls the business with CALL and opens no URL; leave cta_url out."
            }
          ]
    if ((action === undefined) === (url === undefined)) return []
    return url === undefined
      ? [
          {
            option: "cta_action_type",
            rule: "action_with_url",
            sentence: `needs cta_url, the URL that ${String(action)} opens; add it.`
          }
        ]
      : [
          {
            option: "cta_url",
            rule: "url_with_action",
            sentence:
              "accepts cta_url only with cta_action_type, which says what the button does; add it or leave cta_url out."
          }
        ]
  }
})

export const GoogleBusinessOptions = Schema.Struct({
  ...overrides,
  cta_action_type: option(
    named({
      BOOK: "Book",
      ORDER: "Order online",
      SHOP: "Shop",
      LEARN_MORE: "Learn more",
      SIGN_UP: "Sign up",
      CALL: "Call now"
    }),
    "Button",
    "The button below the post. Default: none. `CALL` calls the business; the others open `cta_url`."
  ),
  cta_url: option(
    webAddress,
    "Button URL",
    "The URL that the button opens. Required by every button except `CALL`, which takes none."
  ),
  language_code: option(
    language,
    "Language",
    "The language of the text, such as en or pt-BR. Default: not stated."
  )
}).annotate({ identifier: "GoogleBusinessOptions" })
