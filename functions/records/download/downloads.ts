import type { DownloadPlan, DownloadRequest } from './download-request.ts';

/** Names one download. */
export interface DownloadKey {
  readonly tokenId: string;
  readonly id: number;
}

/** Files of a download, by number: `from` to before `to`. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

/** How long a file can be fetched. */
export const RESULT_SECONDS = 7 * 86_400;

/** A file that lies in storage and can be fetched until it expires. */
export interface ResultFile {
  readonly file: number;
  readonly records: number;
  readonly bytes: number;
  readonly createdAt: string;
}

/** What became of reserving records of the account. */
export type Reserved = 'reserved' | 'too-few-credits' | 'token-revoked';

/** Where downloads stand. */
export interface DownloadStates {
  request(key: DownloadKey): Promise<DownloadRequest | undefined>;
  /** All downloads of a token, the newest first. */
  requests(tokenId: string): AsyncIterable<DownloadRequest>;
  plan(key: DownloadKey): Promise<DownloadPlan | undefined>;
  /** The highest file of the range that is complete; a range is worked on from its start on. */
  lastFile(key: DownloadKey, range: FileRange): Promise<number | undefined>;
  /** Files that expire after `now`, in order. */
  files(key: DownloadKey, now: number, page: { readonly after: number; readonly limit: number }): Promise<ResultFile[]>;
  /** Downloads that have not ended. */
  running(): AsyncIterable<DownloadKey>;
  /** Notes that a silent download was woken; false if somebody else did or it moved on. */
  noteWaking(request: DownloadRequest, now: number): Promise<boolean>;
}

/**
 * Moves downloads on. What belongs together moves together: records of the account with the start and the end of a
 * download, a file's row with the count of what was downloaded.
 */
export interface Downloads extends DownloadStates {
  /** Starts a download, reserving what it asks for; an id that is taken asks for another. */
  start(request: DownloadRequest, plan: DownloadPlan): Promise<Reserved | 'id-taken'>;
  /** Adds to a download what counting found, reserving it. `ended` if the download is over, or counted already. */
  planned(request: DownloadRequest, plan: DownloadPlan): Promise<Reserved | 'ended'>;
  /** Counts a file, once. `there`: counted before. With the only file the download completes. */
  addFile(request: DownloadRequest, file: ResultFile): Promise<'added' | 'there' | 'ended'>;
  /** Ends a download that delivered all. */
  complete(key: DownloadKey, now: number): Promise<void>;
  /** Ends a download with what it delivered until now, and gives back the rest. Does nothing to one that has ended. */
  fail(key: DownloadKey, error: string, now: number): Promise<void>;
  /** Notes that work on the download has come back undone; how often since the last file. */
  noteTrouble(key: DownloadKey): Promise<number>;
}
