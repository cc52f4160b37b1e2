import type { PlatformAppName, PlatformAppTest } from "@carillon/sdk"

/** A line of what is to be done at a network. */
export interface Step {
  readonly text: string
  readonly link?: { readonly name: string; readonly href: string }
  /** An address of this service that goes there, with a button that copies it. */
  readonly copies?: "redirect" | "site"
  /** Words that are typed or ticked there as they are. */
  readonly exactly?: ReadonlyArray<string>
}

interface Network {
  /** What is connected. */
  readonly name: string
  /** Who has to know the app. */
  readonly by: string
  readonly id: string
  readonly secret: string
  readonly steps: ReadonlyArray<Step>
  /** What the network holds back at first. */
  readonly later: string
}

const metaReview =
  "Until Meta has reviewed the app, only people with a role in it can connect their accounts. For everybody else ask for Advanced Access of the permissions there."

const networks: Readonly<Record<PlatformAppName, Network>> = {
  tiktok: {
    name: "TikTok",
    by: "TikTok",
    id: "Client key",
    secret: "Client secret",
    steps: [
      {
        text: "Sign in at TikTok for Developers, and choose Connect an app.",
        link: { name: "TikTok for Developers", href: "https://developers.tiktok.com/apps/" }
      },
      { text: "Give it a name, an icon, and the addresses of your terms and your privacy policy." },
      {
        text: "Add the products Login Kit and Content Posting API. In Content Posting API, switch on Direct Post."
      },
      { text: "In Login Kit, for the web, enter this redirect address:", copies: "redirect" },
      {
        text: "Ask for these scopes:",
        exactly: ["user.info.basic", "user.info.profile", "video.publish", "video.upload"]
      },
      {
        text: "To post photos, verify this address under URL properties, because TikTok fetches them from here:",
        copies: "site"
      },
      { text: "Copy the client key and the client secret, and enter them here." }
    ],
    later:
      "Until TikTok has audited the app, it posts only to private accounts, and nobody else sees the posts. Drafts work at once."
  },
  instagram: {
    name: "Instagram",
    by: "Instagram",
    id: "Instagram app ID",
    secret: "Instagram app secret",
    steps: [
      {
        text: "Sign in at Meta for Developers, and make an app of the type Business.",
        link: { name: "Meta for Developers", href: "https://developers.facebook.com/apps/" }
      },
      { text: "Add the product Instagram, and choose API setup with Instagram login." },
      { text: "In Business login settings, enter this redirect address:", copies: "redirect" },
      {
        text: "Allow these permissions:",
        exactly: [
          "instagram_business_basic",
          "instagram_business_content_publish",
          "instagram_business_manage_comments"
        ]
      },
      {
        text: "Copy the Instagram app ID and the Instagram app secret from the same page, and enter them here. Those at the top of the app’s settings are others."
      }
    ],
    later: metaReview
  },
  facebook: {
    name: "Instagram through Facebook",
    by: "Facebook",
    id: "App ID",
    secret: "App secret",
    steps: [
      {
        text: "Sign in at Meta for Developers, and make an app of the type Business.",
        link: { name: "Meta for Developers", href: "https://developers.facebook.com/apps/" }
      },
      {
        text: "Add Facebook Login for Business, and Instagram with API setup with Facebook login. This is for Instagram accounts that belong to a Facebook Page."
      },
      {
        text: "In the settings of Facebook Login, under Valid OAuth Redirect URIs, enter this address:",
        copies: "redirect"
      },
      {
        text: "Allow these permissions:",
        exactly: [
          "instagram_basic",
          "instagram_content_publish",
          "instagram_manage_comments",
          "pages_show_list",
          "pages_read_engagement"
        ]
      },
      { text: "Copy the app ID and the app secret from App settings, Basic, and enter them here." }
    ],
    later: metaReview
  },
  google: {
    name: "YouTube",
    by: "Google",
    id: "Client ID",
    secret: "Client secret",
    steps: [
      {
        text: "Sign in at the Google Cloud console, and make a new project.",
        link: { name: "Google Cloud console", href: "https://console.cloud.google.com/" }
      },
      {
        text: "Enable the YouTube Data API v3.",
        link: {
          name: "YouTube Data API v3",
          href: "https://console.cloud.google.com/apis/library/youtube.googleapis.com"
        }
      },
      {
        text: "Set up the OAuth consent screen for external users, and add these scopes under Data access:",
        exactly: ["youtube.upload", "youtube.readonly", "youtube"]
      },
      {
        text: "Under Audience, choose Publish app. While the app is in testing, Google ends every connection after seven days."
      },
      {
        text: "Under Clients, create a client of the type Web application with this authorized redirect URI:",
        copies: "redirect"
      },
      { text: "Copy the client ID and the client secret, and enter them here." }
    ],
    later:
      "Until Google has audited the project, it keeps every video private. Ask for the audit with the form “YouTube API Services - Audit and Quota Extension”."
  },
  pinterest: {
    name: "Pinterest",
    by: "Pinterest",
    id: "App ID",
    secret: "App secret key",
    steps: [
      {
        text: "Sign in at Pinterest for Developers with a business account, and choose Connect app.",
        link: { name: "Pinterest for Developers", href: "https://developers.pinterest.com/apps/" }
      },
      {
        text: "Give it a name, what it is for, and the address of your privacy policy. Pinterest looks at it first."
      },
      { text: "In the app, under Redirect URIs, enter this address:", copies: "redirect" },
      { text: "Copy the app ID and the app secret key, and enter them here." }
    ],
    later:
      "With the trial access that every app begins with, only the account itself sees its pins. Ask for Standard access on the app’s page."
  }
}

