/** AWS calls that a test makes fail: a service that is down, a table that throttles, a connection that breaks. */
import type { UnsignedRequest } from '../endpoint/aws-service.ts';

export interface Outage {
  /** The name of the service in signatures: `dynamodb`, `s3`, `secretsmanager`. */
  readonly service: string;
  /** A text that the target, the path or the body of the call contains: the name of a table, bucket or operation. @default any call */
  readonly naming?: string;
  /** The refusal in the service's own format; `lost` is a connection that breaks before the answer. */
  readonly ending: Refusal | 'lost';
}

interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** The connection of a call has broken, and its caller knows nothing about the outcome. */
export class LostConnection extends Error {}

type FailingRequest = UnsignedRequest & { readonly body: Buffer };

export class Outages {
  private readonly outages = new Set<Outage>();

  /** Begins an outage. @returns its end */
  begin(outage: Outage): () => void {
    this.outages.add(outage);
    return () => void this.outages.delete(outage);
  }

  /** Returns how a call of this service fails; undefined if it does not. */
  endingOf(service: string, { headers, path, body }: FailingRequest): Outage['ending'] | undefined {
    if (this.outages.size === 0) return undefined;
    const text = [headers['x-amz-target'] ?? '', path, body.toString('latin1')];
    return [...this.outages].find(
      (one) => one.service === service && text.some((part) => part.includes(one.naming ?? '')),
    )?.ending;
  }
}
