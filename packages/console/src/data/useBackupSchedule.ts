import { useQuery } from "@tanstack/react-query"
import { carillon } from "./api.ts"

/** The backups that the service makes by itself, and how the last one ended. */
export const useBackupSchedule = () =>
  useQuery({
    queryKey: ["backups"],
    queryFn: ({ signal }) => carillon.backups.schedule({ signal })
  })
