import * as z from 'zod';

/** Records per file; the last file of a download has the rest. */
export const FILE_RECORDS = 10_000;

/** A download, and the service that delivers it. Absent members are not sent. */
export const DownloadCall = z.object({
  /** The address before `/v3`. */
  url: z.string(),
  type: z.string(),
  q: z.string(),
  format: z.enum(['json', 'csv']),
  view: z.string().optional(),
  records: z.string().optional(),
  csvFormulas: z.enum(['guarded', 'raw']).optional(),
});
export type DownloadCall = z.output<typeof DownloadCall>;

/** The members of a Request object that this client reads. */
export const Request = z.object({
  id: z.number().int(),
  /** The token that paid; for another token of the account, its id. */
  accountId: z.string(),
  query: z.string(),
  dataType: z.string(),
  dataFormat: z.string(),
  view: z.string(),
  records: z.string(),
  status: z.string(),
  error: z.string(),
  numDownloaded: z.number().int(),
  numRequested: z.number().int(),
});
export type Request = z.output<typeof Request>;

/** The members of a Result object that this client reads. */
export const Result = z.object({ url: z.string() });

/** The path that starts the download. */
export function downloadPath({ type, q, format, view, records, csvFormulas }: Omit<DownloadCall, 'url'>): string {
  const parameters = new URLSearchParams({ q, format, download: 'true' });
  if (view !== undefined) parameters.set('view', view);
  if (records !== undefined) parameters.set('records', records);
  if (csvFormulas !== undefined) parameters.set('csvFormulas', csvFormulas);
  return `/v3/data/${encodeURIComponent(type)}?${parameters.toString()}`;
}

/** The request's id, which is the last part of the address that a started download is redirected to. */
export function idIn(location: string | null): number {
  const [, id] = /\/([0-9]+)$/.exec(location ?? '') ?? [];
  if (id === undefined) throw new Error(`The service did not return the address of the download: ${location}`);
  return Number(id);
}

/** Options whose names differ from their parameters. */
const OPTIONS: Readonly<Record<string, string>> = { csvFormulas: 'csv-formulas' };

/** The parameters in which two calls differ, as sentences without an end. */
export function differences(recorded: DownloadCall, asked: DownloadCall): string[] {
  const names = ['url', 'type', 'q', 'format', 'view', 'records', 'csvFormulas'] as const;
  const valueText = (value: string | undefined) => (value === undefined ? 'not set' : JSON.stringify(value));
  return names
    .filter((name) => recorded[name] !== asked[name])
    .map((name) => `--${OPTIONS[name] ?? name} was ${valueText(recorded[name])} and is ${valueText(asked[name])}`);
}

/** The ids of the downloads that the same call has started. */
export const idsOf = (requests: readonly Request[], { type, q, format, view, records }: DownloadCall): number[] =>
  requests
    .filter(
      (request) =>
        request.dataType === type &&
        request.query === q &&
        request.dataFormat === format &&
        request.view === (view ?? `${type}_all`) &&
        request.records === (records ?? ''),
    )
    .map(({ id }) => id);

/** The wait before the next poll of a download: most take seconds, some half an hour. */
export const pollMillis = (polls: number): number => Math.min(5_000, 1_000 + polls * 250);
