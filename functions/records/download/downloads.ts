import type { DownloadPlan, DownloadRequest } from './download-request.ts';
import type { FileRange, ResultFile } from './result-file.ts';

/** Names one download. */
export interface DownloadKey {
  readonly tokenId: string;
  readonly id: number;
}

/** The outcome of charging credits for a download. */
export type Reservation = 'reserved' | 'too-few-credits' | 'token-revoked';

/** Reads the state of downloads. */
export interface DownloadStates {
  request(key: DownloadKey): Promise<DownloadRequest | undefined>;
  plan(key: DownloadKey): Promise<DownloadPlan | undefined>;
  /** The highest complete file of the range; workers go through a range from its start. */
  lastFile(key: DownloadKey, range: FileRange): Promise<number | undefined>;
  /** Files that expire after `now`, in order. */
  files(key: DownloadKey, now: number, page: { readonly after: number; readonly limit: number }): Promise<ResultFile[]>;
  /** Downloads that have not ended. */
  running(): AsyncIterable<DownloadKey>;
  /** Records that a silent download was woken; false if another waker did or the download moved on. */
  recordWake(request: DownloadRequest, now: number): Promise<boolean>;
}

/**
 * Advances downloads. Related changes are written in one transaction: the charge and the refund of credits with the
 * start and the end of a download, and a file's row with the count of downloaded records.
 */
export interface Downloads extends DownloadStates {
  /** Starts a download and charges its records; after `id-taken`, try another id. */
  start(request: DownloadRequest, plan: DownloadPlan): Promise<Reservation | 'id-taken'>;
  /**
   * Adds the result of counting to a download and charges its records, once. `ended` if the download is over or already
   * counted.
   */
  planned(request: DownloadRequest, plan: DownloadPlan, now: number): Promise<Reservation | 'ended'>;
  /** Counts a file, once. `already-counted`: it was counted before. The last missing file completes the download. */
  addFile(request: DownloadRequest, file: ResultFile): Promise<'added' | 'already-counted' | 'ended'>;
  /** Ends a download that has delivered everything. */
  complete(key: DownloadKey, now: number): Promise<void>;
  /**
   * Ends a download with the files delivered so far, and refunds the other records, once. A download that has ended
   * stays unchanged.
   */
  fail(key: DownloadKey, error: string, now: number): Promise<void>;
  /** Records that work on the download has failed; returns how often since the last file. */
  recordFailure(key: DownloadKey): Promise<number>;
}
