/** The session cookie: opaque, not readable by scripts, sent to this site only (safety-notes T11). */

const PLAIN = "signalbox_session";
/** The prefix makes browsers refuse the cookie from sub-domains and over plain http. */
const SECURE = "__Host-signalbox_session";

export const sessionCookie = (secret: string, secure: boolean, maxAgeSeconds: number): string =>
  `${secure ? SECURE : PLAIN}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure ? "; Secure" : ""}`;

export const readSessionCookie = (request: Request, secure: boolean): string | undefined => {
  const wanted = secure ? SECURE : PLAIN;
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === wanted && value !== undefined && /^[0-9A-Za-z]{32}$/.test(value)) return value;
  }
  return undefined;
};
