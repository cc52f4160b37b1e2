import type { PlatformId } from "../PlatformFacts.ts"

/** A line of what is to be done at a platform. */
export interface AppStep {
  readonly text: string
  readonly link?: { readonly name: string; readonly href: string }
  /** An address of this service that goes there, with a button that copies it. */
  readonly copies?: "redirect" | "site"
  /** Words that are typed or ticked there as they are. */
  readonly exactly?: ReadonlyArray<string>
}

interface PlatformAppFacts {
  /** The platforms whose accounts it connects. */
  readonly platform: PlatformId
  /** The environment variables of its id, its secret and the token of its bot. */
  readonly variables: readonly [id: string, secret: string, ...botToken: ReadonlyArray<string>]
  /** The network that it connects. */
  readonly name: string
  /** The company that registers the app. */
  readonly by: string
  /** The platform's names for its id and its secret. */
  readonly id: string
  readonly secret: string
  /** Its name for the token of the app's bot. Left out: the app has no bot. */
  readonly botToken?: string
  readonly steps: ReadonlyArray<AppStep>
  /** Restrictions of the platform on a new app. */
  readonly later: string
}

const metaReview =
  "Until Meta has reviewed the app, only people with a role in it can connect their accounts. To let others connect, request Advanced Access for the permissions there."

const linkedInAccess =
  "LinkedIn ends the access to an account after 60 days. You are reminded seven days and one day before, and connect it again."

/**
 * The apps of the operator's that connect accounts, by who registers them. Instagram is connected through either of two:
 * one for Instagram Login, and one for Facebook Login. LinkedIn has one for profiles and one for pages. One app of Meta's or
 * one client of Google's may serve several rows. Nothing but the ids of platforms is imported here.
 */
