import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExportFolder } from '../../../shared/export/export-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'export-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the folder of an export', () => {
  it('counts, measures and hashes what is in each file, which only its owner can read', async () => {
    const folder = new ExportFolder(root, 'images');
    for (let n = 0; n < 5_000; n += 1) await folder.line('validations', `{"n":${n},"store":"Café"}\n`);
    await folder.object('validations/acme/1/images/a b', Readable.from([Buffer.from('pic'), Buffer.from('ture')]));
    const files = await folder.close();
    expect(files.map(({ path, items }) => [path, items])).toEqual([
      ['images/files/validations/acme/1/images/a%20b', undefined],
      ['images/validations.ndjson', 5_000],
    ]);
    for (const { path, bytes, sha256 } of files) {
      const stored = readFileSync(join(root, path));
      expect([stored.length, createHash('sha256').update(stored).digest('hex')]).toEqual([bytes, sha256]);
      expect(statSync(join(root, path)).mode & 0o077).toBe(0);
    }
    expect(readFileSync(join(root, 'images/validations.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(5_000);
  });

  it('lets no key of an object lead out of it', async () => {
    const folder = new ExportFolder(root, 'places');
    await folder.object('../../..//acme/%2e%2e/x', Readable.from([Buffer.from('x')]));
    expect((await folder.close()).map(({ path }) => path)).toEqual(['places/files/_../_../_../_/acme/%252e%252e/x']);
  });
});
