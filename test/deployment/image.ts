// Builds the image of the Dockerfile with buildah, then runs what came of it as compose.yaml says: as its user, its tree
// read-only, with a PostgreSQL and a Caddy of this machine in the places of their images. Neither a container engine nor an
// image registry is needed: the base is made of Debian's packages and of the Node that runs this. Takes root.
import { strict as assert } from "node:assert"
import { type ChildProcess, execFileSync, spawn, spawnSync, type StdioOptions } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parse } from "yaml"

const repository = join(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(repository, path), "utf8")
const say = (words: string) => process.stdout.write(`${words}\n`)

/** As published, of the release before: `docker pull node:24.20.0-trixie-slim` on amd64, by Docker Hub's list of tags. */
const baseMegabytes = 81.34
const mostMegabytes = 150

const directory = mkdtempSync(join(tmpdir(), "carillon-image-"))
const ends: Array<() => unknown> = [() => rmSync(directory, { recursive: true, force: true })]

const run = (
  program: string,
  args: ReadonlyArray<string>,
  stdio: StdioOptions = ["ignore", "pipe", "inherit"]
) => execFileSync(program, args, { cwd: repository, encoding: "utf8", stdio, maxBuffer: 2 ** 26 })

const storage = ["--root", join(directory, "storage"), "--runroot", join(directory, "run")]
const buildah = (...args: ReadonlyArray<string>) => run("buildah", [...storage, ...args]).trim()
ends.push(() => buildah("umount", "--all"))

/** In the place of the image `FROM` names. */
const makeBase = (name: string) => {
  const container = buildah("from", "scratch")
  const root = buildah("mount", container)
  const packages = "--include=base-files,dash,coreutils,util-linux,libstdc++6"
  run("mmdebstrap", ["--quiet", "--variant=extract", packages, "trixie", root])
  writeFileSync(join(root, "etc/hosts"), "")
  cpSync(process.execPath, join(root, "usr/local/bin/node"))
  const npm = dirname(dirname(realpathSync(run("sh", ["-c", "command -v npm"]).trim())))
  cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true })
  for (const program of ["npm", "npx"]) {
    const link = ["-s", `../lib/node_modules/npm/bin/${program}-cli.js`, `usr/local/bin/${program}`]
    execFileSync("ln", link, { cwd: root })
  }
  // Behind a proxy that reads along, a registry shows a certificate of that proxy.
  const authorities = process.env["NODE_EXTRA_CA_CERTS"]
  if (authorities !== undefined) {
    cpSync(realpathSync(authorities), join(root, "etc/authorities.pem"))
    buildah("config", "--env", "NODE_EXTRA_CA_CERTS=/etc/authorities.pem", container)
  }
  buildah("umount", container)
  buildah("commit", "--quiet", "--disable-compression", "--rm", container, name)
}

interface Image {
  readonly root: string
  readonly env: ReadonlyArray<string>
  readonly command: ReadonlyArray<string>
  readonly health: ReadonlyArray<string>
  readonly user: string
  readonly volumes: ReadonlyArray<string>
  readonly workdir: string
}

const build = (): Image => {
  const [, version] = /^ARG NODE=(\S+)$/m.exec(read("Dockerfile"))!
  assert.equal(
    `v${version!.split("-")[0]}`,
    process.version,
    "the Dockerfile names another Node than package.json"
  )
  makeBase(`docker.io/library/node:${version}`)
  run("buildah", [
    ...storage,
    "build",
    "--quiet",
    "--isolation=chroot",
    "--format=docker",
    "--pull-never",
    "--disable-compression",
    "--tag=carillon",
    "."
  ])
  const container = buildah("from", "--pull-never", "localhost/carillon")
  const { config } = JSON.parse(buildah("inspect", "--type=image", "localhost/carillon")).Docker
  return {
    root: buildah("mount", container),
    env: config.Env,
    command: config.Cmd,
    health: config.Healthcheck.Test.slice(1),
    user: config.User,
    volumes: Object.keys(config.Volumes),
    workdir: config.WorkingDir
  }
}

