import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"

/** The networks of which accounts can be connected here; the test network first, then those that are set up. */
export const useConnectable = () =>
  useQuery({
    queryKey: ["instance", "connectable"],
    queryFn: async ({ signal }) => {
      const { connectable } = await carillon.instance.get({ signal })
      const rank = ({ configured, platform }: (typeof connectable)[number]) =>
        platform === "sandbox" ? 0 : configured ? 1 : 2
      return connectable.toSorted((a, b) => rank(a) - rank(b))
    },
    staleTime: 60_000,
    refetchInterval: false
  })
