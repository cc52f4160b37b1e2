import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const key = "conformance-key"

export const freePort = async () => {
  const socket = createServer().listen(0, "127.0.0.1")
  await once(socket, "listening")
  const { port } = socket.address() as AddressInfo
  socket.close()
  await once(socket, "close")
  return port
}

/** A service on an empty directory, until `stop`. */
export const startService = async (main: string, env: Record<string, string>) => {
  const dataDir = mkdtempSync(join(tmpdir(), "carillon-conformance-"))
  const port = await freePort()
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
    service.once("exit", (code) => reject(new Error(`the service ended with ${code}:\n${output}`)))
  })
  const stop = async () => {
    service.kill()
    await once(service, "exit")
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { port, stop }
}