/** A network of its own, in which the ports of compose.yaml are free, and its names of services lead to this machine. */
const makeNetwork = async (names: ReadonlyArray<string>) => {
  writeFileSync(join(directory, "hosts"), `127.0.0.1 localhost ${names.join(" ")}\n`)
  const holder = spawn("unshare", ["--net", "--mount", "sleep", "infinity"], { stdio: "ignore" })
  ends.push(() => holder.kill())
  const inside = ["nsenter", `--target=${holder.pid}`, "--net", "--mount", `--wd=${repository}`]
  while (run("readlink", [`/proc/${holder.pid}/ns/net`]) === run("readlink", ["/proc/self/ns/net"])) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const [program, ...args] = inside
  run(program!, [...args, "mount", "--bind", join(directory, "hosts"), "/etc/hosts"])
  run(program!, [...args, "ip", "link", "set", "lo", "up"])
  return {
    run: (...command: ReadonlyArray<string>) => run(program!, [...args, ...command]),
    status: (...command: ReadonlyArray<string>) =>
      spawnSync(program!, [...args, ...command], { stdio: "ignore" }).status,
    spawn: (command: ReadonlyArray<string>, env: NodeJS.ProcessEnv) =>
      spawn(program!, [...args, ...command], { stdio: ["ignore", "pipe", "pipe"], env })
  }
}
type Network = Awaited<ReturnType<typeof makeNetwork>>

const ended = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  return child.exitCode
}

/** What it says, and until it says this. */
const listen = (child: ChildProcess) => {
  let said = ""
  const heard = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => said.includes(words) && resolve()
      for (const stream of [child.stdout!, child.stderr!]) stream.on("data", look)
      child.once("exit", (code) => reject(new Error(`It ended with ${code} without "${words}":\n${said}`)))
      look()
    })
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (said += chunk))
  return { heard, said: () => said }
}

