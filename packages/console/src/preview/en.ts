export const preview = "Preview"
export const previewFor = "Preview for"
export const hidePreview = "Hide preview"
export const showPreview = "Show preview"
export const mayDiffer = "The network may show it a little differently."
export const chooseAccount = "Choose an account to see how the post will look there."
export const previewOf = (network: string, look: string) => `Preview: ${network}, ${look}`
export const nothingYet = "Write a text or add a picture to see it here."
export const mediaNeeded = (network: string) => `A post on ${network} needs a picture or a video.`
export const videoNeeded = (network: string) => `A post on ${network} needs a video.`
export const more = "more"
export const less = "less"
export const ofText = "of the text"
export const nthOf = (index: number, count: number) => `${index + 1} / ${count}`
export const nthSpoken = (index: number, count: number) => `Picture ${index + 1} of ${count}`
export const previous = "Previous picture"
export const next = "Next picture"
export const play = "Play the video"
export const cut = (from: string, to: string) => `Cropped from ${from} to ${to}.`
export const noTextInStory = "A story shows only the picture, without the text."
export const loading = "Loading"
export const noPicture = "No preview of this file"
export const now = "now"
export const firstComment = "First comment"
export const withOthers = (names: string) => `with ${names}`
export const noBoard = "No board is chosen yet"
export const aBoard = "A board is chosen"
export const boardOf = (name: string) => `Board: ${name}`
export const draftInInbox = "Goes to the account’s inbox. You finish it in the app."
