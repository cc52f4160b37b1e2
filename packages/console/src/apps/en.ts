import { platformApps } from "@carillon/domain/PlatformApps"
import { platformName } from "@carillon/domain/PlatformFacts"
import type { PlatformAppTest } from "@carillon/sdk"

const platforms = [...new Set(Object.values(platformApps).map(({ platform }) => platformName(platform)))]

const accounts = (count: number) => (count === 1 ? "1 account" : `${count} accounts`)

/** The words of this room. */
export const words = {
  intro: `${platforms.slice(0, -1).join(", ")} and ${platforms.at(-1)} let a service publish only through an app that you register with them. You do this once, for everybody who works here.`,
  failed: "The apps did not load",
  onlyOwners: {
    title: "Only owners can open this page",
    text: "Ask an owner of this Carillon to set up the networks."
  },
  unknown: "There is no such network",
  state: {
    environment: "Set in the service’s configuration",
    stored: "Set up",
    test_network: "Simulated by the test network",
    none: "Not set up"
  },
  about: {
    environment: (variables: string) =>
      `This app is set in the service’s configuration, with ${variables}. You can only change it there.`,
    stored: (day: string) => `Your app has been in use since ${day}.`,
    test_network: (network: string) =>
      `There is no app yet. The test network simulates ${network}, so nothing is really published.`,
    none: (network: string) => `There is no app yet, so you cannot connect ${network} accounts.`
  },
  connected: (count: number) =>
    count === 0
      ? "No account is connected through it yet."
      : `${accounts(count)} ${count === 1 ? "is" : "are"} connected through it.`,
  spending: (spent: string, scheduled: string, budget: string | null) =>
    `Its calls cost ${spent} this month, and scheduled posts will cost ${scheduled}; ${budget === null ? "no budget is set" : `the budget is ${budget}`}.`,
  connectedShort: (count: number) => `${accounts(count)} connected`,
  connect: {
    open: "Connect an account",
    done: "The account is connected",
    failed: "Not connected"
  },
  steps: "Register the app",
  notHttps: (address: string) =>
    `The address of this service is ${address}, but most networks accept only addresses that begin with https. Set a public address first.`,
  later: "Good to know",
  redirect: "Redirect address",
  site: "Address of this service",
  form: {
    title: "Enter the app’s details",
    text: "The secret is stored encrypted and never shown again.",
    keep: "Saved. Enter a new one only to replace it.",
    idMissing: "Enter the value that the network shows.",
    secretMissing: "Enter the value that the network shows.",
    secretAgain: "Enter the secret of this app.",
    test: "Test",
    save: "Save",
    saved: (network: string) => `The ${network} app is saved`,
    notSaved: "Not saved.",
    failed: "That did not work.",
    saveAnyway: "Save anyway"
  },
  tested: {
    accepted: "It works.",
    wrong_id: "The first field is wrong.",
    wrong_secret: "The secret is wrong.",
    refused: "One of the two values is wrong.",
    unclear: "The network’s answer is unclear.",
    unreachable: "The network did not answer."
  } satisfies Record<PlatformAppTest["result"], string>,
  replace: {
    title: (count: number) =>
      count === 1 ? "1 account has to be connected again" : `${accounts(count)} have to be connected again`,
    text: (count: number, network: string) =>
      count === 1
        ? `Its access belongs to the app it was connected through, and ${network} lets no other app use it. Its posts wait until then.`
        : `Their access belongs to the app they were connected through, and ${network} lets no other app use it. Their posts wait until then.`,
    go: "Replace the app",
    keep: "Keep it"
  },
  remove: {
    open: "Remove this app…",
    title: (network: string) => `Remove the ${network} app?`,
    text: "This deletes its secret here. The app itself stays registered with the network.",
    go: "Remove",
    keep: "Keep it",
    done: (network: string) => `The ${network} app is removed`,
    failed: "Not removed"
  },
  back: "Network apps"
}
