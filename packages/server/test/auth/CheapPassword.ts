import { argon2Sync } from "node:crypto"

export const password = "correct horse battery"

/** The stored form of that password at the least cost, so that thousands can be tried. */
export const cheapHash = (() => {
  const nonce = Buffer.alloc(16, 7)
  const parameters = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }
  const key = argon2Sync("argon2id", { ...parameters, message: password, nonce })
  const plain = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "")
  return `$argon2id$v=19$m=8,t=1,p=1$${plain(nonce)}$${plain(key)}`
})()