/** The program of the image as process 1 of a namespace, on its read-only tree, with an empty volume at first. */
const start = async (
  network: Network,
  image: Image,
  volume: string,
  given: Readonly<Record<string, string>>
) => {
  const { root, workdir, command, user } = image
  const [uid, gid] = user.split(":")
  const asUser = [
    "setpriv",
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--no-new-privs",
    "--bounding-set=-all",
    "env",
    "--ignore-environment",
    `--chdir=${workdir}`,
    ...image.env,
    ...Object.entries(given).map(([name, value]) => `${name}=${value}`)
  ]
  const script = `root=$1 volume=$2 path=$3; shift 3
    mount --bind "$root" "$root"; mount --bind "$volume" "$root$path"; mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"; mount --bind /etc/hosts "$root/etc/hosts"; mount -o remount,bind,ro "$root"
    exec chroot "$root" "$@"`
  const namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
  const tree = ["sh", "-euc", script, "sh", root, volume, image.volumes[0]!]
  const child = network.spawn([...namespaces, ...tree, ...asUser, ...command], { PATH: process.env["PATH"] })
  ends.push(() => child.kill("SIGKILL"))
  const { heard, said } = listen(child)
  await heard("Carillon is running.")
  const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim()
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  assert.match(status, new RegExp(`^NSpid:.*\\t1$`, "m"), "it is not process 1")
  assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}\\t`, "m"))
  const within = ["nsenter", `--target=${pid}`, "--all", "--root", "chroot", "/", ...asUser]
  return {
    said,
    healthy: () => network.status(...within, ...image.health) === 0,
    exec: (...args: ReadonlyArray<string>) => network.run(...within, ...args),
    megabytes: () =>
      Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024),
    terminate: async () => {
      const before = performance.now()
      process.kill(Number(pid), "SIGTERM")
      assert.equal(await ended(child), 0, said())
      return Math.round(performance.now() - before)
    }
  }
}

/** The lines of the page that start an instance, except those of Docker, with another domain: they write `.env`. */
const environmentFile = (domain: string) => {
  const [, lines] = /^```sh\n((?:(?!^```).*\n)*?.*docker compose up.*\n(?:(?!^```).*\n)*)```/m.exec(
    read("docs/deployment.md")
  )!
  const script = lines!
    .split("\n")
    .filter((line) => !/^(docker|git|cd) /.test(line))
    .join("\n")
  assert.match(script, /DOMAIN=\S+/)
  const folder = join(directory, "instance")
  mkdirSync(folder)
  execFileSync("sh", ["-euc", script.replace(/DOMAIN=[\w.]+/, `DOMAIN=${domain}`)], { cwd: folder })
  const mode = run("stat", ["-c", "%a", join(folder, ".env")]).trim()
  assert.equal(mode, "600", "others may read the secrets in .env")
  return Object.fromEntries(
    readFileSync(join(folder, ".env"), "utf8")
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)])
  ) as Record<string, string>
}

/** compose.yaml with the variables of `.env` in their places. */
const composed = (variables: Readonly<Record<string, string>>) =>
  parse(
    read("compose.yaml").replace(
      /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
      (_, name: string, sign: string, words: string) => {
        const value = variables[name] ?? (sign === "-" ? words : undefined)
        assert.ok(value !== undefined, `${name} ${words}`)
        return value
      }
    )
  ).services

/** What others wrote to read the two files. */
const lint = () => {
  run("npx", ["-y", "dockerfile-utils@0.16.3", "lint", "Dockerfile"], "inherit")
  writeFileSync(
    join(directory, "dclint.json"),
    JSON.stringify({
      rules: Object.fromEntries(
        // Their orders, and what is meant: an image that is built here, and ports for everybody.
        [
          "no-build-and-image",
          "no-unbound-port-interfaces",
          "service-image-require-explicit-tag",
          "service-keys-order",
          "services-alphabetical-order",
          "require-quotes-in-ports"
        ].map((rule) => [rule, 0])
      )
    })
  )
  run(
    "npx",
    ["-y", "dclint@3.1.0", "--max-warnings=0", "-c", join(directory, "dclint.json"), "compose.yaml"],
    "inherit"
  )
}

const main = async () => {
  lint()
  const image = build()
  const ours =
    Number(run("sh", ["-c", 'tar -C "$0" -c opt usr/local/bin/carillon | gzip | wc -c', image.root])) / 1e6
  say(`Compressed: ${ours.toFixed(1)} MB of ours and ${baseMegabytes} MB of the base.`)
  assert.ok(ours + baseMegabytes <= mostMegabytes, `more than ${mostMegabytes} MB`)
  const strangers = run("find", [
    join(image.root, "opt/carillon/packages"),
    "-path",
    "*/node_modules",
    "-prune",
    "-o",
    "-name",
    "*.test.ts",
    "-print"
  ])
  assert.equal(strangers, "")

  const domain = "social.example.test"
  const variables = environmentFile(domain)
  const services = composed(variables)
  assert.equal(services.carillon.read_only, true)
  assert.deepEqual(services.carillon.volumes, [`data:${image.volumes[0]}`])
  const network = await makeNetwork([...Object.keys(services), domain])

  const cluster = mkdtempSync(join(tmpdir(), "carillon-cluster-"))
  const server = ["sh", "packages/testing/src/postgres.sh"]
  ends.push(() => network.run(...server, "remove", cluster))
  network.run(...server, "start", cluster, "-c", "port=5432")
  const { POSTGRES_PASSWORD: password, POSTGRES_DB: database } = services.postgres.environment
  const psql = (role: string, name: string, ...args: ReadonlyArray<string>) =>
    network.run("psql", "-qXAtv", "ON_ERROR_STOP=1", `postgres://${role}@postgres/${name}`, ...args)
  // As the image has it: a superuser with that password, and the database.
  psql("carillon:carillon", "postgres", "-c", `CREATE ROLE postgres SUPERUSER LOGIN PASSWORD '${password}'`)
  psql(`postgres:${password}`, "postgres", "-c", "ALTER ROLE carillon RENAME TO other")
  psql(`postgres:${password}`, "postgres", "-c", `CREATE DATABASE ${database}`)
  const [script] = services.postgres.volumes.flatMap(
    (volume: string) => /^(.+\.sql):\/docker-entrypoint-initdb\.d\//.exec(volume)?.[1] ?? []
  )
  network.run(
    "env",
    `POSTGRES_PASSWORD=${password}`,
    "psql",
    "-qXv",
    "ON_ERROR_STOP=1",
    "-f",
    script,
    `postgres://postgres:${password}@postgres/${database}`
  )
  const rights = "rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls"
  const { DATABASE_URL } = services.carillon.environment
  const owner = `select datdba = r.oid and not (${rights}) from pg_database, pg_roles r where datname = current_database() and rolname = current_user`
  assert.equal(network.run("psql", "-qXAtc", owner, DATABASE_URL).trim(), "t", "it may more than it needs")
  assert.notEqual(
    network.status("psql", "-qXc", "select 1", `postgres://postgres:${password}@postgres/${database}`),
    0,
    "the superuser's password is still good"
  )

  // A volume is made with the owner and the mode of the directory that it covers.
  const volume = join(directory, "volume")
  run("cp", ["-a", join(image.root, image.volumes[0]!), volume])
  const environment = { ...variables, ...services.carillon.environment }
  const service = await start(network, image, volume, environment)
  assert.ok(service.healthy(), "the health check fails")

  const home = join(directory, "caddy")
  const caddyfile = join(directory, "Caddyfile")
  // No authority gives a certificate for a name of no network.
  writeFileSync(caddyfile, `{\n admin off\n local_certs\n skip_install_trust\n}\n${read("deploy/Caddyfile")}`)
  assert.deepEqual(services.caddy.cap_drop, ["ALL"])
  const capabilities = services.caddy.cap_add.map((name: string) => `,+${name.toLowerCase()}`).join("")
  const confined = ["setpriv", "--no-new-privs", `--bounding-set=-all${capabilities}`]
  const proxy = network.spawn(
    [...confined, "caddy", "run", "--adapter", "caddyfile", "--config", caddyfile],
    {
      PATH: process.env["PATH"],
      HOME: home,
      ...services.caddy.environment
    }
  )
  ends.push(() => proxy.kill())
  await listen(proxy).heard("certificate obtained successfully")
  const authority = join(home, ".local/share/caddy/pki/authorities/local/root.crt")
  assert.match(service.said(), /^ {2}cat \/data\/first-key$/m)
  const key = service.exec("cat", "/data/first-key").trim()
  assert.ok(!service.said().includes(key), "the log has the key")
  const curl = (...args: ReadonlyArray<string>) =>
    network.run("curl", "-sS", "--fail-with-body", "--noproxy", "*", "--cacert", authority, ...args)
  const profile = JSON.parse(curl("-H", `Authorization: Bearer ${key}`, `https://${domain}/v1/profile`))
  assert.ok(profile, "no profile")
  const built = "opt/carillon/packages/console/dist/site/built.json"
  const { files } = JSON.parse(readFileSync(join(image.root, built), "utf8"))
  for (const file of files.filter((path: string) => path.startsWith("assets/"))) {
    const answer = ["-o", "/dev/null", "-w", "%{http_code} %{content_type}"]
    assert.match(curl(...answer, `https://${domain}/app/${file}`), /^200 (text|image|font)\//, file)
  }
  assert.match(
    curl("-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", `http://${domain}/`),
    new RegExp(`^308 https://${domain}/`)
  )
  assert.ok(!service.said().includes("TRUSTED_PROXIES does not name"), service.said())
  assert.ok(service.said().includes(`https://${domain}/`), "the owner's link is not at the public address")

  // The command line of the image, and a picture that is made smaller there.
  cpSync(join(repository, "examples/media/bells.jpg"), join(volume, "bells.jpg"))
  writeFileSync(join(volume, "authority.crt"), readFileSync(authority))
  const carillon = (...args: ReadonlyArray<string>) =>
    service.exec(`CARILLON_API_KEY=${key}`, "NODE_EXTRA_CA_CERTS=/data/authority.crt", "carillon", ...args)
  assert.match(carillon("media", "upload", "/data/bells.jpg"), /bells\.jpg/)
  for (const name of ["bells.jpg", "authority.crt"]) rmSync(join(volume, name))
  const open = run("find", [volume, "-mindepth", "1", "-perm", "/077"])
  assert.equal(open, "", "others may read its files")
  const lines = service
    .said()
    .split("\n")
    .filter((line) => line.startsWith("{"))
  for (const line of lines) JSON.parse(line)
  assert.ok(lines.length > 0, "no line of the log is JSON")

  say(
    `${service.megabytes()} MB resident with PostgreSQL; ended ${await service.terminate()} ms after SIGTERM, with 0.`
  )
  const again = await start(network, image, volume, environment)
  assert.ok(!existsSync(join(volume, "first-key")), "the key was used, and its file is still there")
  curl("-H", `Authorization: Bearer ${key}`, `https://${domain}/v1/media`)
  await again.terminate()

  // With nothing but the volume: the embedded database, and the test network beside it.
  const alone = join(directory, "alone")
  run("cp", ["-a", join(image.root, image.volumes[0]!), alone])
  const embedded = await start(network, image, alone, { CARILLON_SANDBOX: "on" })
  assert.ok(embedded.healthy(), "the health check fails on the embedded database")
  const embeddedKey = embedded.exec("cat", "/data/first-key").trim()
  cpSync(join(repository, "examples/media/bells.jpg"), join(alone, "bells.jpg"))
  const published = embedded.exec(
    `CARILLON_API_KEY=${embeddedKey}`,
    "carillon",
    "post",
    "Hello from a container",
    "--media",
    "/data/bells.jpg",
    "--to",
    "sandbox",
    "--wait"
  )
  assert.match(published, /"status": "published"/)
  say(
    `${embedded.megabytes()} MB resident with the embedded database; ended ${await embedded.terminate()} ms after SIGTERM, with 0.`
  )
  assert.deepEqual(
    readdirSync(alone).filter((name) => name.startsWith("core")),
    []
  )
}

try {
  await main()
} finally {
  for (const end of ends.toReversed()) {
    try {
      await end()
    } catch (error) {
      say(String(error))
    }
  }
}
