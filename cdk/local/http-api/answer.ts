/** Makes the answer to the caller: from a function's result in format 2.0, or the gateway's own refusals. */

export interface Answer {
  readonly status: number;
  /** A header may be there more than once, as `set-cookie` is. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** The gateway's own words. */
export function gatewayAnswer(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: [['content-type', 'application/json'], ...Object.entries(headers)],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/** Set by the gateway itself, whatever the function says. */
const OWN_HEADERS = new Set(['content-length', 'connection', 'transfer-encoding', 'keep-alive']);

/**
 * Returns the answer that a function's result represents; undefined for an invalid result, which callers see as a 500.
 */
export function answerOf(payload: string): Answer | undefined {
  const result: unknown = JSON.parse(payload);
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) return inferred(result);
  const { statusCode, headers, cookies = [], body, isBase64Encoded } = result as Record<string, unknown>;
  const status = Number(statusCode);
  const pairs = headerPairs(headers);
  if (!Number.isInteger(status) || status < 200 || status > 599 || !pairs || !isListOfText(cookies)) return undefined;
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined;
  const named = pairs.some(([name]) => name === 'content-type');
  return {
    status,
    headers: [
      ...(named ? [] : [['content-type', 'text/plain;charset=UTF-8'] as const]),
      ...pairs,
      ...cookies.map((cookie) => ['set-cookie', cookie] as const),
    ],
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

/** A result without a status code is the body of a 200. */
function inferred(result: unknown): Answer {
  const body = typeof result === 'string' ? result : JSON.stringify(result);
  return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(body) };
}

function headerPairs(headers: unknown): [string, string][] | undefined {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object') return undefined;
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!['string', 'number', 'boolean'].includes(typeof value) || /[\r\n]/.test(`${name}${value}`)) return undefined;
    if (!OWN_HEADERS.has(name.toLowerCase())) pairs.push([name.toLowerCase(), String(value)]);
  }
  return pairs;
}

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
