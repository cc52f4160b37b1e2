import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"

/** What the operator has set up. It changes with a restart. */
export const useInstance = () =>
  useQuery({
    queryKey: ["instance"],
    queryFn: ({ signal }) => carillon.instance.get({ signal }),
    staleTime: Infinity,
    refetchInterval: false
  }).data
