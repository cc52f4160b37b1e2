/** An embed's picture that is one of the post's media. */
export const embeddedMedia = ({ image }: { readonly image?: string }): string | undefined =>
  image === undefined || image.includes(":") ? undefined : image.toLowerCase()
