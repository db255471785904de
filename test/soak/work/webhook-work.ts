import type { PatientClient } from '../patient-client.ts';
import type { Hooks } from './hooks.ts';
import type { Findings, Work } from './work.ts';

/** Events from outside, to endpoints of several tempers. */
export class WebhookWork implements Work {
  readonly name = 'webhooks';
  private readonly client: PatientClient;
  private readonly hooks: Hooks;
  private readonly rules: string[] = [];
  private readonly events: string[] = [];

  constructor(client: PatientClient, hooks: Hooks) {
    this.client = client;
    this.hooks = hooks;
  }

  async begin(): Promise<void> {
    for (const temper of ['steady', 'slow', 'hanging', 'refusing'] as const)
      this.rules.push(await this.hooks.rule('dsar', 'DSAR starts', '{{requestId}}', temper));
  }

  async use(number: number): Promise<void> {
    const id = `soak-event-${number}`;
    const event = { id, module: 'dsar', trigger: 'DSAR starts', recordType: 'subject request', recordId: id };
    const { runIds } = await this.client.manageOrThrow('POST', 'events', event);
    if (runIds.length !== this.rules.length) throw new Error(`${id} has ${runIds.length} runs.`);
    this.events.push(id);
  }

  hasEnded = (): Promise<boolean> => this.hooks.haveEnded();

  async audit(): Promise<Findings> {
    const runs = this.events.flatMap((event) => this.rules.map((rule) => `${event} ${rule}`));
    return { faults: [], runs, counts: { events: this.events.length } };
  }
}
