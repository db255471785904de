import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Deliveries, type Order } from '../../../../cdk/local/events/deliveries.ts';
import { type Delivery, type DeliveryOutcome, Targets } from '../../../../cdk/local/events/targets.ts';

const open: Deliveries[] = [];
afterEach(() => Promise.all(open.splice(0).map((deliveries) => deliveries.close())));

function deliveriesTo(answers: Record<string, DeliveryOutcome[]>) {
  const seen: Delivery[] = [];
  const reports: string[] = [];
  let now = Date.now();
  const targets = new Targets();
  targets.register('sqs', (delivery) => {
    seen.push(delivery);
    return Promise.resolve(answers[delivery.targetArn]?.shift() ?? { kind: 'delivered' });
  });
  const deliveries = new Deliveries({
    targets,
    dataDir: null,
    now: () => new Date(now),
    report: (line) => reports.push(line),
  });
  open.push(deliveries);
  return { deliveries, seen, reports, later: (seconds: number) => void (now += seconds * 1000) };
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

async function idle(deliveries: Deliveries) {
  while (deliveries.size > 0) await wait(10);
}

describe('a delivery', () => {
  it('that fails is tried again', async () => {
    const { deliveries, seen } = deliveriesTo({ [TARGET]: [failed] });
    deliveries.accept(order);
    await idle(deliveries);
    expect(seen.map(({ targetArn }) => targetArn)).toEqual([TARGET, TARGET]);
  });

  it('that fails too often ends in the dead-letter queue, with the reason', async () => {
    const { deliveries, seen, reports } = deliveriesTo({ [TARGET]: [failed, failed, failed] });
    deliveries.accept({ ...order, retry: { maxAttempts: 1, maxAgeSeconds: 3600 } });
    await idle(deliveries);
    expect(seen.map(({ targetArn }) => targetArn)).toEqual([TARGET, TARGET, DEAD]);
    expect(seen.at(-1)).toMatchObject({
      payload: 'p',
      attributes: { ERROR_MESSAGE: 'busy', RULE_ARN: 'arn:rule', TARGET_ARN: TARGET },
    });
    expect(reports).toEqual([`Nothing was delivered to ${TARGET}: busy`]);
  });

  it('that is too old is not tried again', async () => {
    const { deliveries, seen, later } = deliveriesTo({ [TARGET]: [failed] });
    deliveries.accept(order);
    later(3601);
    await idle(deliveries);
    expect(seen.map(({ targetArn }) => targetArn)).toEqual([TARGET, DEAD]);
  });

  it('that is refused is not tried again', async () => {
    const { deliveries, seen } = deliveriesTo({ [TARGET]: [{ kind: 'refused', reason: 'no' }] });
    deliveries.accept(order);
    await idle(deliveries);
    expect(seen.map(({ targetArn }) => targetArn)).toEqual([TARGET, DEAD]);
    expect(seen.at(-1)?.attributes?.['ERROR_CODE']).toBe('NO_PERMISSIONS');
  });

  it('without a dead-letter queue is given up aloud', async () => {
    const { deliveries, reports } = deliveriesTo({ [TARGET]: [{ kind: 'refused', reason: 'no' }] });
    deliveries.accept({ ...order, deadLetterArn: undefined });
    await idle(deliveries);
    expect(reports).toEqual([`Nothing was delivered to ${TARGET}: no`]);
  });

  it('to what nothing here can take is refused', async () => {
    const { deliveries, reports } = deliveriesTo({});
    deliveries.accept({
      ...order,
      targetArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s',
      deadLetterArn: undefined,
    });
    await idle(deliveries);
    expect(reports[0]).toContain('The local cloud cannot deliver to arn:aws:kinesis');
  });
});
