import { join } from 'node:path';
import { atOnce } from '#shared/at-once';
import { ApiError } from '#shared/client/api-client';
import { progressBar } from '#shared/command/progress-bar';
import { type DownloadCall, differences, FILE_RECORDS, idsOf, pollMillis, type Request } from './download-call.ts';
import { type DownloadFolder, fileName, numberOf } from './download-folder.ts';
import { fetchFile, type Links } from './file-fetch.ts';
import type { PublicApi } from './public-api.ts';
import { recordsIn, totalOf, wrongCounts } from './record-count.ts';
import { type Pause, retried } from './retry.ts';

const FILES_AT_ONCE = 4;

/** The parts of one download. */
interface Download {
  readonly api: PublicApi;
  readonly call: DownloadCall;
  readonly folder: DownloadFolder;
  readonly pause: Pause;
}

interface DownloadOutcome {
  /** The download as it ended; its `error` says why the service could not deliver all. */
  readonly request: Request;
  /** The number of records and of files in the folder. */
  readonly records: number;
  readonly files: number;
}

/** Downloads all files into the folder and counts their records. A folder whose download was begun resumes it. */
export async function downloadRecords(download: Download): Promise<DownloadOutcome> {
  const request = await endedRequest(download, await startedId(download));
  const names = await fetchedFiles(download, request);
  const counts = await countedFiles(download, names);
  const wrong = wrongCounts(request, counts);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return { request, records: totalOf(counts), files: counts.size };
}

/** The download of this folder, started if it has none. It is started once, even if the answer is lost. */
async function startedId({ api, call, folder, pause }: Download): Promise<number> {
  const recorded = await folder.record();
  const differing = recorded ? differences(recorded, call) : [];
  if (differing.length > 0) {
    throw new Error(
      `${folder.path} belongs to another download: ${differing.join('; ')}. Choose another --out, or make the same call.`,
    );
  }
  if (recorded?.id !== undefined) return recorded.id;
  const before = recorded?.before ?? idsOf(await retried(() => api.requests(), pause), call);
  await folder.keep({ ...call, before });
  const lost = async () => idsOf(await api.requests(), call).find((id) => !before.includes(id));
  try {
    const id = await retried(
      async (failures) => (recorded || failures > 0 ? await lost() : undefined) ?? (await api.start(call)),
      pause,
    );
    await folder.keep({ ...call, before, id });
    return id;
  } catch (error) {
    // Nothing was started, so no later call has to find it.
    if (error instanceof ApiError) await folder.forget();
    throw error;
  }
}

async function endedRequest({ api, pause }: Download, id: number): Promise<Request> {
  const bar = progressBar(`download ${id}`);
  try {
    for (let polls = 0; ; polls += 1) {
      const request = await retried(() => api.request(id), pause);
      if (request.status !== 'STARTED') return request;
      bar.show(request.numDownloaded / Math.max(1, request.numRequested));
      await pause(pollMillis(polls));
    }
  } finally {
    bar.end();
  }
}

/** Fetches the missing files; returns the names of all files by their numbers. */
async function fetchedFiles(download: Download, request: Request): Promise<Map<number, string>> {
  const { folder, pause } = download;
  const { id, numDownloaded } = request;
  const links = await linksOf(download, id);
  const here = await folder.finished(id);
  const missing = links.names().filter((name) => !here.has(numberOf(name, id) ?? 0));
  if (here.size + missing.length < Math.ceil(numDownloaded / FILE_RECORDS)) {
    throw new Error(
      `Files of download ${id} are no longer available: they are kept for seven days. Delete ${folder.recordPath} to ` +
        'download again.',
    );
  }
  const bar = progressBar('fetching files');
  let fetched = 0;
  try {
    await atOnce(missing, FILES_AT_ONCE, async (name, signal) => {
      bar.show(fetched / missing.length);
      await fetchFile({ folder, links, pause }, name, signal);
      fetched += 1;
    });
  } finally {
    bar.end();
  }
  return await folder.finished(id);
}

/** The records in each file, by its number. */
async function countedFiles(
  { call, folder }: Download,
  names: ReadonlyMap<number, string>,
): Promise<Map<number, number>> {
  const bar = progressBar('counting records');
  const counts = new Map<number, number>();
  try {
    for (const [number, name] of names) {
      bar.show(counts.size / names.size);
      counts.set(number, await recordsIn(join(folder.path, name), call.format));
    }
  } finally {
    bar.end();
  }
  return counts;
}

/** The links to the files of a download. After a refusal they are read again, once for all waiting fetches. */
async function linksOf({ api, call: { format }, pause }: Download, id: number): Promise<Links & { names(): string[] }> {
  const read = async () =>
    new Map(
      (await retried(() => api.links(id), pause)).map((link, i) => [
        fileName(link, { id, format, place: i + 1 }),
        link,
      ]),
    );
  let current = await read();
  let reading: Promise<void> | undefined;
  const renewed = async () => {
    try {
      current = await read();
    } finally {
      reading = undefined;
    }
  };
  return {
    names: () => [...current.keys()],
    of(name) {
      const link = current.get(name);
      if (link === undefined) throw new Error(`${name} is no longer available: files are kept for seven days.`);
      return link;
    },
    async renew(name, refused) {
      if (current.get(name) === refused) await (reading ??= renewed());
    },
  };
}
