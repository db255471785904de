import { expect, test } from 'vitest';
import { type MergeMessage, mergeStep } from '../../../functions/records/index/merge-step.ts';

/** An index at a version, with a number of merges to make in each mode. @param imports the imports that follow each merge */
function indexAt(version: number, merges: { busy: number; quiet: number }, imports = 0) {
  const index = { version, calls: [] as string[], sent: [] as (MergeMessage & { delaySeconds?: number })[] };
  const deps: Parameters<typeof mergeStep>[0] = {
    index: { current: async () => ({ version: index.version, segments: [] }) },
    merge: async (_, mode) => {
      index.calls.push(mode);
      if (merges[mode] === 0) return undefined;
      merges[mode] -= 1;
      const merged = index.version + 1;
      index.version = merged + imports;
      return merged;
    },
    send: async (message, delay) => void index.sent.push({ ...message, ...delay }),
  };
  const run = (message: MergeMessage) => mergeStep(deps, message);
  return { index, run };
}

const type = 'businesses';

test('after an import segments are merged message by message, and then one message waits for quiet', async () => {
  const { index, run } = indexAt(7, { busy: 1, quiet: 2 });
  expect(await run({ type })).toBe(true);
  expect(index.sent).toEqual([{ type }]);
  expect(await run(index.sent[0]!)).toBe(false);
  expect(index.sent[1]).toEqual({ type, quietSince: 8, delaySeconds: 900 });
  expect(index.calls).toEqual(['busy', 'busy']);
});

test('when it is quiet merges follow one another without a delay, until there is nothing to merge', async () => {
  const { index, run } = indexAt(8, { busy: 0, quiet: 2 });
  expect(await run({ type, quietSince: 8 })).toBe(true);
  expect(await run(index.sent[0]!)).toBe(true);
  expect(await run(index.sent[1]!)).toBe(false);
  expect(index.sent).toEqual([
    { type, quietSince: 9 },
    { type, quietSince: 10 },
  ]);
  expect(index.calls).toEqual(['quiet', 'quiet', 'quiet']);
});

test('a quiet merge is followed by no other one when an import has changed the index right after it', async () => {
  const { index, run } = indexAt(8, { busy: 0, quiet: 2 }, 1);
  expect(await run({ type, quietSince: 8 })).toBe(true);
  expect(index.sent).toEqual([{ type, quietSince: 9 }]);
  expect(await run(index.sent[0]!)).toBe(false);
  expect(index.calls).toEqual(['quiet']);
});

test('a message that waited for quiet does nothing when the index has changed meanwhile', async () => {
  const { index, run } = indexAt(9, { busy: 1, quiet: 1 });
  expect(await run({ type, quietSince: 8 })).toBe(false);
  expect([index.calls, index.sent]).toEqual([[], []]);
});
