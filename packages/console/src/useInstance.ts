import { useQuery } from "@tanstack/react-query"
import { carillon } from "./api.ts"

/** What the operator has set up. */
export const useInstance = () =>
  useQuery({
    queryKey: ["instance"],
    queryFn: ({ signal }) => carillon.instance.get({ signal }),
    staleTime: 60_000,
    refetchInterval: false
  }).data
