/** The metrics that API Gateway records of an HTTP API and of its stage. */
import { spreadOf } from './metric.ts';
import type { MetricStore } from './metric-store.ts';

const NAMESPACE = 'AWS/ApiGateway';

export class ApiMetrics {
  private readonly store: MetricStore;
  private readonly dimensions: readonly Readonly<Record<string, string>>[];

  constructor(store: MetricStore, { apiId, stage }: { readonly apiId: string; readonly stage: string }) {
    this.store = store;
    this.dimensions = [{ ApiId: apiId }, { ApiId: apiId, Stage: stage }];
  }

  /** @param status of the answer, whether the function gave it or the gateway. */
  answered(status: number, millis: number): void {
    this.put({ name: 'Count', value: 1, unit: 'Count' });
    this.put({ name: '4xx', value: Number(status >= 400 && status < 500), unit: 'Count' });
    this.put({ name: '5xx', value: Number(status >= 500), unit: 'Count' });
    for (const dimensions of this.dimensions) {
      this.store.add({ namespace: NAMESPACE, name: 'Latency', dimensions }, spreadOf(millis), { unit: 'Milliseconds' });
    }
  }

  private put({ name, value, unit }: { name: string; value: number; unit: string }) {
    for (const dimensions of this.dimensions)
      this.store.put({ namespace: NAMESPACE, name, dimensions }, value, { unit });
  }
}
