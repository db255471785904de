/** Delivers events without a waiting caller. Each service registers the delivery to its ARNs. */

export interface Delivery {
  readonly targetArn: string;
  readonly payload: string;
  /** The service that delivers, and the resource it acts for: the target's policy must allow exactly that. */
  readonly from: { readonly service: string; readonly sourceArn: string };
  /** Acts as this role instead, with the role's own permissions. */
  readonly roleArn?: string | undefined;
  /** The X-Ray header of the sender of the event. */
  readonly traceHeader?: string | undefined;
  /** Attributes of the message, where the target is a queue. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** `refused` is permanent, `failed` may succeed when retried. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

export type Deliver = (delivery: Delivery) => Promise<DeliveryOutcome>;

export class Targets {
  private readonly services = new Map<string, Deliver>();

  /** @param service of the ARN: `sqs`, `lambda`, … */
  register(service: string, deliver: Deliver): void {
    this.services.set(service, deliver);
  }

  /** Refuses an ARN that nothing here can take. */
  require(targetArn: string): void {
    if (!this.services.has(serviceOf(targetArn))) {
      throw new Error(`The local cloud cannot deliver to ${targetArn}.`);
    }
  }

  async deliver(delivery: Delivery): Promise<DeliveryOutcome> {
    const deliver = this.services.get(serviceOf(delivery.targetArn));
    if (!deliver) return { kind: 'refused', reason: `The local cloud cannot deliver to ${delivery.targetArn}.` };
    try {
      return await deliver(delivery);
    } catch (error) {
      return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

const serviceOf = (arn: string) => arn.split(':')[2] ?? '';
