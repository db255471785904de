import { wakeSilent } from '#shared/queue/wake-silent';
import type { DownloadKey, DownloadStates } from './downloads.ts';

const SILENT_MILLIS = 90_000;

export interface WakeDeps {
  readonly downloads: DownloadStates;
  readonly send: (work: DownloadKey & { readonly tenant: string }) => Promise<void>;
}

/** Wakes downloads that have fallen silent. */
export const wakeDownloads = ({ downloads, send }: WakeDeps, now: number): Promise<number> =>
  wakeSilent(downloads.running(), {
    silentMillis: SILENT_MILLIS,
    now,
    find: async (key) => {
      const request = await downloads.request(key);
      return request?.status === 'STARTED' ? request : undefined;
    },
    progressOf: ({ progressedAt, wokenAt, wakeUps = 0 }) => ({
      progressedAt: Date.parse(progressedAt),
      wokenAt: wokenAt === undefined ? 0 : Date.parse(wokenAt),
      wakeUps,
    }),
    note: (request) => downloads.recordWake(request, now),
    send: ({ tokenId, id, tenant }) => send({ tokenId, id, tenant }),
  });
