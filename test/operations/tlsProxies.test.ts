import { Carillon } from "@carillon/sdk"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { request } from "node:https"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { parse } from "yaml"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { testCertificate } from "../../packages/server/test/http/TestCertificate.ts"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { takePort } from "@carillon/testing/FreePort"
import {
  answerDevice,
  beginDevice,
  callWith,
  consentPage,
  followToApp,
  pollDevice,
  signedInBrowser,
  tickedOf
} from "@carillon/testing/OAuthBrowser"
import { memory, sdks } from "@carillon/testing/SdkClients"
import { Service, type ServiceProcess } from "@carillon/testing/ServiceProcess"
import * as TestDirectory from "@carillon/testing/TestDirectory"

/** The sample, with these words in the place of its own. */
const sampleOf = (file: string, words: Readonly<Record<string, string>>) => {
  const sample = readFileSync(join(import.meta.dirname, "../../deploy", file), "utf8")
  return Object.entries(words).reduce((text, [from, to]) => {
    assert.include(text, from)
    return text.replaceAll(from, to)
  }, sample)
}

interface Place {
  readonly directory: string
  readonly certificate: string
  readonly key: string
  readonly service: string
  readonly address: string
}

/** What a sample leaves to the machine that it is put on. */
const proxies: Readonly<
  Record<"nginx" | "caddy", (place: Place) => readonly [string, ReadonlyArray<string>]>
> = {
  nginx: ({ directory, certificate, key, service, address }) => {
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join(" ")
    const server = sampleOf("nginx.conf", {
      "127.0.0.1:4400": service,
      "listen 80;": `listen unix:${directory}/plain;`,
      "listen 443 ssl": `listen ${address} ssl`,
      "/etc/ssl/carillon.example.crt": certificate,
      "/etc/ssl/carillon.example.key": key,
      "carillon.example": "_"
    })
    const root = process.getuid?.() === 0 ? "user root;" : ""
    return [
      `${root} daemon off; pid ${directory}/pid; events {} http { access_log off; ${paths}\n${server} }`,
      ["-e", "stderr", "-c", "config"]
    ]
  },
  caddy: ({ certificate, key, service, address }) => [
    // A port that a test took is not free for HTTP/3.
    `{\n admin off\n auto_https disable_redirects\n servers {\n protocols h1 h2\n }\n}\n${sampleOf(
      "Caddyfile",
      {
        "{$CARILLON:127.0.0.1:4400}": service,
        "{$DOMAIN} {": `https://${address} {\n tls ${certificate} ${key}`
      }
    )}`,
    ["run", "--adapter", "caddyfile", "--config", "config"]
  ]
}

const installed = (program: string) => spawnSync(program, ["version"]).error === undefined
// Not one of the names that the service takes for its own machine's.
const host = "127.0.0.2"
const port = await takePort()
const publicUrl = `https://${host}:${port}`

