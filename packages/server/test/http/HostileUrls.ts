import type { RemoteFetchReason } from "@carillon/server/http/RemoteFetchError"

/** PORT stands for the port of a listener on 127.0.0.1, which is one of the allowed ports. */
export interface HostileUrl {
  readonly url: string
  readonly reason: RemoteFetchReason
  /** A part of the message. */
  readonly says: string
}

const refused =
  (reason: RemoteFetchReason, says: string) =>
  (...urls: ReadonlyArray<string>): ReadonlyArray<HostileUrl> =>
    urls.map((url) => ({ url, reason, says }))

/** Spellings of 127.0.0.1 that the URL parser accepts: each reaches the listener when private hosts are allowed. */
export const loopbackUrls: ReadonlyArray<HostileUrl> = refused(
  "address_not_allowed",
  "127.0.0.1 is loopback"
)(
  "http://127.0.0.1:PORT/",
  "http://127.1:PORT/",
  "http://127.0.1:PORT/",
  "http://2130706433:PORT/",
  "http://017700000001:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://0177.0.0.01:PORT/",
  "http://00000177.0.0.1:PORT/",
  "http://0x7f000001:PORT/",
  "http://0x7F.0x00.0x00.0x01:PORT/",
  "http://0x7f.1:PORT/",
  "http://127.0x0.00.1:PORT/",
  "http://127.0.0.1.:PORT/",
  "http://１２７.０.０.１:PORT/",
  "http://１２７。０。０。１:PORT/",
  "http://①②⑦.⓪.⓪.①:PORT/",
  "http://127｡0｡0｡1:PORT/",
  "http://%31%32%37.0.0.1:PORT/",
  "http://12%37.0.0%2e1:PORT/",
  "http:127.0.0.1:PORT/",
  "http:/127.0.0.1:PORT/",
  "http:////127.0.0.1:PORT/",
  "http:\\\\127.0.0.1:PORT\\",
  "http://127.0.0.1:PORT\\@media.test/",
  "http://127.0.0.1:PORT/@media.test/",
  "http://127.0.0.1:PORT?@media.test/",
  "http://127.0.0.1:PORT#@media.test/",
  "HTTP://127.0.0.1:PORT/",
  "  http://127.0.0.1:PORT/  ",
  "ht\ntp://127.0.\t0.1:PORT/",
  "http://127.0.0.1:0000PORT/",
  "http://127.0.0\u00ad.1:PORT/"
)

