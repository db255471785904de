import type { PatientClient } from '../patient-client.ts';
import type { Hooks } from './hooks.ts';
import type { Findings, Work } from './work.ts';

const RECORDS_PER_FILE = 100;
/** One use in so many is an import, and the others are downloads of what was imported. */
const USES_PER_IMPORT = 4;

interface DownloadRequest {
  readonly id: number;
  readonly status: 'STARTED' | 'COMPLETED';
  readonly error: string;
  readonly query: string;
  readonly downloaded: number;
}

/** Imports of new records, and downloads that are paid for record by record. */
export class RecordWork implements Work {
  readonly name = 'records';
  private readonly client: PatientClient;
  private readonly hooks: Hooks;
  private readonly faults: string[] = [];
  /** The city of the records of each file, and the key of the file. */
  private readonly imports = new Map<string, string>();
  private readonly started: number[] = [];
  private creditsBefore = 0;
  private importRule = '';
  private downloadRule = '';

  constructor(client: PatientClient, hooks: Hooks) {
    this.client = client;
    this.hooks = hooks;
  }

  async begin(): Promise<void> {
    this.creditsBefore = await this.credits();
    this.importRule = await this.hooks.rule('downloads', 'Import is completed', 'downloads-import-{{requestId}}');
    this.downloadRule = await this.hooks.rule('downloads', 'Download is completed', 'downloads-request-{{requestId}}');
  }

  async use(number: number): Promise<void> {
    if (number % USES_PER_IMPORT === 0) return this.import(`Soak${number}ville`);
    const cities = [...this.imports.keys()];
    const city = cities[(number * 7) % Math.max(1, cities.length)];
    if (city !== undefined) await this.download(city);
  }

  private async import(city: string): Promise<void> {
    const lines = recordsOf(city).map((record) => `${JSON.stringify(record)}\n`);
    const file = lines.join('');
    const upload = { type: 'businesses', name: `${city}.ndjson`, bytes: Buffer.byteLength(file) };
    const { key, uploadId, links } = await this.client.manageOrThrow('POST', 'imports/uploads', upload, 'operator');
    for (const { url } of links) {
      const { ok, status } = await fetch(url, { method: 'PUT', body: file });
      if (!ok) throw new Error(`The upload of ${city}: ${status}`);
    }
    const complete = { type: 'businesses', key, uploadId, bytes: upload.bytes };
    const { status, text, failures } = await this.client.manage('POST', 'imports', complete, 'operator');
    const isSecond = failures > 0 && text.includes('upload-gone');
    if (status !== 202 && !isSecond) this.faults.push(`The import of ${city}: ${status} ${text}`);
    this.imports.set(city, key);
  }

  private async download(city: string): Promise<void> {
    const { status, json, text } = await this.client.data(
      `data/businesses?q=${encodeURIComponent(`city:${city}`)}&download=true&format=json`,
    );
    // Its import has not ended yet.
    if (status === 400 && text.includes('numRequested cannot be <= 0')) return;
    if (status !== 303) this.faults.push(`The download of ${city}: ${status} ${text}`);
    else this.started.push(json.id);
  }

  async hasEnded(): Promise<boolean> {
    const jobs = await this.jobs();
    if (jobs.some(({ status }) => status === 'RUNNING') || jobs.length < this.imports.size) return false;
    for await (const { status } of this.client.all('requests')) if (status !== 'COMPLETED') return false;
    return true;
  }

  async audit(): Promise<Findings> {
    const faults = [...this.faults];
    const jobs = await this.jobs();
    for (const { id, status, imported } of jobs)
      if (status !== 'COMPLETED' || imported !== RECORDS_PER_FILE) faults.push(`Import ${id}: ${status}, ${imported}.`);
    const keys = jobs.map(({ key }) => key).toSorted();
    if (keys.join() !== [...this.imports.values()].toSorted().join()) faults.push(`Imported were ${keys.join(', ')}.`);
    for (const city of this.imports.keys()) {
      const { json } = await this.client.data(`data/businesses?q=${encodeURIComponent(`city:${city}`)}&records=1`);
      if (json['estimated total'] !== RECORDS_PER_FILE)
        faults.push(`${json['estimated total']} records of ${city} are found.`);
    }
    const requests: DownloadRequest[] = await Array.fromAsync(this.client.all('requests'));
    const ids = new Set(requests.map(({ id }) => id));
    for (const id of this.started) if (!ids.has(id)) faults.push(`Download ${id} is not listed.`);
    for (const request of requests) faults.push(...(await this.auditOf(request)));
    const paid = this.creditsBefore - (await this.credits());
    const delivered = requests.reduce((sum, { downloaded }) => sum + downloaded, 0);
    if (paid !== delivered) faults.push(`${paid} credits were paid for ${delivered} records.`);
    const runs = [
      ...jobs.map(({ id }) => `downloads-import-${id} ${this.importRule}`),
      ...requests.map(({ id }) => `downloads-request-${id} ${this.downloadRule}`),
    ];
    return { faults, runs, counts: { imports: jobs.length, downloads: requests.length, delivered } };
  }

  /** Reads every record of a download. */
  private async auditOf({ id, error, query, downloaded }: DownloadRequest): Promise<string[]> {
    if (error !== '' || downloaded !== RECORDS_PER_FILE) return [`Download ${id}: ${downloaded} records, ${error}.`];
    const { json: files } = await this.client.data(`results/${id}`);
    const records: { readonly id: string }[] = [];
    for (const { url } of files) {
      const text = await (await fetch(url)).text();
      records.push(
        ...text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      );
    }
    const expected = recordsOf(query.replace('city:', '')).map((record) => record.id);
    const downloadedIds = records.map((record) => record.id).toSorted();
    return downloadedIds.join() === expected.toSorted().join() ? [] : [`Download ${id} has other records.`];
  }

  private jobs = () =>
    Array.fromAsync(this.client.all('imports', 'operator')) as Promise<
      { readonly id: string; readonly key: string; readonly status: string; readonly imported: number }[]
    >;

  private credits = async (): Promise<number> => (await this.client.data('users')).json[0].available_downloads;
}

const recordsOf = (city: string) =>
  Array.from({ length: RECORDS_PER_FILE }, (_, n) => ({ id: `${city}-${n}`, name: `Shop ${n}`, city, country: 'US' }));
