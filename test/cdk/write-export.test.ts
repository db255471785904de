import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeExport } from '../../cdk/write-export.ts';

const folder = mkdtempSync(join(tmpdir(), 'write-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NOTHING = { files: [], leftOut: [] };
const PROFILE = { path: 'accounts/customers.ndjson', bytes: 2, sha256: 'a', items: 1 };

it('an export of whom there is nothing is refused with a sentence, and leaves no folder', async () => {
  const out = join(folder, 'nobody');
  const write = (subject: { readonly tenant: string; readonly customer?: string }) =>
    writeExport({ ...subject, out }, ['accounts', 'places'], async () => NOTHING);
  await expect(write({ tenant: 'nobody' })).rejects.toThrow('The service holds nothing of nobody.');
  await expect(write({ tenant: 'acme', customer: 'ann' })).rejects.toThrow('nothing of customer ann of acme.');
  expect(existsSync(out)).toBe(false);
});

it('an export has one manifest of what all domains have written and left out', async () => {
  const out = join(folder, 'acme');
  const exported = async (domain: string) =>
    domain === 'accounts' ? { files: [PROFILE], leftOut: [{ what: 'accounts: ANSWER', why: 'secret' }] } : NOTHING;
  expect(await writeExport({ tenant: 'acme', out }, ['accounts', 'places'], exported)).toBe(1);
  const { files, leftOut, tenant } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
  expect([tenant, files]).toEqual(['acme', [PROFILE]]);
  expect(leftOut.map(({ what }: { what: string }) => what)).toEqual([
    'accounts: ANSWER',
    expect.stringMatching(/^console: /),
  ]);
});
