import { setTimeout as sleep } from 'node:timers/promises';
import { meterFailureOf } from './meter-failure.ts';

/**
 * The pause between tries while a transaction holds the item, such as a change of plan, or the table is throttled; a
 * transaction takes about ten milliseconds.
 */
const HELD_WAITS = [2, 4, 8];

/**
 * Retries a call that DynamoDB rejected without evaluating it: a transaction held the item, or the table or the AWS
 * account was throttled. One throttle must not make the meter inexact. An item that gets too many requests is not tried again.
 */
export async function whenFree<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const wait of HELD_WAITS) {
    try {
      return await call();
    } catch (error) {
      if (meterFailureOf(error) !== 'throttled' || signal?.aborted) throw error;
    }
    await sleep(wait * (0.5 + Math.random()));
  }
  return call();
}
