/**
 * The name of a cookie of this service. With __Host- no other host of the domain and no page without TLS can set it.
 * Without TLS the name has the port, because the ports of a host share their cookies.
 */
export const cookieNamed = (
  publicUrl: string,
  name: "carillon_session" | "carillon_visit" | "carillon_device"
) => (publicUrl.startsWith("https:") ? `__Host-${name}` : `${name}_${new URL(publicUrl).port || 80}`)
