import { describe, expect, it } from 'vitest';
import { type ImportJob, newImportJob } from '../../../shared/import/import-job.ts';
import { reportKey } from '../../../shared/import/import-source.ts';
import { announcementOf, toImport } from '../../../shared/import/object-created.ts';

const object = (key: string) => ({ key, etag: 'e', sequencer: '1', bytes: 5 });
const typeOf = (folder: string) => (folder === 'secret' ? undefined : `things of ${folder}`);
const started = (key: string) => toImport(announcementOf(object(key)), typeOf);

describe('an object', () => {
  it('starts an import of the type of its first folder', () => {
    for (const key of ['demo/a.csv', 'demo/2026-01-01/x/a.csv', 'reports/2026-01-01/x/a.ndjson'])
      expect(started(key)).toEqual({ object: object(key), type: `things of ${key.split('/')[0]}` });
  });

  it.each(['demo', 'demo/', 'demo/a/', '/a.csv', 'secret/a.csv', 'demo/a.csv.map.json', ''])(
    'with the key %j starts none',
    (key) => {
      expect(started(key)).toBeUndefined();
    },
  );

  it('that is a report starts none', () => {
    const job: ImportJob = newImportJob(object('demo/a.csv'), 'things', 0);
    for (const parts of [0, 7, 1_234_567])
      expect(started(reportKey({ ...job, parts, checkpoint: { byte: parts * 99, line: parts } }))).toBeUndefined();
  });
});
