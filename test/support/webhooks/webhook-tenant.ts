import { eventually } from '../cloud/local-cloud.ts';
import type { RunningService } from '../cloud/running-service.ts';

/** A tenant of a running service that manages its webhooks over HTTP. */
export async function webhookTenant(service: RunningService, tenant: string) {
  const token = await service.managementToken(tenant);
  const call = (method: string, path: string, body?: unknown) =>
    service.call(`/manage/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  const made = async (path: string, body: unknown) => {
    const answer = await call('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  let events = 0;

  return {
    tenant,
    token,
    call,
    get: async (path: string) => (await call('GET', path)).json,

    /** A configuration and a rule that sends to it. */
    async webhook(
      targetUrl: string,
      { rule = {}, ...configuration }: Record<string, unknown> & { rule?: Record<string, unknown> } = {},
    ): Promise<{ configuration: string; rule: string }> {
      events += 1;
      const { id } = await made('api-configurations', { name: `Endpoint ${events}`, targetUrl, ...configuration });
      const { id: ruleId } = await made('rules', {
        module: 'dsar',
        trigger: 'DSAR starts',
        apiConfigurationId: id,
        body: { event: 'started', request: '{{requestId}}' },
        ...rule,
      });
      return { configuration: id, rule: ruleId };
    },

    /** Deletes a configuration, and before that the rules that name it. */
    async withdraw(configuration: string): Promise<void> {
      const { items } = (await call('GET', `rules?configuration=${configuration}&limit=100`)).json;
      const paths = [...items.map(({ id }: { id: string }) => `rules/${id}`), `api-configurations/${configuration}`];
      for (const path of paths) {
        const answer = await call('DELETE', path);
        if (answer.status !== 204) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      }
    },

    /** Announces an event and returns the runs that follow. */
    async announce(event: Record<string, unknown> = {}): Promise<string[]> {
      events += 1;
      const { runIds } = await made('events', {
        id: `event-${tenant}-${events}`,
        module: 'dsar',
        trigger: 'DSAR starts',
        recordType: 'subject request',
        recordId: '4711',
        ...event,
      });
      return runIds;
    },

    /** The run when it has ended. */
    ended(id: string) {
      const look = async () => (await call('GET', `runs/${id}`)).json;
      return eventually(service.cloud, look, ({ status }) => status === 'COMPLETED' || status === 'FAILED');
    },

    /** In the order in which they were made. */
    async attempts(id: string) {
      return (await call('GET', `runs/${id}/attempts?limit=100`)).json.items.reverse();
    },
  };
}

export type WebhookTenant = Awaited<ReturnType<typeof webhookTenant>>;
