import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BackupSchedule, CreateBackup } from "../Backup.ts"
import { BadRequest, InsufficientStorage } from "../Problems.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class BackupsApi extends HttpApiGroup.make("backups")
  .add(
    HttpApiEndpoint.get("schedule", "/", { success: BackupSchedule }).annotateMerge(
      about({
        scope: "admin",
        instance: true,
        codes: [],
        summary: "Get the backup schedule",
        description:
          "Whether the service makes scheduled backups, and the outcome of the last one. For owners, and admin keys of the default workspace."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: CreateBackup,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/x-tar" }),
      error: [BadRequest, InsufficientStorage]
    }).annotateMerge(
      about({
        scope: "admin",
        password: true,
        instance: true,
        codes: ["storage_full"],
        effect: "none",
        summary: "Make a backup",
        description:
          "The whole instance as of one moment, while it runs: a tar file whose last part, `manifest.json`, has the SHA-256 " +
          "of all others. A file without it is incomplete. For owners, and admin keys of the default workspace."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/backups")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Backups",
      description: "The whole instance in one file, from which it can be restored."
    })
  ) {}
