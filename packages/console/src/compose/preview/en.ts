export const preview = "Preview"
export const hidePreview = "Hide preview"
export const showPreview = "Show preview"
export const mayDiffer = "What a network shows may differ a little."
export const chooseAccount = "Choose an account to see how the post will look there."
export const previewOf = (network: string, look: string) => `Preview: ${network}, ${look}`
export const nothingYet = "Write a text or add a picture, and it shows here."
export const mediaNeeded = (network: string) => `${network} takes no post without a picture or a video.`
export const videoNeeded = (network: string) => `${network} takes no post without a video.`
export const more = "more"
export const less = "less"
export const ofText = "of the text"
export const nthOf = (index: number, count: number) => `${index + 1} / ${count}`
export const nthSpoken = (index: number, count: number) => `Picture ${index + 1} of ${count}`
export const previous = "Previous picture"
export const next = "Next picture"
export const play = "Play the video"
export const cut = (from: string, to: string) => `Cut from ${from} to ${to}.`
export const noTextInStory = "A story shows the picture alone, without the text."
export const loading = "Loading"
export const noPicture = "No picture of this file"
export const now = "now"
export const firstComment = "First comment"
export const withOthers = (names: string) => `with ${names}`
export const noBoard = "No board is chosen yet"
export const aBoard = "A board is chosen"
export const boardOf = (name: string) => `Board: ${name}`
export const draftInInbox = "Goes to the inbox of the account, and is finished in the app."
