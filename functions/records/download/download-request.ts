import { Refusal } from '#shared/errors';
import type { CsvFormulas } from '#shared/formats/csv-formulas';
import { timestamp } from '#shared/formats/timestamp';
import type { Query } from '../query/query.ts';
import type { RecordType } from '../schemas/schema.ts';
import type { View } from '../schemas/view.ts';
import { FILE_RECORDS, MAX_FILES } from './result-file.ts';

/** A bulk download: the request and its progress. Times are ISO 8601. */
export interface DownloadRequest {
  readonly id: number;
  readonly tokenId: string;
  readonly tenant: string;
  readonly planId: string;
  readonly type: RecordType;
  /** The decoded query. */
  readonly query: string;
  readonly view: string;
  readonly format: 'json' | 'csv';
  readonly csvFormulas: CsvFormulas;
  /** The parameter as it was sent; empty if it was not. */
  readonly records: string;
  readonly status: 'STARTED' | 'COMPLETED';
  /** The reason why not everything was delivered; empty if there is none. */
  readonly error: string;
  readonly numFound: number;
  readonly numRequested: number;
  readonly numDownloaded: number;
  /** Files that are complete; all of them when their records are `numRequested`. */
  readonly filesDone: number;
  readonly startedAt: string;
  /** When the last file was completed; at first, when the download started. */
  readonly progressedAt: string;
  readonly completedAt?: string;
  /** The number of times that the silent download was woken since its last file, and the time of the last one. */
  readonly wakeUps?: number;
  readonly wokenAt?: string;
}

/** A requested download, validated as far as possible without the index. */
export interface DownloadOrder {
  readonly type: RecordType;
  /** The decoded query. */
  readonly text: string;
  readonly query: Query;
  readonly view: View;
  readonly format: 'json' | 'csv';
  readonly csvFormulas: CsvFormulas;
  /** The parameter as it was sent; empty if it was not sent. */
  readonly recordsText: string;
}

/** The input of a download, fixed when it starts: no import or merge changes it. It alone determines the files. */
export interface DownloadPlan {
  /** The version of the manifest. */
  readonly version: number;
  /**
   * Matches in each segment of that manifest. Absent while unknown, because counting took longer than the caller can
   * wait.
   */
  readonly counts?: readonly number[];
}

export const NOTHING_REQUESTED = 'numRequested cannot be <= 0';

/** The number of records that a download delivers: fewer than requested if fewer match. */
export function numRequestedOf(records: string, numFound: number): number {
  const requested = records === '' ? numFound : Math.min(Number(records), numFound);
  if (requested <= 0) throw new Refusal(400, 'nothing-requested', NOTHING_REQUESTED);
  if (requested > MAX_FILES * FILE_RECORDS) {
    throw new Refusal(400, 'bad-request', `numRequested cannot be > ${MAX_FILES * FILE_RECORDS}`);
  }
  return requested;
}

export const tooFewCredits = (): Refusal =>
  new Refusal(403, 'too-few-credits', 'numRequested exceeds the available_downloads of the account');

/** The limit below which ids are counted; older ids were times, all above it. */
const COUNTED_IDS_END = 2 ** 32;
const COUNTED_IDS_COME_AFTER = 1e15;

/** Orders requests by time: ids are counted, and the older ids, which were times, come first. */
export const orderOf = ({ id }: Pick<DownloadRequest, 'id'>): number =>
  id < COUNTED_IDS_END ? id + COUNTED_IDS_COME_AFTER : id;

/** Parses a request id; undefined if the text cannot be one. */
export const requestIdIn = (text: string): number | undefined =>
  /^[0-9]{1,12}$/.test(text) ? Number(text) : undefined;

/** The Request object (README, "Interface"). */
export const presentRequest = (request: DownloadRequest, token: string) => ({
  id: request.id,
  records: request.records,
  query: request.query,
  dataType: request.type,
  dataFormat: request.format,
  accountId: token,
  planId: request.planId,
  view: request.view,
  async: 1 as const,
  status: request.status,
  error: request.error,
  numDownloaded: request.numDownloaded,
  numFound: request.numFound,
  numRequested: request.numRequested,
  date_started: timestamp(new Date(request.startedAt)),
  date_completed: timestamp(new Date(request.completedAt ?? request.startedAt)),
});
