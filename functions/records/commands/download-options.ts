import { wrongCall } from '#shared/command/command-line';
import type { DownloadCall } from './download-call.ts';

/** The options of `npm run download` that say what to download. */
interface Options extends Pick<DownloadCall, 'type' | 'q' | 'view' | 'records'> {
  readonly format: string;
  readonly 'csv-formulas'?: string | undefined;
}

/** Returns the download of these options. Throws if a format or a guard does not exist. */
export function callIn(
  { type, q, view, records, format: written, 'csv-formulas': csvFormulas }: Options,
  url: string,
): DownloadCall {
  const format = written.toLowerCase();
  if (format !== 'json' && format !== 'csv') throw wrongCall(`--format is "${written}": choose json or csv.`);
  if (csvFormulas !== undefined && csvFormulas !== 'guarded' && csvFormulas !== 'raw') {
    throw wrongCall(`--csv-formulas is "${csvFormulas}": choose guarded or raw.`);
  }
  return { url, type, q, format, view, records, csvFormulas };
}

/** Returns the address before `/v3`. */
export function baseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url?.protocol.startsWith('http')) throw new Error('--url must be an address like https://api.example.com.');
  // The folder would store the token.
  if (url.username || url.password) throw new Error('Pass the token in --token or DATA_TOKEN, not in --url.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Returns the token to send. A local service has one of its own. */
export function tokenFor(url: string, given: string | undefined): string {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
  const token = given ?? (isLocal ? 'demo-token' : undefined);
  if (!token) throw new Error('Set the environment variable DATA_TOKEN to the data token, or pass --token.');
  return token;
}
