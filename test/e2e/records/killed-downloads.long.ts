import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generatedBusinesses, Random } from '../../bench/records/generated-businesses.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { elapsed } from '../../support/runner/machine-time.ts';

const RECORDS = Number(process.env['RECORDS'] ?? 1_000_000);
const KILLS = Number(process.env['KILLS'] ?? 200);

const folder = mkdtempSync(join(tmpdir(), 'killed-downloads-'));
let service: RunningService;
let token: string;
beforeAll(async () => {
  // Not in memory: every download is as large as all the records.
  service = await startService({ dataDir: join(folder, 'state') });
  const operator = await service.managementToken('demo', { operator: true });
  const made = await service.call('/manage/v1/accounts/demo/data-tokens', {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ availableDownloads: 1_000_000_000, planId: 'demo' }),
  });
  token = made.json.token;
  for (let from = 0; from < RECORDS; from += 100_000) {
    const file = join(folder, `${from}.ndjson`);
    await writeFile(file, linesFrom(from, Math.min(RECORDS, from + 100_000)));
    const { code, stderr } = await service.run(
      'functions/records/commands/import-records.command.ts',
      '--type',
      'businesses',
      file,
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
  }
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

/** The first lines are made again each time, since the nth record follows from its number alone. */
function* linesFrom(from: number, to: number) {
  let n = 0;
  for (const record of generatedBusinesses(to)) if (n++ >= from) yield `${JSON.stringify(record)}\n`;
}

const get = async (path: string) => (await service.as(token)(path)).json;
const credits = async (): Promise<number> => (await get('/v3/users'))[0].available_downloads;

async function start(format: string): Promise<number> {
  const answer = await service.as(token)(`/v3/data/businesses?q=*:*&download=true&format=${format}`);
  expect(answer.status, answer.text).toBe(303);
  return answer.json.id;
}

/** Waits for the end; `disturb` may kill functions meanwhile. */
async function ended(id: number, disturb: () => void = () => undefined) {
  for (;;) {
    const [request] = await get(`/v3/requests/${id}`);
    if (request.status === 'COMPLETED') return request;
    disturb();
    await elapsed(50);
  }
}

/** One hash over all bytes of all files, in order. */
async function digest(id: number): Promise<string> {
  const hash = createHash('sha256');
  for (const { url } of await get(`/v3/results/${id}`)) {
    const { body } = await fetch(url);
    for await (const chunk of body ?? []) hash.update(chunk);
  }
  return hash.digest('hex');
}

it(`${RECORDS} records arrive whole, whatever is killed, and cost exactly as many`, async () => {
  const random = new Random(20_261_121);
  const { faults } = service.cloud;
  const killed = { count: 0, goal: 0 };
  const killOne = () => {
    // Not every invocation: a message that dies five times ends in the dead-letter queue, and is waited for.
    if (faults.pending > 0 || random.chance(0.7)) return;
    const moment = random.chance(0.5) ? 'sending' : 'answered';
    const end = random.below(8) === 0 ? (random.chance(0.5) ? 'before-invoke' : 'after-result') : undefined;
    faults.kill('RunDownload', end ?? { call: 1 + random.below(40), moment });
    killed.count += 1;
  };
  for (const format of ['json', 'csv']) {
    const before = await credits();
    const calm = await start(format);
    expect(await ended(calm)).toMatchObject({ numDownloaded: RECORDS, error: '' });
    const expected = await digest(calm);
    expect(before - (await credits())).toBe(RECORDS);

    killed.goal += KILLS / 2;
    do {
      const start0 = await credits();
      const id = await start(format);
      expect(await ended(id, killOne)).toMatchObject({ numDownloaded: RECORDS, error: '' });
      faults.clear();
      expect(await digest(id)).toBe(expected);
      expect(start0 - (await credits())).toBe(RECORDS);
    } while (killed.count < killed.goal);
  }
  process.stdout.write(`${killed.count} kills\n`);
});
