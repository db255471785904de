import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import type { JsonObject } from '../../../../cdk/local/endpoint/json.ts';
import type { Stepped } from '../../../../cdk/local/stepfunctions/execution/step.ts';
import { ExecutionStore } from '../../../../cdk/local/stepfunctions/execution-store.ts';
import type { TaskAnswer } from '../../../../cdk/local/stepfunctions/lambda-task.ts';
import {
  beginDurable,
  DURABLE_OUTPUT,
  durable,
  executionArn,
  invokeFunction,
} from '../../../support/cloud/durable-machine.ts';
import { eventually } from '../../../support/cloud/local-cloud.ts';
import { type Invoked, ran, task } from '../../../support/cloud/state-machine.ts';
import { elapsed } from '../../../support/runner/machine-time.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'executions-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Dies at one save, before or after it is kept; nothing is kept afterwards. */
class MortalStore extends ExecutionStore {
  saves = 0;
  private readonly death: { readonly at: number; readonly isSaved: boolean };

  constructor(file: string, death: { readonly at: number; readonly isSaved: boolean }) {
    super(file);
    this.death = death;
  }

  override save(stepped: Stepped): void {
    this.saves += 1;
    const { at, isSaved } = this.death;
    if (this.saves < at || (this.saves === at && isSaved)) super.save(stepped);
    if (this.saves >= at) throw new Error('killed');
  }
}

/** Runs the durable machine to its death and again to its end; how often it saved, and what it gave. */
async function runTwice(file: string, death: { at: number; isSaved: boolean }) {
  const clock = new Clock(() => Date.UTC(2026, 0, 1));
  const options = { invoke: invokeFunction, clock, report: () => undefined };
  const mortal = new MortalStore(file, death);
  const first = durable(mortal, options);
  beginDurable(first, 'run', clock.millis());
  first.executor.start(() => true);
  const arn = executionArn('run');
  await eventually(
    { clock, settled: () => first.activity.settled() },
    () => mortal.saves >= death.at || mortal.byArn(arn)?.execution.status !== 'RUNNING',
    Boolean,
  );
  await first.executor.stop();
  mortal.close();

  const second = durable(new ExecutionStore(file), options);
  second.executor.start(() => true);
  await eventually(
    { clock, settled: () => second.activity.settled() },
    () => second.store.byArn(arn)?.execution.status !== 'RUNNING',
    Boolean,
  );
  await second.executor.stop();
  const execution = second.store.byArn(arn)?.execution;
  const events = second.store.history(arn, { limit: 1000, after: undefined, reverse: false });
  second.store.close();
  return { execution, events, saves: mortal.saves };
}

