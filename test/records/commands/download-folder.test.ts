import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DownloadFolder, fileName, numberOf, partName } from '../../../functions/records/commands/download-folder.ts';

let path: string;
let folder: DownloadFolder;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'download-folder-'));
  folder = new DownloadFolder(path);
});
afterEach(() => rmSync(path, { recursive: true }));

const record = { url: 'http://localhost', type: 'products', q: 'a', format: 'csv' as const, before: [1], id: 2 };

describe('the record of a folder', () => {
  it('is read as it was kept, replaced in one step, and forgotten', async () => {
    expect(await folder.record()).toBeUndefined();
    await folder.keep({ ...record, id: undefined });
    await folder.keep(record);
    expect(await folder.record()).toEqual(record);
    expect(readdirSync(path)).toEqual(['.download.json']);
    await folder.forget();
    expect(await folder.record()).toBeUndefined();
  });

  it('that is damaged is named, not overwritten', async () => {
    writeFileSync(folder.recordPath, '{"id":');
    await expect(folder.record()).rejects.toThrow('is damaged');
    expect(readFileSync(folder.recordPath, 'utf8')).toBe('{"id":');
  });
});

describe('files of a folder', () => {
  it('are finished when they have their name; other files and those of other downloads do not count', async () => {
    for (const name of ['5_1.txt', '5_12.txt', '5_2.txt."x".part', '6_3.txt', '5_x.txt', '15_1.txt', 'notes.txt']) {
      writeFileSync(join(path, name), '');
    }
    expect(await folder.finished(5)).toEqual(
      new Map([
        [1, '5_1.txt'],
        [12, '5_12.txt'],
      ]),
    );
  });

  it('are begun as a part that names its version, one part at a time', async () => {
    expect(await folder.part('5_1.txt')).toBeUndefined();
    writeFileSync(await folder.newPart('5_1.txt', '"abc-2"'), '123');
    writeFileSync(await folder.newPart('5_11.txt', '"xyz"'), '1');
    expect(await folder.part('5_1.txt')).toEqual({ path: join(path, '5_1.txt.abc-2.part'), etag: '"abc-2"', bytes: 3 });

    const other = await folder.newPart('5_1.txt', '"def"');
    expect(await folder.part('5_1.txt')).toBeUndefined();
    expect(readdirSync(path)).toEqual(['5_11.txt.xyz.part']);
    writeFileSync(other, '1234');
    await folder.finish(other, '5_1.txt');
    expect(readdirSync(path).sort()).toEqual(['5_1.txt', '5_11.txt.xyz.part']);
  });

  it('without a strong ETag are begun as a part of no version', async () => {
    for (const etag of [null, 'W/"abc"', '"../../etc"']) expect(partName('5_1.txt', etag)).toBe('5_1.txt..part');
    writeFileSync(await folder.newPart('5_1.txt', null), '123');
    expect((await folder.part('5_1.txt'))?.etag).toBe('');
  });
});

describe('the name of a file', () => {
  it('is the one in its link, if that is a file of the download', () => {
    expect(fileName('https://s.example.com/tok_1/5_17.txt?X-Amz-Expires=9', { id: 5, format: 'json', place: 1 })).toBe(
      '5_17.txt',
    );
  });

  it('is made from its place in the list otherwise, and never leads out of the folder', () => {
    for (const last of ['data', '6_1.csv', '..%2F5_1.csv', '5_0.csv', '']) {
      expect(fileName(`https://s.example.com/${last}`, { id: 5, format: 'csv', place: 3 })).toBe('5_3.csv');
    }
    expect(numberOf('5_3.csv', 5)).toBe(3);
  });
});
