import type { Table } from '../../../shared/table/table.dynamodb.ts';
import type { StormEndpoints, Temper } from '../../support/webhooks/storm-endpoints.ts';
import { isAnyRunDue } from '../../support/webhooks/storm-table.ts';
import type { PatientClient } from '../patient-client.ts';

/** Failing runs make all their attempts, so these end quickly. */
const RETRYING = { retryIntervalSeconds: 1, retryTimeoutSeconds: 2, maxAttempts: 3 };

/** The webhooks of a soak: their endpoints note every POST. */
export class Hooks {
  readonly endpoints: StormEndpoints;
  readonly table: Table;
  private readonly client: PatientClient;
  private made = 0;

  constructor(client: PatientClient, endpoints: StormEndpoints, table: Table) {
    this.client = client;
    this.endpoints = endpoints;
    this.table = table;
  }

  /**
   * A rule with an endpoint of its own; answers its id.
   * @param event template of the id of the event, by which the endpoint knows what it sees
   */
  async rule(module: string, trigger: string, event: string, temper: Temper = 'steady'): Promise<string> {
    this.made += 1;
    const targetUrl = this.endpoints.url(`/${this.made}`, temper);
    const configuration = { name: `Endpoint ${this.made}`, targetUrl, ...RETRYING };
    const { id: apiConfigurationId } = await this.client.manageOrThrow('POST', 'api-configurations', configuration);
    return (await this.client.manageOrThrow('POST', 'rules', { module, trigger, apiConfigurationId, body: { event } }))
      .id;
  }

  haveEnded = async (): Promise<boolean> => !(await isAnyRunDue(this.table));
}