describe('an execution', () => {
  test('has the same end wherever between two steps its process was killed', async () => {
    const { saves, events } = await runTwice(join(folder, 'whole.db'), { at: Infinity, isSaved: true });
    expect(saves).toBeGreaterThan(20);
    const deaths = Array.from({ length: saves }, (_, at) =>
      [true, false].map((isSaved) => ({ at: at + 1, isSaved })),
    ).flat();
    const ends = await Promise.all(deaths.map((death, at) => runTwice(join(folder, `${at}.db`), death)));
    for (const end of ends) {
      expect(end.execution).toMatchObject({ status: 'SUCCEEDED', output: DURABLE_OUTPUT });
      expect(end.events.map(({ id }) => id)).toEqual(end.events.map((_, at) => at + 1));
      expect(end.events.map(({ type }) => type).toSorted()).toEqual(events.map(({ type }) => type).toSorted());
    }
  });

  test('of a random machine has the same end and history when every step is taken by another process', () => {
    const invoke: Invoked = ({ Payload }) => {
      const length = JSON.stringify(Payload).length;
      return length % 3 === 0 ? { error: 'Third' } : { output: { length } };
    };
    fc.assert(
      fc.property(machines(3), (machine) => {
        const moved = ran(machine, { invoke, between: (execution) => JSON.parse(JSON.stringify(execution)) });
        const stayed = ran(machine, { invoke });
        expect(JSON.stringify(moved)).toBe(JSON.stringify(stayed));
        expect(moved.execution.status).not.toBe('RUNNING');
      }),
      { numRuns: 200 },
    );
  });

  test('loses no task to functions that are cut off because the cloud stops', async () => {
    const file = join(folder, 'stopped.db');
    const underWay: ((answer: TaskAnswer) => void)[] = [];
    const invoke = () => new Promise<TaskAnswer>((resolve) => underWay.push(resolve));
    const clock = new Clock();
    const options = { clock, report: (line: string) => expect.fail(line) };
    const first = durable(new ExecutionStore(file), { ...options, invoke });
    beginDurable(first, 'run', Date.now());
    first.executor.start(() => true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(underWay).toHaveLength(2);
    const stopped = first.executor.stop();
    for (const answer of underWay) answer({ kind: 'failed', error: 'Runtime.ExitError', cause: 'signal: killed' });
    await stopped;
    first.store.close();

    const second = durable(new ExecutionStore(file), { ...options, invoke: invokeFunction });
    second.executor.start(() => true);
    const arn = executionArn('run');
    const end = await eventually(
      { clock, settled: () => second.activity.settled() },
      () => second.store.byArn(arn)?.execution,
      (execution) => execution?.status !== 'RUNNING',
    );
    expect(end).toMatchObject({ status: 'SUCCEEDED', output: DURABLE_OUTPUT });
    await second.executor.stop();
    second.store.close();
  });

  test('is finished however often and whenever its process is killed', async () => {
    const file = join(folder, 'killed.db');
    let isDone = false;
    for (let kills = 0; !isDone; kills++) {
      const seed = String(Math.floor(Math.random() * 2 ** 31));
      const child = spawn(process.execPath, [PROGRAM, file, '20', seed], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const exited = once(child, 'exit');
      let printed = '';
      const started = new Promise<void>((resolve) => {
        child.stdout?.on('data', (text) => {
          printed += String(text);
          if (printed.includes('started')) resolve();
        });
      });
      await started;
      // The first one dies at once, and the later ones live longer, so that the work ends on a slow machine too.
      if (kills > 0) await Promise.race([exited, elapsed(Math.random() * 80 * kills)]);
      child.kill('SIGKILL');
      await exited;
      isDone = printed.includes('done');
      if (kills === 0) expect(isDone).toBe(false);
    }
    const store = new ExecutionStore(file);
    for (let at = 0; at < 20; at++) {
      const arn = executionArn(`run-${at}`);
      expect(store.byArn(arn)?.execution).toMatchObject({ status: 'SUCCEEDED', output: DURABLE_OUTPUT });
      const ids = store.history(arn, { limit: 1000, after: undefined, reverse: false }).map(({ id }) => id);
      expect(ids).toEqual(ids.map((_, index) => index + 1));
    }
    store.close();
  });
});

const PROGRAM = fileURLToPath(new URL('run-executor.command.ts', import.meta.url));

/** Sequences of states, some of which hold sequences themselves. */
function machines(depth: number): fc.Arbitrary<JsonObject> {
  const plain = fc.constantFrom<JsonObject>(
    { Type: 'Pass', Parameters: { list: [1, 2, 3] } },
    { Type: 'Pass', Parameters: { 'seen.$': '$', 'name.$': '$$.State.Name' } },
    task({ Retry: [{ ErrorEquals: ['Third'], IntervalSeconds: 3 }] }),
    task(),
    task({ Retry: [{ ErrorEquals: ['Third'], MaxAttempts: 1 }] }),
    task({ ResultPath: '$', TimeoutSeconds: 5 }),
  );
  const state = (inner: fc.Arbitrary<JsonObject>) =>
    fc.oneof(
      plain,
      inner.map(
        (ItemProcessor): JsonObject => ({
          Type: 'Map',
          ItemsPath: '$.list',
          ItemProcessor,
          MaxConcurrency: 2,
          ItemSelector: { 'v.$': '$$.Map.Item.Value' },
        }),
      ),
    );
  const states = depth === 0 ? plain : state(machines(depth - 1));
  return fc.array(states, { minLength: 1, maxLength: 4 }).map((list) => renamed(list));
}

let named = 0;

/** Gives every state of the machine a name of its own. */
function renamed(states: readonly JsonObject[]): JsonObject {
  const names = states.map(() => `S${++named}`);
  const entries = states.map((state, at) => {
    const next = names[at + 1];
    return [names[at] ?? '', { ...fresh(state), ...(next === undefined ? { End: true } : { Next: next }) }] as const;
  });
  return { StartAt: names[0], States: Object.fromEntries(entries) };
}

/** Values that fast-check repeats would repeat their names. */
function fresh(state: JsonObject): JsonObject {
  const again = (machine: unknown) =>
    renamed(
      Object.values((machine as { States: Record<string, JsonObject> }).States).map(
        ({ Next: _next, End: _end, ...inner }) => inner,
      ),
    );
  const { ItemProcessor } = state;
  return ItemProcessor ? { ...state, ItemProcessor: again(ItemProcessor) } : state;
}
