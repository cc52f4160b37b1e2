// A Bluesky PDS and its PLC directory in one process, on loopback only. Keeps its data in PDS_DATA_DIRECTORY, and prints
// `ready <port> <port of the directory>`. Its public address, which the directory names, is PDS_PUBLIC_PORT of localhost. Ends on SIGTERM or when its standard input closes, so that it never outlives the test that started it.
import { randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import net from "node:net"
import { join } from "node:path"
import { takePort } from "@carillon/testing/FreePort"

/** The relay in front of the PDS listens on the public one. */
const publicPort = Number(process.env.PDS_PUBLIC_PORT)
let port

// Neither server has an option for the host, and both would listen on every interface.
const listen = net.Server.prototype.listen
net.Server.prototype.listen = function (first, ...rest) {
  const callback = rest.find((argument) => typeof argument === "function")
  return typeof first === "number"
    ? listen.call(this, { port: first === publicPort ? port : first, host: "127.0.0.1" }, callback)
    : listen.call(this, first, ...rest)
}

process.env.LOG_ENABLED ??= "false"
const { PDS } = await import("@atproto/pds")
const { PlcServer, Database } = await import("@did-plc/server")

const data = process.env.PDS_DATA_DIRECTORY
mkdirSync(join(data, "blobs"), { recursive: true })

// Both ports are known before either server listens, because each writes its own address into what it hands out.
const plcPort = await takePort()
port = await takePort()

const directory = PlcServer.create({ db: Database.mock(), port: plcPort })
await directory.start()
const pds = await PDS.fromEnv({
  devMode: true,
  hostname: "localhost",
  port: publicPort,
  dataDirectory: data,
  blobstoreDiskLocation: join(data, "blobs"),
  didPlcUrl: `http://localhost:${plcPort}`,
  serviceHandleDomains: [".test"],
  inviteRequired: false,
  jwtSecret: "local-only",
  adminPassword: "local-only",
  disableSsrfProtection: true,
  plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString("hex"),
  rateLimitsEnabled: process.env.PDS_RATE_LIMITS === "on"
})
await pds.start()

let ending = false
const end = async () => {
  if (ending) return
  ending = true
  await pds.destroy()
  await directory.destroy()
  process.exit(0)
}
process.on("SIGTERM", end)
process.on("SIGINT", end)
process.stdin.on("end", end).on("error", end).resume()

console.log(`ready ${port} ${plcPort}`)
