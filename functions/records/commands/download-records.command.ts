/**
 * npm run download: downloads records through the public interface. A customer
 * can copy it together with the files that it imports: none of them reaches a table, a queue or a handler.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atOnce } from '#shared/at-once';
import { ApiError } from '#shared/client/api-client';
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION, wrongCall } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { progressBar } from '#shared/command/progress-bar';
import { variable } from '#shared/env';
import { type DownloadCall, differences, FILE_RECORDS, idsOf, pollMillis, type Request } from './download-call.ts';
import { DownloadFolder, fileName, numberOf } from './download-folder.ts';
import { fetchFile, type Links } from './file-fetch.ts';
import { type PublicApi, publicApi } from './public-api.ts';
import { recordsIn, totalOf, wrongCounts } from './record-count.ts';
import { retried } from './retry.ts';

const LINE = {
  script: 'download',
  about: `Downloads the records of a query through the public interface, and counts what came. Run it again and it resumes;
each record is charged once. Exits with 2 if the service could not deliver all.`,
  options: {
    type: { value: 'TYPE', about: 'businesses, products or properties', required: true },
    q: { value: 'QUERY', about: 'which records, as in a search', required: true },
    out: { value: 'DIR', about: 'the folder for the files', required: true },
    format: { value: 'json|csv', about: 'of the files', default: 'json' },
    'csv-formulas': { value: 'guarded|raw', about: 'raw: cells of CSV as they are, for a program that reads them' },
    view: { value: 'VIEW', about: 'which fields; otherwise all' },
    records: { value: 'N', about: 'how many records; otherwise all that match' },
    token: { value: 'TOKEN', about: 'the data token; better given by the environment variable DATA_TOKEN' },
    url: { value: 'BASE_URL', about: 'where the service is, such as https://api.example.com' },
    stage: STAGE_OPTION,
  },
  example: "--type products --q 'brand:northwind' --format csv --view products_basicFields --out northwind",
} as const;

const FILES_AT_ONCE = 4;

/** The parts of one download. */
interface Download {
  readonly api: PublicApi;
  readonly call: DownloadCall;
  readonly folder: DownloadFolder;
}

await runCommandLine(LINE, async ({ values }) => {
  const { type, q, out, view, records } = values;
  const format = values.format.toLowerCase();
  if (format !== 'json' && format !== 'csv') throw wrongCall(`--format is "${values.format}": choose json or csv.`);
  const url = baseUrl(values.url ?? (await addressOf(values.stage)));
  const csvFormulas = values['csv-formulas'];
  if (csvFormulas !== undefined && csvFormulas !== 'guarded' && csvFormulas !== 'raw') {
    throw wrongCall(`--csv-formulas is "${csvFormulas}": choose guarded or raw.`);
  }
  const call: DownloadCall = { url, type, q, format, view, records, csvFormulas };
  const api = publicApi(url, tokenFor(url, values.token));
  return await downloaded({ api, call, folder: new DownloadFolder(out) });
});

async function addressOf(stage: string | undefined): Promise<string> {
  if (stage !== undefined) return (await findDeployment(stage)).output('ApiUrl');
  const local = await findDeployment(undefined).catch(() => undefined);
  return local?.output('ApiUrl') ?? `http://localhost:${variable('PORT') ?? '3000'}`;
}

function baseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url?.protocol.startsWith('http')) throw new Error('--url must be an address like https://api.example.com.');
  // The folder would store the token.
  if (url.username || url.password) throw new Error('Pass the token in --token or DATA_TOKEN, not in --url.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function tokenFor(url: string, given: string | undefined): string {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
  const token = given ?? variable('DATA_TOKEN') ?? (isLocal ? 'demo-token' : undefined);
  if (!token) throw new Error('Set the environment variable DATA_TOKEN to the data token, or pass --token.');
  return token;
}

/** The exit code: 0 when all records have arrived, 2 when the service could not deliver all. Failures throw. */
async function downloaded(download: Download): Promise<number> {
  const { api, folder } = download;
  const request = await endedRequest(api, await startedId(download));
  const names = await fetchedFiles(download, request);
  const counts = await countedFiles(download, names);
  const wrong = wrongCounts(request, counts);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const files = counts.size === 1 ? '1 file' : `${counts.size} files`;
  const outcome = `${totalOf(counts)} records in ${files} in ${folder.path}.`;
  if (request.error === '') {
    console.log(outcome);
    return 0;
  }
  console.error(`${request.error}\n${outcome} ${request.numRequested} were requested.`);
  return 2;
}

/** The download of this folder, started if it has none. It is started once, even if the answer is lost. */
async function startedId({ api, call, folder }: Download): Promise<number> {
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

async function endedRequest(api: PublicApi, id: number): Promise<Request> {
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
async function fetchedFiles({ api, call, folder }: Download, request: Request): Promise<Map<number, string>> {
  const { id, numDownloaded } = request;
  const links = await linksOf(api, { id, format: call.format });
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
async function linksOf(
  api: PublicApi,
  { id, format }: { id: number; format: 'json' | 'csv' },
): Promise<Links & { names(): string[] }> {
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
