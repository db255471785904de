import type { DownloadKey, DownloadStates } from './downloads.ts';

/** A download that has been silent for this long has lost its messages, or waits in a long queue. */
const SILENT_MILLIS = 90_000;
/** The wait doubles with every waking without effect, so that wakings do not lengthen a long queue. */
const MAX_DOUBLINGS = 5;

export interface WakeDeps {
  readonly downloads: DownloadStates;
  readonly send: (work: DownloadKey & { readonly tenant: string }) => Promise<void>;
}

/** Wakes downloads that have fallen silent: a crash may have come between a write and its message. */
export async function wakeDownloads({ downloads, send }: WakeDeps, now: number): Promise<number> {
  let woken = 0;
  for await (const key of downloads.running()) {
    const request = await downloads.request(key);
    if (request?.status !== 'STARTED') continue;
    const { wakings = 0, wokenAt = '' } = request;
    const heard = Date.parse(wokenAt > request.progressedAt ? wokenAt : request.progressedAt);
    if (now - heard < SILENT_MILLIS * 2 ** Math.min(wakings, MAX_DOUBLINGS)) continue;
    if (!(await downloads.noteWaking(request, now))) continue;
    await send({ ...key, tenant: request.tenant });
    woken += 1;
  }
  return woken;
}
