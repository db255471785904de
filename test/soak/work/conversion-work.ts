import type { PatientClient } from '../patient-client.ts';
import type { Findings, Work } from './work.ts';

/** Metered conversions under idempotency keys: counted once each, however often they were sent. */
export class ConversionWork implements Work {
  readonly name = 'conversions';
  private readonly client: PatientClient;
  private readonly faults: string[] = [];
  private key = '';
  private converted = 0;
  private failures = 0;

  constructor(client: PatientClient) {
    this.client = client;
  }

  async begin(): Promise<void> {
    this.key = (await this.client.manageOrThrow('POST', 'accounts/demo/keys', { mode: 'live' }, 'operator')).key;
  }

  async use(number: number): Promise<void> {
    const { status, json, text, failures } = await this.client.call('/v1/convert', {
      method: 'POST',
      authorization: `Bearer ${this.key}`,
      body: { kind: 'quantity', value: String(number), from: 'kg', to: 'g' },
      headers: { 'idempotency-key': `soak-${number}` },
      isPending: (answer) => answer.status === 409,
    });
    if (status !== 200 || json.value !== String(number * 1000)) this.faults.push(`${number} kg: ${status} ${text}`);
    this.converted += 1;
    this.failures += failures;
  }

  hasEnded = async (): Promise<boolean> => true;

  /** A function that died after it had counted leaves one conversion counted, as the README of conversions says. */
  async audit(): Promise<Findings> {
    const { json } = await this.client.call('/v1/usage', { authorization: `Bearer ${this.key}` });
    const faults = [...this.faults];
    const most = this.converted + this.failures;
    if (json.live_used < this.converted || json.live_used > most)
      faults.push(`${json.live_used} conversions are counted, not ${this.converted} to ${most}.`);
    return { faults, runs: [], counts: { converted: this.converted, counted: json.live_used } };
  }
}
