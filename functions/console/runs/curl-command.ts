import type { RunDetails } from './run-answers.ts';

/** Longer payloads are better read from a file. */
const INLINE_MAX = 16_384;

/** The end of a header whose secret is not shown. */
const MASKED = /^(.*)\*\*\*$/;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request of a run as a command for a shell. Masked secrets become `$TOKEN`, for the person to set. */
export function curlCommand({
  targetUrl,
  headers,
  payload,
}: Pick<RunDetails, 'targetUrl' | 'headers' | 'payload'>): string {
  const lines = [`curl -X POST ${quoted(targetUrl)}`];
  for (const { name, value } of headers) {
    const shown = MASKED.exec(value)?.[1];
    lines.push(shown === undefined ? `-H ${quoted(`${name}: ${value}`)}` : `-H ${quoted(`${name}: ${shown}`)}"$TOKEN"`);
  }
  if (payload !== null)
    lines.push(payload.length > INLINE_MAX ? '--data-binary @payload.json' : `--data-binary ${quoted(payload)}`);
  return lines.join(' \\\n  ');
}