/** Until the scope ends, and until it answers. */
const startProxy = Effect.fnUntraced(function* (
  name: keyof typeof proxies,
  service: string,
  changed: (config: string) => string = (config) => config
) {
  const directory = yield* TestDirectory.make
  const certificate = testCertificate([host])
  const place: Place = {
    directory,
    certificate: join(directory, "certificate"),
    key: join(directory, "key"),
    service: new URL(service).host,
    address: new URL(publicUrl).host
  }
  writeFileSync(place.certificate, certificate.cert)
  writeFileSync(place.key, certificate.key)
  const [config, options] = proxies[name](place)
  writeFileSync(join(directory, "config"), changed(config))
  const before = getCACertificates("default")
  setDefaultCACertificates([...before, certificate.cert])
  yield* Effect.addFinalizer(() => Effect.sync(() => setDefaultCACertificates(before)))
  let said = ""
  const child = yield* Effect.acquireRelease(
    Effect.sync((): ChildProcess => {
      const started = spawn(name, name === "nginx" ? ["-p", directory, ...options] : options, {
        cwd: directory,
        env: { PATH: process.env["PATH"] ?? "", HOME: directory },
        stdio: ["ignore", "pipe", "pipe"]
      })
      for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => (said += chunk))
      return started
    }),
    (started) =>
      Effect.promise(async () => {
        if (started.exitCode !== null || started.signalCode !== null) return
        started.kill("SIGTERM")
        await once(started, "exit")
      })
  )
  yield* Effect.promise(async () => {
    for (;;) {
      const { status } = await fetch(`${publicUrl}/healthz`).catch(() => ({ status: 0 }))
      if (status === 200) return
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${said}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  return place
})

const mebibyte = 2 ** 20
const options = {
  env: {
    PUBLIC_URL: publicUrl,
    TRUSTED_PROXIES: "127.0.0.1/32",
    MAX_DOCUMENT_BYTES: String(200 * mebibyte)
  }
}

/** A document whose second half is sent when the service has most of the first. */
const uploadInHalves = async (url: string, mebibytes: number, staging: string) => {
  const received = async () => {
    const files = (await readdir(staging)).map((name) => stat(join(staging, name)).catch(() => ({ size: 0 })))
    return Math.max(0, ...(await Promise.all(files)).map(({ size }) => size))
  }
  const sending = request(url, {
    method: "PUT",
    headers: { "content-type": "application/pdf", "content-length": mebibytes * mebibyte }
  })
  const answered = once(sending, "response") as Promise<[IncomingMessage]>
  const piece = Buffer.alloc(mebibyte, "%PDF-1.4\n")
  for (let sent = 0; sent < mebibytes; sent++) {
    if (sent === mebibytes / 2) {
      while ((await received()) < 50 * mebibyte) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    if (!sending.write(piece)) await once(sending, "drain")
  }
  sending.end()
  const [answer] = await answered
  answer.resume()
  return answer.statusCode
}

/** What the server's own doctor finds, as it is run beside the service. */
const examined = (service: ServiceProcess, certificate: string) =>
  Effect.promise(async () => {
    const doctor = spawn(process.execPath, ["packages/server/src/doctor.ts", "--json"], {
      cwd: join(import.meta.dirname, "../.."),
      env: {
        PATH: process.env["PATH"] ?? "",
        NODE_EXTRA_CA_CERTS: certificate,
        DATA_DIR: service.dataDir,
        PORT: new URL(service.url).port,
        CARILLON_BOOTSTRAP_API_KEY: service.key,
        ...service.database,
        ...options.env
      },
      stdio: ["ignore", "pipe", "inherit"]
    })
    const result = JSON.parse(await text(doctor.stdout))
    const of = (name: string) => result.checks.find(({ check }: { readonly check: string }) => check === name)
    return { ok: result.ok, of }
  })

layer(Service.layer(options), { excludeTestServices: true, timeout: "180 seconds" })(
  "behind the proxy of a sample in deploy, with TLS",
  (it) => {
    for (const name of ["nginx", "caddy"] as const) {
      const title = `${name} is one through which apps, people, programs and uploads come`
      if (!installed(name)) {
        it.effect(title, (context) => Effect.sync(() => context.skip(`${name} is not installed`)))
        continue
      }
      it.effect(title, () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { certificate } = yield* startProxy(name, service.url)
          const outside = { ...service, url: publicUrl }

          const profile = yield* service.call("GET", `${publicUrl}/v1/profile`)
          assert.strictEqual(profile.status, 200)
          assert.strictEqual(profile.headers.get("strict-transport-security"), "max-age=31536000")

          // More than nginx takes unless it is told.
          const document = Buffer.alloc(2_500_000, "%PDF-1.4\n")
          const id = yield* service.upload(document, "application/pdf", "large.pdf")
          const item = yield* service.call("POST", `${publicUrl}/v1/media/${id}/complete`)
          assert.isTrue(item.body.url.startsWith(`${publicUrl}/media/`))

          yield* Effect.promise(async () => {
            const file = Buffer.from(await (await fetch(item.body.url)).arrayBuffer())
            assert.isTrue(file.equals(document))

            const browser = await signedInBrowser(outside)
            const { kept, provider } = memory()
            const sdk = sdks(publicUrl)["the second SDK"]
            await sdk.connect(provider).then(
              () => assert.fail("connected without a person"),
              () => {}
            )
            assert.strictEqual(kept.address!.origin, publicUrl)
            const page = await consentPage(browser, kept.address!.pathname + kept.address!.search)
            const answered = await browser.post(page.path, page.html, [
              ...tickedOf(page.html),
              ["decision", "allow"]
            ])
            await sdk.finish(provider, await followToApp(browser, answered))
            const session = await sdk.connect(provider)
            const { structuredContent } = await session.call("list_media", {})
            assert.include(
              structuredContent.media.map((one: { readonly id: string }) => one.id),
              id
            )
            await session.close()

            const device = await beginDevice(publicUrl)
            assert.strictEqual(device.verification_uri, `${publicUrl}/device`)
            await answerDevice(browser, device.user_code, "allow")
            const { body } = await pollDevice(publicUrl, device.device_code)
            assert.strictEqual((await callWith(publicUrl, body.access_token)).status, 200)
          })
          assert.notInclude(service.output(), "TRUSTED_PROXIES does not name")

          const { of, ok } = yield* examined(service, certificate)
          assert.strictEqual(of("PUBLIC_URL").found, `${publicUrl} leads to this instance`)
          assert.match(of("uploads").found, /^20 MiB were uploaded and deleted again$/)
          assert.isTrue(ok)
        })
      )
    }

    for (const name of ["nginx", "caddy"] as const) {
      it.effect(`${name} passes on 200 MiB while they come, and an event before the next one`, (context) =>
        Effect.gen(function* () {
          if (!installed(name)) return context.skip(`${name} is not installed`)
          const service = yield* Service
          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* startProxy(name, service.url)
              const { body } = yield* service.call("POST", `${publicUrl}/v1/media/create-upload-url`, {
                mime_type: "application/pdf",
                size_bytes: 200 * mebibyte,
                name: "large.pdf"
              })
              const staging = join(service.dataDir, "media/staging")
              const status = yield* Effect.promise(() => uploadInHalves(body.upload_url, 200, staging))
              assert.strictEqual(status, 200)
              yield* service.call("DELETE", `${publicUrl}/v1/media/${body.media_id}`)
            })
          )

          const streaming = Promise.withResolvers<ServerResponse>()
          const { port: upstream } = yield* listening(
            createServer((asked, response) => {
              if (asked.url === "/healthz") return response.end()
              response.writeHead(200, { "content-type": "text/event-stream" }).write("data: first\n\n")
              streaming.resolve(response)
            })
          )
          yield* startProxy(name, `http://127.0.0.1:${upstream}`)
          yield* Effect.promise(async () => {
            const { body } = await fetch(`${publicUrl}/mcp`)
            const events = body!.pipeThrough(new TextDecoderStream()).getReader()
            assert.include((await events.read()).value, "first")
            ;(await streaming.promise).end("data: second\n\n")
            assert.include((await events.read()).value, "second")
          })
        })
      )
    }

    const title = "a limit on bodies of Caddy, which answers 502 or breaks off, is told as what it may be"
    if (!installed("caddy")) {
      it.effect(title, (context) => Effect.sync(() => context.skip("caddy is not installed")))
      return
    }
    it.effect(title, () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { certificate } = yield* startProxy("caddy", service.url, (config) =>
          config.replace(" tls ", " request_body {\n max_size 1MB\n }\n tls ")
        )
        const client = new Carillon({ apiKey: service.key, baseUrl: publicUrl, maxRetries: 0 })
        const file = new Blob([Buffer.alloc(2_500_000, "%PDF-1.4\n")], { type: "application/pdf" })
        const error = yield* Effect.promise(() => client.media.upload(file).catch((thrown) => thrown))
        assert.match(
          error.message,
          /Perhaps a proxy .* takes no body of 2500000 bytes\. Raise .*request_body/
        )
        const { of, ok } = yield* examined(service, certificate)
        assert.isFalse(ok)
        assert.match(of("uploads").found, /^a proxy in front of the service does not accept 20 MiB: /)
        assert.match(of("uploads").advice, /request_body of Caddy/)
      })
    )
  }
)

describe("Traefik", () => {
  it("finds in its sample all that the sample names, and no limit that ends an upload", () => {
    const sample = (file: string) =>
      parse(readFileSync(join(import.meta.dirname, "../../deploy", file), "utf8"))
    const { entryPoints, certificatesResolvers } = sample("traefik.yaml")
    const { routers, services, serversTransports } = sample("traefik-carillon.yaml").http
    assert.property(entryPoints, entryPoints.web.http.redirections.entryPoint.to)
    for (const router of Object.values<any>(routers)) {
      for (const name of router.entryPoints) {
        assert.strictEqual(entryPoints[name].transport.respondingTimeouts.readTimeout, "0s")
      }
      assert.property(certificatesResolvers, router.tls.certResolver)
      const { loadBalancer } = services[router.service]
      assert.deepStrictEqual(loadBalancer.servers, [{ url: "http://127.0.0.1:4400" }])
      const { forwardingTimeouts } = serversTransports[loadBalancer.serversTransport]
      assert.isBelow(Number.parseInt(forwardingTimeouts.idleConnTimeout), 75)
    }
  })
  it("Traefik is one through which apps, people, programs and uploads come", (context) =>
    context.skip("no package of Debian or npm brings Traefik"))
})
