import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { elapsed } from '../../support/runner/machine-time.ts';
import type { WebhookTenant } from '../../support/webhooks/webhook-tenant.ts';
import { type Endpoint, startEndpointProcess } from './webhook-endpoint.ts';

/** Filled up to about 500 bytes. */
const FILLING = 'x'.repeat(330);
export const BODY = {
  event: '{{requestId}}',
  kind: 'data-subject-request.started',
  tenant: '{{tenantId}}',
  filling: FILLING,
};

/** Runs that one event makes, where a bench makes very many. */
export const RULES = 50;

/** The whole service on the local cloud, and an HTTPS receiver in a process of its own. */
export class WebhookService {
  readonly service: RunningService;
  readonly endpoint: Endpoint;
  private events = 0;

  constructor(service: RunningService, endpoint: Endpoint) {
    this.service = service;
    this.endpoint = endpoint;
  }

  /** A configuration and rules that all fire with the same event. @returns the id of the configuration */
  async webhook(
    tenant: WebhookTenant,
    path: string,
    { rules = 1, ...more }: { rules?: number } & Record<string, unknown> = {},
  ): Promise<string> {
    const authentication = { type: 'bearer', token: 'a-secret-of-the-endpoint' };
    const { configuration } = await tenant.webhook(`${this.endpoint.url}${path}`, {
      authentication,
      ...more,
      rule: { body: BODY },
    });
    for (let n = 1; n < rules; n += 1) {
      const rule = { module: 'dsar', trigger: 'DSAR starts', apiConfigurationId: configuration, body: BODY };
      const { status, text } = await tenant.call('POST', 'rules', rule);
      if (status !== 201) throw new Error(text);
    }
    return configuration;
  }

  /** Returns the id of the event, which its POSTs carry. The API limits calls per second. */
  async announce(tenant: WebhookTenant): Promise<string> {
    this.events += 1;
    const id = `bench-${this.events}`;
    const event = { id, module: 'dsar', trigger: 'DSAR starts', recordType: 'subject request', recordId: id };
    for (;;) {
      const { status, text } = await tenant.call('POST', 'events', event);
      if (status === 202) return id;
      if (status < 429) throw new Error(`events: ${status} ${text}`);
      await elapsed(50);
    }
  }

  /** Makes runs, many with each event; the seconds it took. */
  async makeRuns(tenant: WebhookTenant, runs: number): Promise<number> {
    const start = performance.now();
    for (let n = 0; n < runs / RULES; n += 1) await this.announce(tenant);
    return (performance.now() - start) / 1000;
  }
}

export async function withWebhookService(measure: (service: WebhookService) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
  const endpoint = await startEndpointProcess();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, endpoint.caPem);
  let service: RunningService | undefined;
  try {
    service = await startService({
      dataDir: join(folder, 'state'),
      parameters: { WebhookPrivateTargets: new URL(endpoint.url).host, WebhookExtraCaFile: ca },
    });
    await measure(new WebhookService(service, endpoint));
  } finally {
    await service?.close();
    await endpoint.close();
    rmSync(folder, { recursive: true });
  }
}
