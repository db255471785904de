import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiptOfSeed } from '../support/images/receipts/generated-receipt.ts';
import { FOREIGN_FILES } from '../support/records/foreign-files.ts';
import { smallestSizes } from './smallest-sizes.ts';

const folder = mkdtempSync(join(tmpdir(), 'benches-'));

beforeAll(async () => {
  for (const { file, sample } of FOREIGN_FILES) writeFileSync(join(folder, file), gzipSync(sample));
  const { truth, render } = receiptOfSeed(1, { country: 'US', file: 'jpeg', distortion: 'clean' });
  writeFileSync(join(folder, 'receipt.jpg'), (await render()).bytes);
  const total = (truth.total / 100).toFixed(2);
  const line = { image: 'receipt.jpg', company: truth.store, date: truth.date, total };
  writeFileSync(join(folder, 'truth.ndjson'), `${JSON.stringify(line)}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(Object.entries(smallestSizes(folder)))(
  'the bench %s runs to its end and prints figures',
  async (name, environment) => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'bench', '--', name], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { ...process.env, ...environment },
      maxBuffer: 1 << 26,
    });
    expect(stdout).toMatch(/\d/);
    expect(stdout).not.toMatch(/\b(NaN|undefined|Infinity)\b/);
  },
);
