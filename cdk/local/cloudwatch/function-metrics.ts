/** What Lambda measures of its functions: of each, and once more of all together. */
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
    // Zeros too: the average of these is the share of failures.
    this.count(functionName, 'Errors', Number(failed));
    this.count(functionName, 'Throttles', 0);
  }

  throttled(functionName: string): void {
    this.count(functionName, 'Throttles', 1);
  }

  /** How long the handler was at an event; neither waiting for a thread nor loading counts. */
  lasted(functionName: string, millis: number): void {
    this.put(functionName, { name: 'Duration', value: millis, unit: 'Milliseconds' });
  }

  /** How old the last record of a batch was when the function got it. */
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
