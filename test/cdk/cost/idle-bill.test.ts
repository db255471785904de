import { describe, expect, it } from 'vitest';
import { type BilledTemplate, type BillLine, dollarsOf, IDLE_WORK, idleBill } from '../../../cdk/cost/idle-bill.ts';
import type { Stage } from '../../../cdk/settings.ts';
import { localStacks } from '../../support/cloud/local-assembly.ts';
import { stacksOf } from '../../support/cloud/templates-only.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

/** A local run has what is billed in dev. */
async function templatesOf(stage: Stage): Promise<readonly BilledTemplate[]> {
  if (stage === 'dev' && !isThorough) return (await localStacks()).map(({ template }) => template as BilledTemplate);
  return stacksOf(stage).map(({ template }) => template);
}

/** Returns the bill as a table in Markdown. */
function billTable(bill: readonly BillLine[]): string {
  const rows = bill.map(({ what, quantity, unit, dollars }) => [
    what,
    `${Number(quantity.toPrecision(3)).toLocaleString('en-US')} ${unit}`,
    dollars.toFixed(2),
  ]);
  const all = [
    ['What', 'A month', 'Dollars'],
    ['---', '---', '---:'],
    ...rows,
    ['Total', '', dollarsOf(bill).toFixed(2)],
  ];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const nothing = { readUnits: 0, writeUnits: 0, queueRequests: 0, topicRequests: 0 };
const rule = { ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: { 'Fn::GetAtt': ['F', 'Arn'] } }] };
const billOf = (resources: BilledTemplate['Resources']) =>
  Object.fromEntries(idleBill([{ Resources: resources }], nothing).map(({ what, dollars }) => [what, dollars]));

describe('an idle stage', () => {
  it.each(['prod', 'dev'] as const)('%s costs at most 10 dollars a month', async (stage) => {
    const bill = idleBill(await templatesOf(stage), IDLE_WORK);
    // oxlint-disable-next-line no-console -- the table is what the guide quotes
    console.log(`An idle month of ${stage}:\n${billTable(bill)}`);
    expect(bill.filter(({ dollars }) => dollars > 0).map(({ what }) => what)).toEqual(
      expect.arrayContaining(['Alarms', 'Polls of empty queues', 'Keys', 'Secrets', 'Schedules: time']),
    );
    expect(dollarsOf(bill)).toBeLessThanOrEqual(10);
  });
});

describe('the bill', () => {
  it('counts every metric of an alarm, and no expression', () => {
    const one = { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Faults' } };
    const Metrics = [{ Expression: 'SUM(METRICS())' }, { MetricStat: {} }, { MetricStat: {} }, { MetricStat: {} }];
    const joined = { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics } };
    expect(billOf({ one, joined })['Alarms']).toBeCloseTo(0.4);
  });

  it('counts every key and every secret', () => {
    const resources = {
      key: { Type: 'AWS::KMS::Key' },
      one: { Type: 'AWS::SecretsManager::Secret' },
      two: { Type: 'AWS::SecretsManager::Secret' },
    };
    expect(billOf(resources)).toMatchObject({ Keys: 1, Secrets: 0.8 });
  });

  it('counts five long polls of each queue, and none of a stream', () => {
    const queue = { Type: 'AWS::Lambda::EventSourceMapping', Properties: {} };
    const stream = { Type: 'AWS::Lambda::EventSourceMapping', Properties: { StartingPosition: 'LATEST' } };
    expect(billOf({ queue, stream })['Polls of empty queues']).toBeCloseTo((15 * 60 * 730 * 0.4) / 1e6);
  });

  it('counts time, logs, calls and traces of a schedule by its function', () => {
    const schedule = { Type: 'AWS::Events::Rule', Properties: rule };
    const F = { Type: 'AWS::Lambda::Function', Properties: { MemorySize: 512, TracingConfig: { Mode: 'Active' } } };
    const traced = billOf({ schedule, F });
    expect(traced['Schedules: traces']).toBeCloseTo(0.219);
    expect(traced['Schedules: time']).toBeCloseTo(43_800 * 0.05 * 0.0000133334);
    expect(traced['Schedules: logs']).toBeCloseTo(0.0219);
    expect(traced['Schedules: calls']).toBeCloseTo(0.00876);
    expect(billOf({ schedule, F: { ...F, Properties: { MemorySize: 512 } } })['Schedules: traces']).toBe(0);
  });

  it('refuses a schedule that it cannot count', () => {
    const hourly = { Type: 'AWS::Events::Rule', Properties: { ...rule, ScheduleExpression: 'rate(1 hour)' } };
    expect(() => billOf({ hourly })).toThrow('does not know how often rate(1 hour) is');
  });
});
