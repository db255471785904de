import type { CsvFormulas } from '#shared/csv-formulas';
import { Refusal } from '#shared/errors';
import { timestamp } from '#shared/timestamp';
import type { Query } from '../query/query.ts';
import type { RecordType } from '../schemas/schema.ts';
import type { View } from '../schemas/view.ts';
import { FILE_RECORDS, MAX_FILES } from './result-file.ts';

/** A bulk download: what was requested, and how far it has come. Times are ISO 8601. */
export interface DownloadRequest {
  readonly id: number;
  readonly tokenId: string;
  readonly tenant: string;
  readonly planId: string;
  readonly type: RecordType;
  /** As sent, decoded. */
  readonly query: string;
  readonly view: string;
  readonly format: 'json' | 'csv';
  readonly csvFormulas: CsvFormulas;
  /** As sent; empty when not sent. */
  readonly records: string;
  readonly status: 'STARTED' | 'COMPLETED';
  /** Empty, or why not all was delivered. */
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
  /** How often the silent download has been woken since its last file; and when last. */
  readonly wakings?: number;
  readonly wokenAt?: string;
}

/** What a caller orders, validated as far as possible without the index. */
export interface DownloadOrder {
  readonly type: RecordType;
  /** As sent, decoded. */
  readonly text: string;
  readonly query: Query;
  readonly view: View;
  readonly format: 'json' | 'csv';
  readonly csvFormulas: CsvFormulas;
  /** As sent; empty when not sent or blank. */
  readonly recordsText: string;
}

/** What a download reads, fixed when it starts: no import or merge changes it. It alone determines the files. */
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

/** How many records a download delivers: fewer than requested when fewer match. */
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

/** Ids from before they were counted were times, all above this. */
const COUNTED_IDS_END = 2 ** 32;
const COUNTED_IDS_COME_AFTER = 1e15;

/** Orders requests by time: ids are counted one by one, and those from before they were counted come first. */
export const orderOf = ({ id }: Pick<DownloadRequest, 'id'>): number =>
  id < COUNTED_IDS_END ? id + COUNTED_IDS_COME_AFTER : id;

/** A request id as a caller writes it, undefined if it cannot be one. */
export const requestIdIn = (text: string): number | undefined =>
  /^[0-9]{1,12}$/.test(text) ? Number(text) : undefined;

/** The Request object (specification 000, section 2). */
export const presentRequest = (request: DownloadRequest, token: string) => ({
  id: request.id,
  records: request.records,
  query: request.query,
  dataType: request.type,
  dataFormat: request.format,
  accountId: token,
  planId: request.planId,
  view: request.view,
  async: 1,
  status: request.status,
  error: request.error,
  numDownloaded: request.numDownloaded,
  numFound: request.numFound,
  numRequested: request.numRequested,
  date_started: timestamp(new Date(request.startedAt)),
  date_completed: timestamp(new Date(request.completedAt ?? request.startedAt)),
});
