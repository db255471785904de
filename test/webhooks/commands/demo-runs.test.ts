import { describe, expect, it } from 'vitest';
import { DEMO_CONFIGURATIONS, DEMO_RULES, demoRuns } from '../../../functions/webhooks/commands/demo-runs.ts';
import { checkTrigger } from '../../../functions/webhooks/rules/manage-rules.ts';
import { readRuleBody } from '../../../functions/webhooks/rules/read-rule-body.ts';
import { attemptIn, attemptItem, runIn, runItem } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { readPrivateTargets, readTarget } from '../../../functions/webhooks/sending/target-policy.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const all = demoRuns(NOW);

describe('the demo deliveries', () => {
  it('are such as the service stores itself', () => {
    for (const { run, attempts } of all) {
      expect(runIn(runItem(run, NOW))).toMatchObject({ id: run.id, status: run.status });
      for (const attempt of attempts) expect(attemptIn(attemptItem(run, attempt, NOW))).toEqual(attempt);
      expect(run.attempts).toBe(attempts.length);
      expect(attempts.length).toBeLessThanOrEqual(run.maxAttempts);
    }
    expect(new Set(all.map(({ run }) => run.id)).size).toBe(all.length);
    expect(new Set(all.filter(({ run }) => !run.replayOf).map(({ run }) => run.idempotencyKey)).size).toBe(
      all.length - 1,
    );
  });

  it('lie in the past, attempt after attempt', () => {
    for (const { run, attempts } of all) {
      let end = run.createdAt;
      for (const { startedAt, endedAt = 0 } of attempts) {
        expect(startedAt).toBeGreaterThanOrEqual(end);
        end = endedAt;
      }
      expect(end).toBeLessThan(NOW);
      if ('completedAt' in run) expect(run.completedAt).toBe(end);
    }
  });

  it('show a person every state that lasts', () => {
    const states = all.map(({ run }) => (run.resolvedBy ? 'resolved' : run.status));
    const count = (state: string) => states.filter((one) => one === state).length;
    expect(count('COMPLETED')).toBeGreaterThan(40);
    expect(count('FAILED')).toBeGreaterThan(4);
    expect([count('resolved'), count('IN_PROGRESS')]).toEqual([1, 1]);
    const replay = all.find(({ run }) => run.replayOf !== undefined)?.run;
    expect(all.find(({ run }) => run.resolvedBy === replay?.id)?.run.id).toBe(replay?.replayOf);
  });

  it('come from configurations and rules that the interface would take', () => {
    for (const { targetUrl } of DEMO_CONFIGURATIONS)
      expect(readTarget(targetUrl, readPrivateTargets(''))).toMatchObject({ ok: true });
    for (const rule of DEMO_RULES) {
      expect(() => checkTrigger(rule)).not.toThrow();
      expect(readRuleBody(rule.body)).toMatchObject({ ok: true });
      expect(DEMO_CONFIGURATIONS.some(({ id }) => id === rule.apiConfigurationId)).toBe(true);
    }
  });
});
