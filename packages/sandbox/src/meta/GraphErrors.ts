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
  "32": "Page request limit reached.",
  "80001": "There have been too many calls to this Page account. Wait a bit and try again.",
  "80002": "There have been too many calls to this Instagram account. Wait a bit and try again.",
  "9/2207042":
    "You reached maximum number of posts that is allowed to be published by Content Publishing API.",
  "4/1390008": "You're posting too fast. Slow down and try again later.",
  "100/1349125": "The format of the file is not supported.",
  "100/1366051": "These photos were already posted.",
  "100/1609008": "Links to facebook.com cannot be shared here.",
  "100/2061006": "The URL you supplied is invalid.",
  "200/1404078": "Complete Page publishing authorization before you publish as this Page.",
  "200/1404112": "Your account is limited for security reasons.",
  "200/4854002": "Confirm your identity before you publish as this Page.",
  "324/1366046":
    "Your photos couldn't be uploaded. Photos should be less than 4 MB and saved as JPG, PNG, GIF, TIFF or BMP files.",
  "324/2069019": "Missing or invalid image file.",
  "368/1346003": "The content goes against our Community Standards.",
  "368/1404006": "We limit how often you can do certain things.",
  "368/1404102": "The content was reported as abusive.",
  "389": "Unable to fetch video file from URL.",
  "506": "Duplicate status message.",
  "1/1363047": "The video could not be processed. Try again.",
  "6000/1363019": "There was a problem uploading your video file. Try again with another file.",
  "6001/1363037": "The start offset is not the next one of the upload session.",
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

const errorBody = (
  code: string,
  message: string,
  error_data?: { readonly [name: string]: string }
): Schema.Json => {
  const [number, subcode] = code.split("/").map(Number)
  return {
    error: {
      message: Number.isInteger(number) ? message : `${code}: ${message}`,
      type: "OAuthException",
      code: Number.isInteger(number) ? number! : 100,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      is_transient: number === 2,
      ...(error_data === undefined ? {} : { error_data }),
      fbtrace_id: "AStandInTraceId"
    }
  }
}

/** Too many calls: the status and code of each product, and what it calls its use case. */
const tooManyCalls = {
  instagram: { status: 400, code: "80002", type: "instagram" },
  facebook: { status: 400, code: "80001", type: "pages" },
  threads: { status: 403, code: "4", type: "threads" }
} as const

/** The body of an error of the Graph API: the code of a refusal is `code/subcode` or `code`. */
export const graphDialect = (platform: keyof typeof tooManyCalls): Dialect => ({
  platform,
  errorBody: (code, message) => errorBody(code, message),
  words: {
    forbidden: { status: 403, code: "10" },
    unauthorized: { status: 400, code: "190/463" },
    rate_limited: tooManyCalls[platform],
    server_error: { status: 500, code: "2" }
  },
  // Whole minutes, for each use case of each business.
  comeBack: (seconds) => ({
    "x-business-use-case-usage": JSON.stringify({
      "17841400000000000": [
        {
          type: tooManyCalls[platform].type,
          call_count: 100,
          total_cputime: 25,
          total_time: 25,
          estimated_time_to_regain_access: Math.ceil(seconds / 60)
        }
      ]
    })
  })
})

/** Meta's message of a `code/subcode`. */
export const messageOf = (code: string): string => words[code] ?? "Unknown error."

/** `code/subcode` with Meta's message, or with the given one, and what is told with it. */
export const graphError = (
  code: string,
  message = messageOf(code),
  status = 400,
  error_data?: { readonly [name: string]: string }
) =>
  new Refused({
    status,
    code,
    message,
    ...(error_data === undefined ? {} : { body: errorBody(code, message, error_data) })
  })

/** An error by its subcode alone. */
export const subcodeError = (subcode: string) =>
  graphError(Object.keys(words).find((known) => known.endsWith(`/${subcode}`)) ?? `100/${subcode}`)

/** There is nothing with the id, or it is not the caller's. */
export const noObject = (id: string, what?: string) =>
  graphError(
    "100/33",
    `Unsupported ${what === undefined ? "" : `${what} `}request. Object with ID '${id.slice(0, 60)}' does not exist.`
  )

/** A container's `status` when Meta could not take its media. */
export const processingError = (subcode: string): string => {
  const code = Object.keys(words).find((known) => known.endsWith(`/${subcode}`))
  return `Error: Media upload has failed with error code ${subcode}${code === undefined ? "" : `: ${words[code]}`}`
}
