import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

/** What a device that lies does otherwise than it was asked to. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly userHandle?: string
  /** The person was there, but no finger, face or PIN. */
  readonly unverified?: true
  readonly count?: number
  readonly forged?: true
}

/** A device with one passkey and the browser around it, as the service hears from them. */
export class PasskeyDevice {
  readonly id = randomBytes(16).toString("base64url")
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  readonly #origin: string
  #user = ""
  #count = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Makes its passkey. */
  create(options: any, lies: Lies = {}): string {
    this.#user = options.user.id
    const { x, y } = this.#keys.publicKey.export({ format: "jwk" })
    const bytes = (text: string) => Buffer.from(text, "base64url")
    const id = bytes(this.id)
    // Of COSE: an elliptic curve key, ES256, P-256, x and y.
    const key = [hex("a501020326200121 5820"), bytes(x!), hex("225820"), bytes(y!)]
    const authData = Buffer.concat([
      this.#authenticatorData(options.rp.id, 0x40, lies),
      Buffer.alloc(16),
      Buffer.of(0, id.length),
      id,
      ...key
    ])
    // Of CBOR: { fmt: "none", attStmt: {}, authData }.
    const attestationObject = Buffer.concat([
      hex("a363666d74646e6f6e656761747453746d74a0686175746844617461 58"),
      Buffer.of(authData.length),
      authData
    ])
    return this.#answer({
      clientDataJSON: this.#clientData("webauthn.create", options, lies),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"]
    })
  }

  /** Signs with it. */
  get(options: any, lies: Lies = {}): string {
    this.#count++
    const clientDataJSON = this.#clientData("webauthn.get", options, lies)
    const authenticatorData = this.#authenticatorData(options.rpId, 0, lies)
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, "base64url"))])
    const { privateKey } = lies.forged ? generateKeyPairSync("ec", { namedCurve: "P-256" }) : this.#keys
    return this.#answer({
      clientDataJSON,
      authenticatorData: authenticatorData.toString("base64url"),
      signature: sign("sha256", signed, privateKey).toString("base64url"),
      userHandle: lies.userHandle ?? this.#user
    })
  }

  #answer(response: object) {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: "public-key",
      clientExtensionResults: {},
      response
    })
  }

  #clientData(type: string, { challenge }: { readonly challenge: string }, lies: Lies) {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false }
    const told = Object.fromEntries(
      Object.keys(data).flatMap((key) => (key in lies ? [[key, lies[key as "origin"]]] : []))
    )
    return Buffer.from(JSON.stringify({ ...data, ...told })).toString("base64url")
  }

  #authenticatorData(rpId: string, flags: number, lies: Lies) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lies.count ?? this.#count)
    return Buffer.concat([
      sha256(Buffer.from(lies.rpId ?? rpId)),
      Buffer.of(flags | (lies.unverified ? 0x01 : 0x05)),
      count
    ])
  }
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest()

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex")
