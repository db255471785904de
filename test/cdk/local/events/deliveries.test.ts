import { afterEach, describe, expect, it } from 'vitest';
import { Activity } from '../../../../cdk/local/activity.ts';
import { Clock } from '../../../../cdk/local/clock.ts';
import { Deliveries, type Order } from '../../../../cdk/local/events/deliveries.ts';
import { type Delivery, type DeliveryOutcome, Targets } from '../../../../cdk/local/events/targets.ts';

const open: Deliveries[] = [];
afterEach(() => Promise.all(open.splice(0).map((deliveries) => deliveries.close())));

function deliveriesTo(answers: Record<string, DeliveryOutcome[]>) {
  const seen: Delivery[] = [];
  const reports: string[] = [];
  const start = Date.now();
  const clock = new Clock(() => start);
  const activity = new Activity();
  const targets = new Targets();
  targets.register('sqs', (delivery) => {
    seen.push(delivery);
    return Promise.resolve(answers[delivery.targetArn]?.shift() ?? { kind: 'delivered' });
  });
  const deliveries = new Deliveries({
    targets,
    dataDir: null,
    clock,
    activity,
    report: (line) => reports.push(line),
  });
  open.push(deliveries);
  /** Moves the clock from one attempt to the next, until none is left. */
  async function done() {
    await activity.settled();
    for (let next = clock.nextAt; next !== undefined; next = clock.nextAt) {
      clock.advance(next - clock.millis());
      await activity.settled();
    }
    expect(deliveries.size).toBe(0);
  }
  return { deliveries, seen, reports, clock, activity, done };
}

const TARGET = 'arn:aws:sqs:us-east-1:000000000000:target';
const DEAD = 'arn:aws:sqs:us-east-1:000000000000:dead';
const order: Order = {
  targetArn: TARGET,
  payload: 'p',
  from: { service: 'events.amazonaws.com', sourceArn: 'arn:rule' },
  retry: { maxAttempts: 2, maxAgeSeconds: 3600 },
  deadLetterArn: DEAD,
};
const failed: DeliveryOutcome = { kind: 'failed', reason: 'busy' };

describe('a delivery', () => {
  it('that fails is tried again', async () => {
    const { deliveries, seen, done } = deliveriesTo({ [TARGET]: [failed] });
    deliveries.accept(order);
    await done();
    expect(seen.map(({ targetArn }) => targetArn)).toEqual([TARGET, TARGET]);
  });

  it('that fails too often ends in the dead-letter queue, with the reason', async () => {
    const { deliveries, seen, reports, done } = deliveriesTo({ [TARGET]: [failed, failed, failed] });
    deliveries.accept({ ...order, retry: { maxAttempts: 1, maxAgeSeconds: 3600 } });
    await done();
    expect(seen.map(({ targetArn }) => targetArn)).toEqual([TARGET, TARGET, DEAD]);
    expect(seen.at(-1)).toMatchObject({
      payload: 'p',
      attributes: { ERROR_MESSAGE: 'busy', RULE_ARN: 'arn:rule', TARGET_ARN: TARGET },
    });
    expect(reports).toEqual([`Nothing was delivered to ${TARGET}: busy`]);
  });

  it('that is too old is not tried again', async () => {
    const { deliveries, seen, clock, activity, done } = deliveriesTo({ [TARGET]: [failed, failed] });
    deliveries.accept(order);
    await activity.settled();
    clock.advance(3_601_000);
    await done();
    expect(seen.map(({ targetArn }) => targetArn)).toEqual([TARGET, TARGET, DEAD]);
  });

  it('that is refused is not tried again', async () => {
    const { deliveries, seen, done } = deliveriesTo({ [TARGET]: [{ kind: 'refused', reason: 'no' }] });
    deliveries.accept(order);
    await done();
    expect(seen.map(({ targetArn }) => targetArn)).toEqual([TARGET, DEAD]);
    expect(seen.at(-1)?.attributes?.['ERROR_CODE']).toBe('NO_PERMISSIONS');
  });

  it('without a dead-letter queue is given up aloud', async () => {
    const { deliveries, reports, done } = deliveriesTo({ [TARGET]: [{ kind: 'refused', reason: 'no' }] });
    deliveries.accept({ ...order, deadLetterArn: undefined });
    await done();
    expect(reports).toEqual([`Nothing was delivered to ${TARGET}: no`]);
  });

  it('to what nothing here can take is refused', async () => {
    const { deliveries, reports, done } = deliveriesTo({});
    deliveries.accept({
      ...order,
      targetArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s',
      deadLetterArn: undefined,
    });
    await done();
    expect(reports[0]).toContain('The local cloud cannot deliver to arn:aws:kinesis');
  });
});
