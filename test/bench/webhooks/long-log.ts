/** A delivery log as long as a busy tenant's. */
import { demoRuns } from '../../../functions/webhooks/commands/demo-runs.ts';
import type { Attempt } from '../../../functions/webhooks/runs/attempt.ts';
import type { Run } from '../../../functions/webhooks/runs/run.ts';
import { attemptItem, payloadItem, runItem } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { putInBatches } from '../batch-puts.ts';

/** The runs of the demo once more and once more, each half a minute before the one that was stored before it. */
export async function fillLog(table: Table, runs: number): Promise<void> {
  const now = Date.now();
  const patterns = demoRuns(now).filter(({ run }) => run.replayOf === undefined && run.replays === 0);
  const expiresAt = now + 30 * 86_400_000;
  function* items() {
    for (let n = 0; n < runs; n += 1) {
      const { run, payload, attempts } = patterns[n % patterns.length]!;
      const shift = now - (n + 1) * 20_000 - run.createdAt;
      const moved = ({ startedAt, endedAt, ...attempt }: Attempt): Attempt => ({
        ...attempt,
        startedAt: startedAt + shift,
        ...(endedAt !== undefined && { endedAt: endedAt + shift }),
      });
      const createdAt = run.createdAt + shift;
      const completed = 'completedAt' in run ? { completedAt: run.completedAt + shift } : {};
      const own: Run = { ...run, id: newId('run'), createdAt, ...completed };
      yield marshalled(payloadItem(own, { ...payload, createdAt }, expiresAt));
      for (const attempt of attempts) yield marshalled(attemptItem(own, moved(attempt), expiresAt));
      yield marshalled(runItem(own, expiresAt));
    }
  }
  await putInBatches(table, items());
}
