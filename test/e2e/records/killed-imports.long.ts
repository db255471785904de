import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generatedBusinesses, Random } from '../../bench/records/generated-businesses.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { elapsed } from '../../support/runner/machine-time.ts';

/** The file has three parts and more, so that several workers have one each. */
const RECORDS = Number(process.env['RECORDS'] ?? 600_000);
const KILLS = Number(process.env['KILLS'] ?? 10);
const BROKEN_EVERY = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'killed-imports-'));
let service: RunningService;
let token: string;
let management: (path: string) => Promise<Awaited<ReturnType<RunningService['call']>>>;
beforeAll(async () => {
  service = await startService({ dataDir: join(folder, 'state') });
  const operator = await service.managementToken('demo', { operator: true });
  const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
  management = (path) => service.call(path, { headers });
  const answer = await service.call('/manage/v1/accounts/demo/data-tokens', {
    method: 'POST',
    headers,
    body: JSON.stringify({ availableDownloads: 1, planId: 'demo' }),
  });
  token = answer.json.token;
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

/** Businesses with broken lines between them; at the end, the first tenth of them with another telephone number. */
function* lines() {
  let n = 0;
  for (const business of generatedBusinesses(RECORDS)) {
    if (n++ % BROKEN_EVERY === 0) yield 'broken\n';
    yield `${JSON.stringify(business)}\n`;
  }
  for (const business of generatedBusinesses(RECORDS / 10))
    yield `${JSON.stringify({ ...business, phones: ['555'] })}\n`;
}

const count = async (q: string): Promise<number> =>
  (await service.as(token)(`/v3/data/businesses?records=0&q=${encodeURIComponent(q)}`)).json['estimated total'];

it(`one file of ${RECORDS} records is imported once by several workers, whatever is killed`, async () => {
  const file = join(folder, 'businesses.ndjson');
  await writeFile(file, lines());
  const { faults } = service.cloud;
  const random = new Random(20_261_126);
  let kills = 0;
  const importing = service.run('functions/records/commands/import-records.command.ts', '--type', 'businesses', file);
  const ended = { done: false };
  const killing = async () => {
    while (!ended.done) {
      await elapsed(500);
      if (kills >= KILLS || faults.pending > 0 || random.chance(0.7)) continue;
      const moment = random.chance(0.5) ? 'sending' : 'answered';
      faults.kill('ImportRecords', { call: 1 + random.below(20), moment });
      kills += 1;
    }
  };
  const killed = killing();
  const { code, stderr } = await importing;
  ended.done = true;
  await killed;
  faults.clear();
  // 2: some lines were rejected.
  expect(code, stderr).toBe(2);
  const [job] = (await management('/manage/v1/imports')).json.items;
  const broken = Math.ceil(RECORDS / BROKEN_EVERY);
  expect(job).toMatchObject({
    status: 'COMPLETED',
    lines: RECORDS + RECORDS / 10 + broken,
    imported: RECORDS + RECORDS / 10,
    rejected: broken,
  });
  const { rejections } = (await management(`/manage/v1/imports/${job.id}`)).json;
  expect(rejections.map(({ line }: { line: number }) => line)).toEqual(
    Array.from({ length: Math.min(100, broken) }, (_, i) => i * (BROKEN_EVERY + 1) + 1),
  );
  expect(await count('*:*')).toBe(RECORDS);
  expect(await count('phones:555')).toBe(RECORDS / 10);
  process.stdout.write(`${kills} kills\n`);
});