export const hostileUrls: ReadonlyArray<HostileUrl> = [
  ...loopbackUrls,
  // Other addresses of this machine.
  ...refused("address_not_allowed", "0.0.0.0 is this network")(
    "http://0.0.0.0:PORT/",
    "http://0:PORT/",
    "http://0x0:PORT/"
  ),
  ...refused("address_not_allowed", "is loopback")(
    "http://127.255.255.254:PORT/",
    "http://[::1]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[0000:0000::0001]:PORT/"
  ),
  ...refused("address_not_allowed", "is unspecified")("http://[::]:PORT/", "http://[0::0]:PORT/"),
  // IPv4 inside IPv6: mapped, compatible, NAT64, 6to4.
  ...refused("address_not_allowed", "is an IPv4 address inside IPv6")(
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[0:0:0:0:0:ffff:7f00:0001]:PORT/",
    "http://[::FFFF:127.0.0.1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[::7f00:1]:PORT/",
    "http://[::ffff:93.184.216.34]/",
    "http://[64:ff9b::127.0.0.1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[64:ff9b:1::169.254.169.254]/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[2002:a9fe:a9fe::]/"
  ),
  ...refused("address_not_allowed", "is for protocol assignments")(
    "http://[2001::7f00:1]:PORT/",
    "http://[2001:0:5ef5:79fd:0:59d:80ff:fffe]/",
    "http://192.0.0.192/opc/v2/instance/"
  ),
  // Private networks and the metadata services of clouds.
  ...refused("address_not_allowed", "is private")(
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/admin",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://[fc00::1]/",
    "http://[fec0::1]/"
  ),
  ...refused("address_not_allowed", "is link-local")(
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://169.254.43518/",
    "http://[fe80::1]/",
    "http://[fe80::a9fe:a9fe]/"
  ),
  ...refused(
    "address_not_allowed",
    "is a cloud platform's own"
  )("http://168.63.129.16/machine/?comp=goalstate"),
  ...refused("address_not_allowed", "is shared by carriers")("http://100.100.100.200/latest/meta-data/"),
  ...refused("address_not_allowed", "is for benchmarks")("http://198.18.0.1/"),
  ...refused("address_not_allowed", "is for documentation")(
    "http://192.0.2.1/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/"
  ),
  ...refused("address_not_allowed", "is multicast")("http://224.0.0.1/", "http://[ff02::1]/"),
  ...refused("address_not_allowed", "is broadcast")("http://255.255.255.255/"),
  ...refused("address_not_allowed", "is reserved")(
    "http://240.0.0.1/",
    "http://[100::1]/",
    "http://[5f00::1]/",
    "http://[4000::1]/"
  ),
  // Names of this machine and this network.
  ...refused("address_not_allowed", "belongs to a local network")(
    "http://localhost:PORT/",
    "http://LOCALHOST:PORT/",
    "http://localhost.:PORT/",
    "http://ⓛocalhost:PORT/",
    "http://lo%63alhost:PORT/",
    "http://anything.localhost:PORT/",
    "http://localhost.localdomain:PORT/",
    "http://printer.local/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://kubernetes.default.svc.cluster.local/",
    "http://box.home.arpa/",
    "http://metadata/",
    "http://redis:80/"
  ),
  // User names and passwords.
  ...refused("url_not_allowed", "user name or password")(
    "http://media.test@127.0.0.1:PORT/",
    "http://media.test:80@127.0.0.1:PORT/",
    "http://user:secret@media.test/",
    "http://:secret@media.test/",
    "http://media.test%2f@127.0.0.1:PORT/",
    "http://a@b@127.0.0.1:PORT/",
    "http:user:secret@media.test/"
  ),
  // Schemes.
  ...refused("url_not_allowed", "Only https and http are fetched")(
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "ftp://media.test/a.jpg",
    "gopher://127.0.0.1:PORT/_GET%20/",
    "data:image/png;base64,iVBORw0KGgo=",
    "javascript:alert(1)",
    "blob:http://127.0.0.1:PORT/0a0a",
    "ws://127.0.0.1:PORT/",
    "unix:///var/run/docker.sock",
    "about:blank",
    "dict://127.0.0.1:PORT/stat",
    "jar:http://127.0.0.1:PORT/!/",
    "localhost:PORT/",
    "view-source:http://127.0.0.1:PORT/"
  ),
  // Ports.
  ...refused("url_not_allowed", "is fetched: serve the file there")(
    "http://media.test:22/",
    "http://media.test:6379/",
    "https://media.test:8443/",
    "http://media.test:0/",
    "http://127.0.0.1:22/"
  ),
  // What the URL parser refuses, and names that are none.
  ...refused("url_not_allowed", "is not a complete and valid URL")(
    "",
    "media.test/a.jpg",
    "//127.0.0.1:PORT/",
    "/etc/passwd",
    "http://",
    "http://256.0.0.1/",
    "http://127.0.0.1.5:PORT/",
    "http://0x100000000/",
    "http://media.test:99999/",
    "http://media.test:80:PORT/",
    "http://127.0.0.1:PORT\u0000@media.test:x/",
    "http://[::1",
    "http://[fe80::1%25lo]:PORT/",
    "http://[::1%lo]:PORT/",
    "http://[fe80::1%1]/",
    "http://[::ffff:127.1]:PORT/",
    "http://[127.0.0.1]:PORT/",
    "http://me dia.test/",
    "http://media.test%00.local/",
    "http://<script>/"
  ),
  ...refused("url_not_allowed", "is not a host name")(
    "http://a..test/",
    "http://media.test../",
    "http://./",
    "http://-media.test/",
    "http://media.test!/",
    `http://${"a".repeat(64)}.test/`,
    `http://${"a.".repeat(127)}test/`
  )
]
