/** EventBridge buses and the rules on them. */
import { randomUUID } from 'node:crypto';
import type { Deliveries, Order } from './deliveries.ts';
import { matches, type Pattern } from './pattern.ts';

interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** The time without fractions of seconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

/** A target of a rule. It receives the whole event. */
export type RuleTarget = Pick<Order, 'targetArn' | 'retry' | 'deadLetterArn'>;

export interface Rule {
  readonly name: string;
  readonly arn: string;
  readonly busName: string;
  /** Undefined for a rule that only runs on a schedule. */
  readonly pattern?: Pattern | undefined;
  readonly targets: readonly RuleTarget[];
}

export interface EventBusesOptions {
  readonly region: string;
  readonly accountId: string;
  readonly deliveries: Deliveries;
  readonly now: () => Date;
}

export type NewEvent = Pick<BusEvent, 'source' | 'detail-type' | 'detail'> & {
  readonly time?: Date | undefined;
  readonly resources?: readonly string[] | undefined;
  /** The X-Ray header, which is not part of the event. */
  readonly traceHeader?: string | undefined;
};

export class EventBuses {
  private readonly options: EventBusesOptions;
  private readonly buses = new Set(['default']);
  private readonly rules: Rule[] = [];

  constructor(options: EventBusesOptions) {
    this.options = options;
  }

  addBus(name: string): void {
    this.buses.add(name);
  }

  addRule(rule: Rule): void {
    if (!this.has(rule.busName)) throw new Error(`There is no event bus ${rule.busName}.`);
    this.rules.push(rule);
  }

  has(busName: string): boolean {
    return this.buses.has(busName);
  }

  arnOf(busName: string): string {
    const { region, accountId } = this.options;
    return `arn:aws:events:${region}:${accountId}:event-bus/${busName}`;
  }

  /** Puts an event on a bus; its id is the answer. */
  publish(busName: string, { source, detail, time, resources = [], traceHeader, ...rest }: NewEvent): string {
    const { accountId, region, now } = this.options;
    const id = randomUUID();
    const event: BusEvent = {
      version: '0',
      id,
      'detail-type': rest['detail-type'],
      source,
      account: accountId,
      time: `${(time ?? now()).toISOString().slice(0, 19)}Z`,
      region,
      resources,
      detail,
    };
    for (const rule of this.rules) {
      if (rule.busName === busName && rule.pattern && matches(rule.pattern, event))
        this.trigger(rule, event, traceHeader);
    }
    return id;
  }

  /** Hands an event to the targets of one rule, whatever the rule asks for. */
  trigger(rule: Rule, event: object, traceHeader?: string): void {
    const payload = JSON.stringify(event);
    const from = { service: 'events.amazonaws.com', sourceArn: rule.arn };
    for (const target of rule.targets) this.options.deliveries.accept({ ...target, payload, from, traceHeader });
  }
}
