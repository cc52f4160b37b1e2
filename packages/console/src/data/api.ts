import { Carillon, CarillonError } from "@carillon/sdk"
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
import { boot, type Workspace } from "./boot.ts"

const asked = new URLSearchParams(location.search).get("w")

/** The workspace of this tab: the one that the address names, else the first. */
export const workspace: Workspace = boot.workspaces.find(({ id }) => id === asked) ?? boot.workspaces[0]!

/** The one client of the console: the session of the browser, in this tab's workspace. */
export const carillon = new Carillon({
  session: { workspaceId: workspace.id },
  baseUrl: location.origin,
  // The console says what it waits for, and asks again by itself.
  maxRetries: 0
})

/** Where the session has ended, asks for the password again, and leads back here. Tells whether it does. */
export const signInAgain = (error: unknown) => {
  if (!(error instanceof CarillonError) || error.code !== "signed_out") return false
  location.assign(`/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`)
  return true
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => void signInAgain(error) }),
  mutationCache: new MutationCache({ onError: (error) => void signInAgain(error) }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 2 && isPassing(error),
      retryDelay: (failures) => 1_000 * 2 ** failures
    },
    // Without a connection a person hears so at once; the default waits in silence.
    mutations: { retry: false, networkMode: "always" }
  }
})

/** No answer, or one that says that the service is about to be well again. */
const isPassing = (error: unknown) =>
  !(error instanceof CarillonError && error.status !== null && error.status < 500)
