import { platformApps } from "@carillon/domain/PlatformApps"
import { platformName } from "@carillon/domain/PlatformFacts"
import type { PlatformAppTest } from "@carillon/sdk"

const platforms = [...new Set(Object.values(platformApps).map(({ platform }) => platformName(platform)))]

const accounts = (count: number) => (count === 1 ? "1 account" : `${count} accounts`)

/** The words of this room. */
export const words = {
  room: "Apps of networks",
  intro: `${platforms.slice(0, -1).join(", ")} and ${platforms.at(-1)} let a service publish only through an app that you register with them. That is done once, for everybody who works here.`,
  failed: "The apps could not be read",
  onlyOwners: {
    title: "This is for owners",
    text: "Ask an owner of this Carillon to set up the networks."
  },
  unknown: "There is no such network",
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
