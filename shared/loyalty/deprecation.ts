/**
 * Headers that say since when new integrations with the loyalty interfaces are discouraged (RFC 9745).
 * @param since such as `2026-11-01`; empty: no header
 */
export const deprecationHeaders = (since: string): Readonly<Record<string, string>> =>
  since === ''
    ? {}
    : {
        deprecation: `@${Date.parse(since) / 1_000}`,
        link: '</docs/loyalty#deprecation>; rel="deprecation"; type="text/html"',
      };
