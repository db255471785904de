import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const inRepository = (file: string) => JSON.stringify(join(ROOT, file));

const CONFIG = `
import { FailureReporter } from ${inRepository('test/tooling/failure-reporter.ts')};
import { SEED } from ${inRepository('test/support/runner/seed.ts')};
export default {
  test: {
    setupFiles: [${inRepository('test/tooling/setup.ts')}],
    sequence: { shuffle: true, seed: SEED },
    reporters: [new FailureReporter()],
  },
};`;

/** Each test fails with its place in the order and with what it took from chance. */
const TESTS = `
import * as fc from 'fast-check';
import { describe, beforeAll, test } from 'vitest';
import { noteServiceLine } from ${inRepository('test/support/runner/circumstances.ts')};
let place = 0;
for (const name of ['one', 'two', 'three', 'four', 'five']) {
  test(name, () => {
    noteServiceLine('Worker gave up an event');
    throw new Error(JSON.stringify([++place, Math.random(), fc.sample(fc.integer(), 3)]));
  });
}
test('six', () => {});
describe('hooks', () => {
  beforeAll(() => { throw new Error('no service'); });
  test('seven', () => {});
});`;

interface Summary {
  readonly passed: number;
  readonly failures: readonly { readonly test: string; readonly message: string; readonly circumstances: string }[];
}

let folder: string;
let runs: { readonly printed: string; readonly summary: Summary }[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'failures-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'vitest.config.mjs'), CONFIG);
  writeFileSync(join(folder, 'some.test.ts'), TESTS);
  runs = ['1', '1', '2'].map((seed) => {
    const summary = join(folder, 'summary.json');
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TEST_SEED: seed, TEST_SUMMARY: summary },
    });
    return { printed: stdout, summary: JSON.parse(readFileSync(summary, 'utf8')) as Summary };
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const told = ({ test, message }: Summary['failures'][number]) => [test, message];

it('a run with the seed of another one takes the same from chance', () => {
  const [first, second, other] = runs.map(({ summary }) => summary.failures.map(told));
  expect(first).toHaveLength(6);
  expect(second).toEqual(first);
  expect(other?.toSorted()).not.toEqual(first?.toSorted());
});

it('every test has numbers of its own', () => {
  const drawn = runs[0]?.summary.failures.map(({ message }) => /0\.\d+/.exec(message)?.[0]) ?? [];
  expect(new Set(drawn).size).toBe(6);
});

it('a failure names the seed, the load of the machine and what the service reported', () => {
  for (const { printed, summary } of runs) {
    expect(summary.passed).toBe(1);
    for (const { test, circumstances } of summary.failures) {
      expect(circumstances).toMatch(
        /^TEST_SEED=\d\nLoad of the machine: \d.*\nThis process: .*event loop was late by \d+/,
      );
      expect(circumstances).toContain('Worker gave up an event');
      expect(printed).toContain(`Circumstances of the failure of ${test}`);
    }
  }
});

it('a hook that fails is a failure, with the circumstances of its file', () => {
  expect(runs[0]?.summary.failures.find(({ message }) => message === 'no service')?.test).toBe('some.test.ts: hooks');
});
