/** The backlog of an endpoint that never answers, on a running service, until the last run of it has failed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Receiver, startReceiver } from './receiver.ts';
import { type RunningService, startService } from './running-service.ts';
import { type WebhookTenant, webhookTenant } from './webhook-tenant.ts';

export interface SilentBacklog {
  readonly service: RunningService;
  readonly tenant: WebhookTenant;
  readonly receiver: Receiver;
  readonly runs: readonly string[];
  readonly begunAt: number;
  /** When this many runs or more had ended; fails after that time. */
  ended(count: number, seconds: number): Promise<number>;
  statuses(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

const RULES = 10;

/** @param runs a multiple of ten. Each has two attempts of a second, with no interval between them. */
export async function silentBacklog(runs: number): Promise<SilentBacklog> {
  const folder = mkdtempSync(join(tmpdir(), 'silent-endpoint-'));
  const receiver = await startReceiver({ answer: () => 'hang' });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  const service = await startService({
    context: { WEBHOOK_PRIVATE_TARGETS: `127.0.0.1:${receiver.port}`, WEBHOOK_EXTRA_CA_FILE: ca },
  });
  const tenant = await webhookTenant(service, 'acme');
  const { configuration } = await tenant.webhook(receiver.url, {
    retryIntervalSeconds: 0,
    retryTimeoutSeconds: 1,
    maxAttempts: 2,
  });
  for (let n = 1; n < RULES; n += 1) {
    const body = { event: 'started', request: '{{requestId}}' };
    await tenant.call('POST', 'rules', {
      module: 'dsar',
      trigger: 'DSAR starts',
      apiConfigurationId: configuration,
      body,
    });
  }
  const begunAt = Date.now();
  const ids: string[] = [];
  while (ids.length < runs) ids.push(...(await tenant.announce()));

  const statuses = async () => {
    const counts: Record<string, number> = {};
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page: { items: { status: string; error: string }[]; nextCursor?: string } = await tenant.get(
        `runs?configuration=${configuration}&limit=100${cursor && `&cursor=${cursor}`}`,
      );
      for (const { status, error } of page.items) {
        const name = status === 'FAILED' ? error : status;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      cursor = page.nextCursor;
    }
    return counts;
  };

  return {
    service,
    tenant,
    receiver,
    runs: ids,
    begunAt,
    statuses,
    async ended(count, seconds) {
      for (;;) {
        const { CREATED: created = 0, IN_PROGRESS: begun = 0, ...ended } = await statuses();
        if (Object.values(ended).reduce((sum, n) => sum + n, 0) >= count) return (Date.now() - begunAt) / 1_000;
        if (Date.now() - begunAt > seconds * 1_000) {
          throw new Error(`After ${seconds} s: ${JSON.stringify({ created, begun, ...ended })}`);
        }
        await sleep(500);
      }
    },
    async close() {
      await service.close();
      await receiver.close();
      rmSync(folder, { recursive: true });
    },
  };
}