const apps = {
  tiktok: {
    platform: "tiktok",
    variables: ["TIKTOK_CLIENT_KEY", "TIKTOK_CLIENT_SECRET"],
    name: "TikTok",
    by: "TikTok",
    id: "Client key",
    secret: "Client secret",
    steps: [
      {
        text: "Sign in to TikTok for Developers and choose Connect an app.",
        link: { name: "TikTok for Developers", href: "https://developers.tiktok.com/apps/" }
      },
      { text: "Give it a name, an icon, and the URLs of your terms and your privacy policy." },
      {
        text: "Add the products Login Kit and Content Posting API. In Content Posting API, turn on Direct Post."
      },
      { text: "In Login Kit, enter this redirect URI for Web:", copies: "redirect" },
      {
        text: "Add these scopes:",
        exactly: ["user.info.basic", "user.info.profile", "video.publish", "video.upload"]
      },
      {
        text: "To post photos, verify this URL under URL properties, because TikTok fetches them from here:",
        copies: "site"
      },
      { text: "Copy the client key and the client secret, and enter them here." }
    ],
    later:
      "Until TikTok has audited the app, it posts only to private accounts, and nobody else sees the posts. Drafts work right away."
  },
  instagram: {
    platform: "instagram",
    variables: ["INSTAGRAM_APP_ID", "INSTAGRAM_APP_SECRET"],
    name: "Instagram",
    by: "Instagram",
    id: "Instagram app ID",
    secret: "Instagram app secret",
    steps: [
      {
        text: "Sign in to Meta for Developers and create an app of type Business.",
        link: { name: "Meta for Developers", href: "https://developers.facebook.com/apps/" }
      },
      { text: "Add the product Instagram, and choose API setup with Instagram login." },
      { text: "In Business login settings, enter this redirect URL:", copies: "redirect" },
      {
        text: "Allow these permissions:",
        exactly: [
          "instagram_business_basic",
          "instagram_business_content_publish",
          "instagram_business_manage_comments"
        ]
      },
      {
        text: "Copy the Instagram app ID and the Instagram app secret from the same page, and enter them here. The ID and secret at the top of the app’s settings are different ones."
      }
    ],
    later: metaReview
  },
  facebook: {
    platform: "instagram",
    variables: ["FACEBOOK_APP_ID", "FACEBOOK_APP_SECRET"],
    name: "Instagram through Facebook",
    by: "Facebook",
    id: "App ID",
    secret: "App secret",
    steps: [
      {
        text: "Sign in to Meta for Developers and create an app of type Business.",
        link: { name: "Meta for Developers", href: "https://developers.facebook.com/apps/" }
      },
      {
        text: "Add Facebook Login for Business, and Instagram with API setup with Facebook login. This is for Instagram accounts that belong to a Facebook Page."
      },
      {
        text: "In the settings of Facebook Login, under Valid OAuth Redirect URIs, enter this URI:",
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
  threads: {
    platform: "threads",
    variables: ["THREADS_APP_ID", "THREADS_APP_SECRET"],
    name: "Threads",
    by: "Meta",
    id: "Threads app ID",
    secret: "Threads app secret",
    steps: [
      {
        text: "Sign in to Meta for Developers and create an app with the use case Access the Threads API.",
        link: { name: "Meta for Developers", href: "https://developers.facebook.com/apps/" }
      },
      {
        text: "Customize the use case, and add these permissions. The last one is for posts with a location:",
        exactly: [
          "threads_basic",
          "threads_content_publish",
          "threads_read_replies",
          "threads_location_tagging"
        ]
      },
      {
        text: "In the settings of the use case, enter this redirect callback URL, and save:",
        copies: "redirect"
      },
      {
        text: "Meta requires an uninstall and a delete callback URL. Enter this one for both:",
        copies: "site"
      },
      {
        text: "Under App roles, add the Threads accounts as Threads testers. Each accepts in the settings of Threads, under Website permissions."
      },
      {
        text: "Copy the Threads app ID and the Threads app secret from App settings, Basic, and enter them here. The app ID and app secret at the top are different ones."
      }
    ],
    later:
      "Until Meta has reviewed the app, only Threads testers can connect their accounts. To let others connect, request Advanced Access for the permissions there."
  },
  facebook_pages: {
    platform: "facebook",
    variables: ["FACEBOOK_PAGES_APP_ID", "FACEBOOK_PAGES_APP_SECRET"],
    name: "Facebook",
    by: "Facebook",
    id: "App ID",
    secret: "App secret",
    steps: [
      {
        text: "Sign in to Meta for Developers and create an app of type Business. You can also use your app for Instagram through Facebook: enter it here again.",
        link: { name: "Meta for Developers", href: "https://developers.facebook.com/apps/" }
      },
      {
        text: "Add Facebook Login for Business, and the use case Manage everything on your Page."
      },
      {
        text: "In the settings of Facebook Login, under Valid OAuth Redirect URIs, enter this URI:",
        copies: "redirect"
      },
      {
        text: "Allow these permissions:",
        exactly: [
          "pages_show_list",
          "pages_read_engagement",
          "pages_manage_posts",
          "pages_manage_engagement",
          "business_management"
        ]
      },
      {
        text: "Switch the app to Live. What an app in development posts may be hidden from people without a role in it."
      },
      { text: "Copy the app ID and the app secret from App settings, Basic, and enter them here." }
    ],
    later: metaReview
  },
  google: {
    platform: "youtube",
    variables: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
    name: "YouTube",
    by: "Google",
    id: "Client ID",
    secret: "Client secret",
    steps: [
      {
        text: "Sign in to the Google Cloud console and create a new project.",
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
        exactly: ["youtube.upload", "youtube.readonly", "youtube", "youtube.force-ssl"]
      },
      {
        text: "Under Audience, choose Publish app. While the app is in testing, Google ends every connection after seven days."
      },
      {
        text: "Under Clients, create a client of type Web application with this authorized redirect URI:",
        copies: "redirect"
      },
      { text: "Copy the client ID and the client secret, and enter them here." }
    ],
    later:
      "Since 2 November 2026, Google no longer keeps the videos of an unaudited project private. An audit still raises the quota: request it with the form “YouTube API Services - Audit and Quota Extension”."
  },
  google_business: {
    platform: "google_business",
    variables: ["GOOGLE_BUSINESS_CLIENT_ID", "GOOGLE_BUSINESS_CLIENT_SECRET"],
    name: "Google Business",
    by: "Google",
    id: "Client ID",
    secret: "Client secret",
    steps: [
      {
        text: "Sign in to the Google Cloud console and create a project, or choose the one that you have for YouTube.",
        link: { name: "Google Cloud console", href: "https://console.cloud.google.com/" }
      },
      {
        text: "Request access to the Business Profile APIs with the number of this project. Google grants it to owners and managers of a profile that was verified at least 60 days ago.",
        link: {
          name: "Access to the Business Profile APIs",
          href: "https://developers.google.com/my-business/content/prereqs"
        }
      },
      {
        text: "When Google has granted it, enable these three APIs:",
        exactly: [
          "Google My Business API",
          "My Business Account Management API",
          "My Business Business Information API"
        ]
      },
      {
        text: "Set up the OAuth consent screen for external users, and add this scope under Data access:",
        exactly: ["https://www.googleapis.com/auth/business.manage"]
      },
      {
        text: "Under Audience, choose Publish app. While the app is in testing, Google ends every connection after seven days."
      },
      {
        text: "Under Clients, create a client of type Web application with this authorized redirect URI, or add the URI to the client that you have:",
        copies: "redirect"
      },
      { text: "Copy the client ID and the client secret, and enter them here." }
    ],
    later:
      "Until Google has granted access, the project’s quota is 0: every call is refused, and nothing can be connected. Google must reach this service to fetch pictures."
  },
  pinterest: {
    platform: "pinterest",
    variables: ["PINTEREST_APP_ID", "PINTEREST_APP_SECRET"],
    name: "Pinterest",
    by: "Pinterest",
    id: "App ID",
    secret: "App secret key",
    steps: [
      {
        text: "Sign in to Pinterest for Developers with a business account and choose Connect app.",
        link: { name: "Pinterest for Developers", href: "https://developers.pinterest.com/apps/" }
      },
      {
        text: "Enter its name, its purpose, and the URL of your privacy policy. Pinterest reviews it first."
      },
      { text: "In the app, under Redirect URIs, enter this URI:", copies: "redirect" },
      { text: "Copy the app ID and the app secret key, and enter them here." }
    ],
    later:
      "Every app starts with trial access: only the account itself sees its pins. Request Standard access on the app’s page."
  },
  twitter: {
    platform: "twitter",
    variables: ["TWITTER_CLIENT_ID", "TWITTER_CLIENT_SECRET"],
    name: "X",
    by: "X",
    id: "OAuth 2.0 Client ID",
    secret: "Client Secret",
    steps: [
      {
        text: "Sign in to the X Developer Console with any X account, and create an app.",
        link: { name: "X Developer Console", href: "https://console.x.com" }
      },
      { text: "Add credits under Billing. X charges for each post, and more for one with a link." },
      {
        text: "In the app, under User authentication settings, choose Set up. Choose this permission and this type of app:",
        exactly: ["Read and write", "Web App, Automated App or Bot"]
      },
      { text: "Enter this callback URI:", copies: "redirect" },
      { text: "Enter this website URL, and save:", copies: "site" },
      {
        text: "Copy the OAuth 2.0 Client ID and the Client Secret, which X shows once, and enter them here. The API key and its secret are different ones."
      }
    ],
    later: "X needs no review of the app. Without credits, it refuses every call."
  },
  linkedin: {
    platform: "linkedin",
    variables: ["LINKEDIN_CLIENT_ID", "LINKEDIN_CLIENT_SECRET"],
    name: "LinkedIn",
    by: "LinkedIn",
    id: "Client ID",
    secret: "Primary Client Secret",
    steps: [
      {
        text: "Sign in to LinkedIn Developers and choose Create app. This app is for the profiles of people.",
        link: { name: "LinkedIn Developers", href: "https://www.linkedin.com/developers/apps" }
      },
      { text: "Enter its name, a LinkedIn page, the URL of your privacy policy, and a logo." },
      {
        text: "Under Products, request these two. LinkedIn grants them at once:",
        exactly: ["Share on LinkedIn", "Sign In with LinkedIn using OpenID Connect"]
      },
      {
        text: "Under Auth, in OAuth 2.0 settings, enter this authorized redirect URL:",
        copies: "redirect"
      },
      { text: "Copy the client ID and the primary client secret from the same page, and enter them here." }
    ],
    later: linkedInAccess
  },
  linkedin_pages: {
    platform: "linkedin",
    variables: ["LINKEDIN_PAGES_CLIENT_ID", "LINKEDIN_PAGES_CLIENT_SECRET"],
    name: "LinkedIn pages",
    by: "LinkedIn",
    id: "Client ID",
    secret: "Primary Client Secret",
    steps: [
      {
        text: "Sign in to LinkedIn Developers and choose Create app. Pages need an app of their own, because LinkedIn adds their product only to an app without any other.",
        link: { name: "LinkedIn Developers", href: "https://www.linkedin.com/developers/apps" }
      },
      {
        text: "Enter its name, the LinkedIn page of your organization, the URL of your privacy policy, and a logo. Under Settings, let an administrator of the page verify the app."
      },
      {
        text: "Under Products, request this one and fill in its form. LinkedIn reviews the request:",
        exactly: ["Community Management API"]
      },
      {
        text: "Under Auth, in OAuth 2.0 settings, enter this authorized redirect URL:",
        copies: "redirect"
      },
      { text: "Copy the client ID and the primary client secret from the same page, and enter them here." }
    ],
    later: `Until LinkedIn has granted the product, no page can be connected. ${linkedInAccess}`
  },
  discord: {
    platform: "discord",
    variables: ["DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET", "DISCORD_BOT_TOKEN"],
    name: "Discord",
    by: "Discord",
    id: "Client ID",
    secret: "Client Secret",
    botToken: "Bot token",
    steps: [
      {
        text: "Sign in to the Discord Developer Portal and choose New Application.",
        link: { name: "Discord Developer Portal", href: "https://discord.com/developers/applications" }
      },
      { text: "Under OAuth2, add this redirect, and save:", copies: "redirect" },
      { text: "On the same page, choose Reset Secret, and copy the client ID and the client secret." },
      { text: "Under Bot, choose Reset Token. Discord shows the token once." },
      {
        text: "On the same page, keep Requires OAuth2 Code Grant off, and Public Bot on if others add the bot too."
      },
      { text: "Enter the three here." }
    ],
    later:
      "An app in up to 100 servers needs no review. Without an app, connect Discord with a webhook or a bot token."
  }
} as const satisfies Readonly<Record<string, PlatformAppFacts>>

export type PlatformAppName = keyof typeof apps

export const platformApps: Readonly<Record<PlatformAppName, PlatformAppFacts>> = apps

export const platformAppNames = Object.keys(apps) as ReadonlyArray<PlatformAppName>

/** The apps of which one connects accounts of a platform; none: it wants none. */
export const appsOf = (platform: string): ReadonlyArray<PlatformAppName> =>
  platformAppNames.filter((name) => platformApps[name].platform === platform)
