/** The metrics that SQS records of its queues. */
import type { MetricStore } from './metric-store.ts';

const NAMESPACE = 'AWS/SQS';

/** The messages that a queue holds at one moment. */
export interface QueueLevels {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
  readonly oldestSeconds: number;
}

export class QueueMetrics {
  private readonly store: MetricStore;

  constructor(store: MetricStore) {
    this.store = store;
  }

  counted(queueName: string, what: 'Sent' | 'Received' | 'Deleted', messages: number): void {
    this.put(queueName, { name: `NumberOfMessages${what}`, value: messages, unit: 'Count' });
  }

  measured(queueName: string, { visible, inFlight, delayed, oldestSeconds }: QueueLevels, at: Date): void {
    const levels = [
      { name: 'ApproximateNumberOfMessagesVisible', value: visible, unit: 'Count' },
      { name: 'ApproximateNumberOfMessagesNotVisible', value: inFlight, unit: 'Count' },
      { name: 'ApproximateNumberOfMessagesDelayed', value: delayed, unit: 'Count' },
      { name: 'ApproximateAgeOfOldestMessage', value: oldestSeconds, unit: 'Seconds' },
    ];
    for (const level of levels) this.put(queueName, level, at);
  }

  private put(queueName: string, { name, value, unit }: { name: string; value: number; unit: string }, at?: Date) {
    const metric = { namespace: NAMESPACE, name, dimensions: { QueueName: queueName } };
    this.store.put(metric, value, { unit, at: at?.getTime() });
  }
}
