/**
 * Prints the seed of a run and the circumstances of each failure; into the file TEST_SUMMARY too, for `.ci/run`. With
 * TEST_TIMES=1 it prints where the processor time went, by folder and for the dearest files.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import { SEED } from '../support/runner/seed.ts';

interface Failure {
  readonly test: string;
  readonly message: string;
  readonly circumstances: string;
}

export class FailureReporter implements Reporter {
  onInit(): void {
    process.stdout.write(`TEST_SEED=${SEED} repeats what this run leaves to chance.\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map(({ message }) => ({
        test: 'outside of all tests',
        message,
        circumstances: `TEST_SEED=${SEED}`,
      })),
    ];
    for (const { test, circumstances } of failures) {
      process.stdout.write(`\nCircumstances of the failure of ${test}\n  ${circumstances.replaceAll('\n', '\n  ')}\n`);
    }
    if (process.env['TEST_TIMES'] === '1') process.stdout.write(timesOf(modules));
    const file = process.env['TEST_SUMMARY'];
    if (file === undefined) return;
    const passed = modules.flatMap((one) => [...one.children.allTests('passed')]).length;
    writeFileSync(file, JSON.stringify({ passed, failures }));
  }
}

const DEAREST = 40;

interface Times {
  readonly name: string;
  readonly own: number;
  readonly children: number;
}

function timesOf(modules: readonly TestModule[]): string {
  const files = modules.map((module) => ({
    name: module.relativeModuleId,
    own: module.meta().processorSeconds ?? 0,
    children: module.meta().childSeconds ?? 0,
  }));
  const folderOf = (name: string) =>
    name
      .split('/')
      .slice(0, name.startsWith('test/cdk/local/') ? 3 : 2)
      .join('/');
  const sumOf = (name: string, all: readonly Times[]) => ({
    name,
    own: all.reduce((sum, { own }) => sum + own, 0),
    children: all.reduce((sum, { children }) => sum + children, 0),
  });
  const folders = [...Map.groupBy(files, ({ name }) => folderOf(name))].map(([name, all]) => sumOf(name, all));
  const row = ({ name, own, children }: Times) => `| ${name} | ${own.toFixed(1)} | ${children.toFixed(1)} |`;
  const table = (rows: readonly Times[]) =>
    rows
      .toSorted((a, b) => b.own + b.children - a.own - a.children)
      .slice(0, DEAREST)
      .map(row);
  return [
    '\nProcessor seconds in the process of the test, and in those that it started',
    row(sumOf('all', files)),
    ...table(folders),
    '',
    ...table(files),
    '',
  ].join('\n');
}

function failuresOf(module: TestModule): Failure[] {
  const { circumstances = `TEST_SEED=${SEED}` } = module.meta();
  const failureOf = (test: string, errors: readonly SerializedError[], of = circumstances) => ({
    test,
    message: errors[0]?.message ?? '',
    circumstances: of,
  });
  const named = (one: TestCase | TestSuite) => `${module.relativeModuleId}: ${one.fullName}`;
  return [
    ...(module.errors().length > 0 ? [failureOf(module.relativeModuleId, module.errors())] : []),
    ...[...module.children.allSuites()]
      .filter((suite) => suite.errors().length > 0)
      .map((suite) => failureOf(named(suite), suite.errors())),
    ...[...module.children.allTests('failed')].map((test) =>
      failureOf(named(test), test.result().errors ?? [], test.meta().circumstances),
    ),
  ];
}
