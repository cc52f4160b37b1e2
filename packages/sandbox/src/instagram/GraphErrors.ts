import type { Schema } from "effect"
import { type Dialect, Refused } from "../Exchange.ts"

/** Meta's own messages, by `code/subcode`. */
const words: Readonly<Record<string, string>> = {
  "-1/2207001": "Instagram server error. Try again.",
  "-2/2207003": "It takes too long to download the media.",
  "-2/2207020": "The media you are trying to access has expired. Try to upload again.",
  "-1/2207032": "Create media fail, please try to re-create media.",
  "-1/2207053": "Unknown error occurred during upload. Generate a new container and use it to try again.",
  "-1/2207082": "The upload of the media has failed.",
  "80002": "There have been too many calls to this Instagram account. Wait a bit and try again.",
  "9/2207042":
    "You reached maximum number of posts that is allowed to be published by Content Publishing API.",
  "1/2207057": "Thumbnail offset must be greater than or equal to 0 and less than video duration.",
  "4/2207051": "We restrict certain activity to protect our community.",
  "24/2207006":
    "The media with that id cannot be found: possible permission error due to missing permission or expired token.",
  "24/2207008": "The media builder with that creation id does not exist or has been expired.",
  "25/2207050": "The Instagram account is restricted.",
  "100/2207023": "The media type is unknown.",
  "100/2207028": "Your post won't work as a carousel.",
  "100/2207081": "This account does not support trial reels.",
  "352/2207026": "The video format is not supported. Please check spec for supported format.",
  "9004/2207052": "The media could not be fetched from this URI.",
  "9007/2207027": "The media is not ready for publishing, please wait for a moment.",
  "36000/2207004": "The image is too large to download. It should be less than 8 MB.",
  "36001/2207005": "The image format is not supported: supported formats are JPEG.",
  "36003/2207009": "The submitted image has an aspect ratio that is not allowed.",
  "36004/2207010": "The caption was too long."
}

const errorBody = (code: string, message: string): Schema.Json => {
  const [number, subcode] = code.split("/").map(Number)
  return {
    error: {
      message: Number.isInteger(number) ? message : `${code}: ${message}`,
      type: "OAuthException",
      code: Number.isInteger(number) ? number! : 100,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      is_transient: number === 2,
      fbtrace_id: "AStandInTraceId"
    }
  }
}

/** The body of an error of the Graph API: the code of a refusal is `code/subcode` or `code`. */
export const graphDialect: Dialect = {
  platform: "instagram",
  errorBody,
  words: {
    forbidden: { status: 403, code: "10" },
    unauthorized: { status: 400, code: "190/463" },
    rate_limited: { status: 400, code: "80002" },
    server_error: { status: 500, code: "2" }
  },
  // Whole minutes, for each use case of each business.
  comeBack: (seconds) => ({
    "x-business-use-case-usage": JSON.stringify({
      "17841400000000000": [
        {
          type: "instagram",
          call_count: 100,
          total_cputime: 25,
          total_time: 25,
          estimated_time_to_regain_access: Math.ceil(seconds / 60)
        }
      ]
    })
  })
}

/** `code/subcode` with Meta's message, or with the given one. */
export const graphError = (code: string, message = words[code] ?? "Unknown error.", status = 400) =>
  new Refused({ status, code, message })

/** An error by its subcode alone. */
export const subcodeError = (subcode: string) =>
  graphError(Object.keys(words).find((known) => known.endsWith(`/${subcode}`)) ?? `100/${subcode}`)

/** A container's `status` when Meta could not take its media. */
export const processingError = (subcode: string): string => {
  const code = Object.keys(words).find((known) => known.endsWith(`/${subcode}`))
  return `Error: Media upload has failed with error code ${subcode}${code === undefined ? "" : `: ${words[code]}`}`
}
