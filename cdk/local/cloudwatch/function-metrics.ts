/** The metrics that Lambda records of each function, and of all functions together. */
import type { MetricStore } from './metric-store.ts';

const NAMESPACE = 'AWS/Lambda';

export class FunctionMetrics {
  private readonly store: MetricStore;

  constructor(store: MetricStore) {
    this.store = store;
  }

  /** An invocation that was let in has ended. */
  invoked(functionName: string, failed: boolean): void {
    this.count(functionName, 'Invocations', 1);
    // Zeros are recorded too: the average of this metric is the failure rate.
    this.count(functionName, 'Errors', Number(failed));
    this.count(functionName, 'Throttles', 0);
  }

  throttled(functionName: string): void {
    this.count(functionName, 'Throttles', 1);
  }

  /** Records how long the handler took for an event, without the wait for a thread and the load of the module. */
  lasted(functionName: string, millis: number): void {
    this.put(functionName, { name: 'Duration', value: millis, unit: 'Milliseconds' });
  }

  /** Records the age of the last record of a batch when the function got it. */
  readRecords(functionName: string, ageMillis: number): void {
    const dimensions = { FunctionName: functionName };
    this.store.put({ namespace: NAMESPACE, name: 'IteratorAge', dimensions }, ageMillis, { unit: 'Milliseconds' });
  }

  private count(functionName: string, name: string, value: number) {
    this.put(functionName, { name, value, unit: 'Count' });
  }

  private put(functionName: string, { name, value, unit }: { name: string; value: number; unit: string }) {
    const dimensions = { FunctionName: functionName };
    this.store.put({ namespace: NAMESPACE, name, dimensions }, value, { unit });
    this.store.put({ namespace: NAMESPACE, name, dimensions: {} }, value, { unit });
  }
}