const accounts = (count: number) => (count === 1 ? "1 account" : `${count} accounts`)

/** The words of this room. */
export const words = {
  room: "Apps of networks",
  intro:
    "TikTok, Instagram, YouTube and Pinterest let a service publish only through an app that you register with them. That is done once, for everybody who works here.",
  failed: "The apps could not be read",
  onlyOwners: {
    title: "This is for owners",
    text: "Ask an owner of this Carillon to set up the networks."
  },
  unknown: "There is no such network",
  networks,
  state: {
    environment: "Set in the configuration of the service",
    stored: "Set up",
    test_network: "Played by the test network",
    none: "Not set up"
  },
  about: {
    environment: (variables: string) =>
      `This app is set in the configuration of the service, with ${variables}. It can only be changed there.`,
    stored: (day: string) => `Your app has been in use since ${day}.`,
    test_network: (network: string) =>
      `There is no app yet. The test network plays ${network}, so nothing is really published.`,
    none: (network: string) => `There is no app yet, so no account of ${network} can be connected.`
  },
  connected: (count: number) =>
    count === 0
      ? "No account is connected through it yet."
      : `${accounts(count)} ${count === 1 ? "is" : "are"} connected through it.`,
  connectedShort: (count: number) => `${accounts(count)} connected`,
  connect: {
    open: "Connect an account",
    done: "The account is connected"
  },
  steps: "Register the app",
  newTab: "opens in a new tab",
  notHttps: (address: string) =>
    `This service is reached at ${address}, and most networks only take addresses that begin with https. Set its public address first.`,
  later: "Good to know",
  redirect: "Redirect address",
  site: "Address of this service",
  copy: "Copy",
  copied: "Copied",
  copyByHand: "Selected. Copy it with Ctrl+C, or ⌘C on a Mac.",
  form: {
    title: "Enter it here",
    text: "The secret is kept encrypted and never shown again.",
    keep: "Kept. Enter a new one only to replace it.",
    idMissing: "Enter it as it is shown there.",
    secretMissing: "Enter it as it is shown there.",
    secretAgain: "Enter the secret that belongs to it.",
    test: "Test",
    save: "Save",
    saved: (network: string) => `The app of ${network} is saved`,
    notSaved: "Not saved.",
    failed: "That did not work.",
    saveAnyway: "Save it all the same"
  },
  tested: {
    accepted: "It works.",
    wrong_id: "The first field is wrong.",
    wrong_secret: "The secret is wrong.",
    refused: "One of the two is wrong.",
    unclear: "The answer is unclear.",
    unreachable: "No answer."
  } satisfies Record<PlatformAppTest["result"], string>,
  replace: {
    title: (count: number) =>
      count === 1 ? "1 account has to be connected again" : `${accounts(count)} have to be connected again`,
    text: (count: number, network: string) =>
      count === 1
        ? `What it allowed was for the app before, and ${network} lets no other use it. Its posts wait until then.`
        : `What they allowed was for the app before, and ${network} lets no other use it. Their posts wait until then.`,
    go: "Replace the app",
    keep: "Keep it"
  },
  remove: {
    open: "Remove this app…",
    title: (network: string) => `Remove the app of ${network}?`,
    text: "Its secret is deleted here. The app itself stays where you registered it.",
    go: "Remove",
    keep: "Keep it",
    done: (network: string) => `The app of ${network} is removed`
  },
  back: "Apps of networks"
}
