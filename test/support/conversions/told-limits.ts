import { parseList } from 'structured-headers';

interface Answered {
  readonly status: number;
  readonly headers: Headers;
}

/** Throws if an answer of `/v1` tells its limits otherwise than documents can say: to whom, and twice alike. */
export function checkLimitsOf(method: string, path: string, { status, headers }: Answered): void {
  const what = `${method} ${path}: ${status}`;
  // A body is refused by its length before the caller is known, and by its content afterwards.
  const isKnown = status !== 401 && (status !== 413 || headers.has('RateLimit-Limit'));
  if (isKnown) checkLimits(headers, what, isMetered(path) && method === 'POST');
  if (status === 401 && [...headers.keys()].some((name) => /^(x-quota|ratelimit)/.test(name))) {
    throw new Error(`${what} tells limits to a caller that is not known.`);
  }
}

const isMetered = (path: string) => /^\/v1\/(convert|normalize|validate|enrich)$/.test(path);

const PLAIN = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const OF_QUOTA = ['X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Cost'] as const;

/** Items of these fields are texts and numbers. */
const textOf = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item));

/** Every answer to a known caller tells its limits, twice and alike (specification 001, section 4). */
function checkLimits(headers: Headers, what: string, isMetered: boolean): void {
  const number = (name: string): number => {
    const text = headers.get(name) ?? '';
    if (!/^\d+$/.test(text)) throw new Error(`${what} has no number in ${name}: ${JSON.stringify(text)}`);
    return Number(text);
  };
  const [limit, remaining, reset] = PLAIN.map(number);
  const fields = (name: string) =>
    new Map(
      parseList(headers.get(name) ?? '').map(([item, parameters]) => [textOf(item), Object.fromEntries(parameters)]),
    );
  const [policy, state] = [fields('RateLimit-Policy'), fields('RateLimit')];
  const alike = [
    [policy.get('burst')?.['q'], limit],
    [state.get('burst')?.['r'], remaining],
    [state.get('burst')?.['t'], reset],
  ];
  if (isMetered) {
    const [most, left] = OF_QUOTA.map(number);
    alike.push([policy.get('quota')?.['q'], most], [state.get('quota')?.['r'], left]);
  }
  for (const [structured, plain] of alike) {
    if (structured !== plain)
      throw new Error(`${what} tells its limits in two ways: ${textOf(structured)} and ${textOf(plain)}.`);
  }
}
