import { generateKeyPairSync, sign } from "node:crypto"
import { isIPv4 } from "node:net"

/** A key and a certificate for some names or IPv4 addresses, signed by itself and made anew in every run. */
export const testCertificate = (
  names: ReadonlyArray<string>
): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(names[0] ?? "")))))
  const extensions = sequence(
    sequence(basicConstraints, der(0x04, sequence(der(0x01, Buffer.of(0xff))))),
    sequence(subjectAlternativeName, der(0x04, sequence(...names.map(alternativeName))))
  )
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    sequence(ecdsaWithSha256),
    name,
    sequence(der(0x18, Buffer.from("20200101000000Z")), der(0x18, Buffer.from("29991231235959Z"))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions)
  )
  const signature = der(0x03, Buffer.of(0), sign("sha256", certificate, privateKey))
  const signed = sequence(certificate, sequence(ecdsaWithSha256), signature)
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${signed.toString("base64")}\n-----END CERTIFICATE-----\n`
  }
}

const alternativeName = (name: string) =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name))

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length
  // The shortest form, which some readers insist on.
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.of(tag, ...length), content])
}
const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)

const ecdsaWithSha256 = Buffer.from("06082a8648ce3d040302", "hex")
const commonName = Buffer.from("0603550403", "hex")
const basicConstraints = Buffer.from("0603551d13", "hex")
const subjectAlternativeName = Buffer.from("0603551d11", "hex")
