import { quoted } from '#shared/client/curl-sample';
import type { RunDetails } from './run-answers.ts';

/** The longest payload within the command; a longer one is read from a file. */
const INLINE_MAX = 16_384;

/** A header value whose secret is masked at the end. */
const MASKED = /^(.*)\*\*\*$/;

/** Returns the request of a run as a shell command. Masked secrets become `$TOKEN`, which the person sets. */
export function curlCommand({
  targetUrl,
  headers,
  payload,
}: Pick<RunDetails, 'targetUrl' | 'headers' | 'payload'>): string {
  const lines = [`curl -X POST ${quoted(targetUrl)}`];
  for (const { name, value } of headers) {
    const prefix = MASKED.exec(value)?.[1];
    lines.push(
      prefix === undefined ? `-H ${quoted(`${name}: ${value}`)}` : `-H ${quoted(`${name}: ${prefix}`)}"$TOKEN"`,
    );
  }
  if (payload !== null)
    lines.push(payload.length > INLINE_MAX ? '--data-binary @payload.json' : `--data-binary ${quoted(payload)}`);
  return lines.join(' \\\n  ');
}
