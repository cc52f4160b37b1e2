import type { Instance } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon } from "./api.ts"
import { isOwner } from "./may.ts"

const useInstanceQuery = <A>(select: (instance: Instance) => A) =>
  useQuery({
    queryKey: ["instance"],
    queryFn: ({ signal }) => carillon.instance.get({ signal }),
    staleTime: 60_000,
    select
  })

const whole = (instance: Instance) => instance

/** What the operator has set up. */
export const useInstance = () => useInstanceQuery(whole).data

const rank = ({ configured, platform }: Instance["connectable"][number]) =>
  platform === "sandbox" ? 0 : configured ? 1 : 2

const connectable = ({ connectable: networks }: Instance) =>
  networks.toSorted((one, other) => rank(one) - rank(other))

/** The networks of which accounts can be connected here; the test network first, then those that are set up. */
export const useConnectable = () => useInstanceQuery(connectable)

/** What the service finds of itself. */
export const useInstanceChecks = () =>
  useQuery({
    queryKey: ["instance", "checks"],
    queryFn: ({ signal }) => carillon.instance.checks({ signal }),
    enabled: isOwner,
    staleTime: 60_000
  })
