import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STAGE_NAMES } from '../../cdk/settings.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';

const ROOT = join(import.meta.dirname, '..', '..');

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

it('a stage that works passes the smoke test, and one of which a function fails does not', async () => {
  const passed = await service.run('cdk/smoke.command.ts');
  expect(passed.stdout).not.toContain('expected');
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining('ok  401  /v3/data/businesses?q=a')]);

  service.cloud.faults.breakDown('Records/Search', 'throws');
  const failed = await service.run('cdk/smoke.command.ts');
  expect([failed.code, failed.stdout]).toEqual([
    1,
    expect.stringContaining('expected 401  500  /v3/data/businesses?q=a'),
  ]);
  service.cloud.faults.heal('Records/Search');
});

it('workflows call scripts of package.json, and offer every stage', () => {
  const folder = join(ROOT, '.github', 'workflows');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const called = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  expect(called).toEqual(expect.arrayContaining(['preflight', 'deploy', 'smoke']));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called));
  expect(text).toContain(`options: [${STAGE_NAMES.join(', ')}]`);
});
