import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { takePort } from "@carillon/testing/FreePort"

export const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12"

export const key = "bootstrap-key-of-the-conformance-suite"

/** A service on an empty directory, until `stop`. */
export const startService = async (main: string, env: Record<string, string>) => {
  const dataDir = mkdtempSync(join(tmpdir(), "carillon-conformance-"))
  const port = await takePort()
  const service = spawn(process.execPath, [main], {
    env: {
      PATH: process.env["PATH"] ?? "",
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      DATA_DIR: dataDir,
      CARILLON_BOOTSTRAP_API_KEY: key,
      LOG_FORMAT: "json",
      ...env
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  let output = ""
  await new Promise<void>((resolve, reject) => {
    service.stdout.on("data", (chunk) => {
      output += String(chunk)
      if (output.includes("Carillon is running.")) resolve()
    })
    service.once("close", (code) => reject(new Error(`the service ended with ${code}:\n${output}`)))
  })
  const stop = async () => {
    service.kill()
    await once(service, "exit")
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { port, stop }
}
