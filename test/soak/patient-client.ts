/** Calls the service as its clients should: what failed at the service, or came too often, is sent again a moment later. */
import { basic, type RunningService } from '../support/cloud/running-service.ts';
import { elapsed } from '../support/runner/machine-time.ts';

const PAUSE_MILLIS = 100;
/** An answer under an idempotency key that died with its function stays claimed for a minute. */
const TRIES_MAX = 3_000;
/** Tokens last an hour of the service's clock. */
const TOKEN_MILLIS = 50 * 60_000;

type Caller = 'admin' | 'operator';

export interface Answered {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each work says by its account what it expects in there
  readonly json: any;
  /** The number of times that the call failed at the service before. Each of these may have had its effect too. */
  readonly failures: number;
}

interface Call {
  readonly method?: string;
  readonly authorization: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns whether the call must be sent again although it neither failed nor met a limit. */
  readonly isPending?: (answer: Omit<Answered, 'failures'>) => boolean;
}

export class PatientClient {
  /** Calls that were sent again. */
  repetitions = 0;
  readonly service: RunningService;
  private readonly tokens = new Map<Caller, { readonly token: Promise<string>; readonly until: number }>();

  constructor(service: RunningService) {
    this.service = service;
  }

  async call(path: string, { method = 'GET', authorization, body, headers, isPending }: Call): Promise<Answered> {
    const init = {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    let failures = 0;
    for (let tries = 1; ; tries += 1) {
      const answer = await this.service.call(path, init);
      const { status, text } = answer;
      if (status < 500 && status !== 429 && !isPending?.(answer)) return { ...answer, failures };
      if (status >= 500) failures += 1;
      if (tries === TRIES_MAX) throw new Error(`${method} ${path} is never answered: ${status} ${text}`);
      this.repetitions += 1;
      await elapsed(PAUSE_MILLIS);
    }
  }

  /** Calls what is below `/manage/v1/`, as an administrator of the tenant or as an operator. */
  async manage(method: string, path: string, body?: unknown, as: Caller = 'admin'): Promise<Answered> {
    const authorization = `Bearer ${await this.token(as)}`;
    return this.call(`/manage/v1/${path}`, { method, authorization, ...(body !== undefined && { body }) });
  }

  /** Calls as `manage` does, and returns the body of the answer. Throws if the call is refused. */
  async manageOrThrow(...call: Parameters<PatientClient['manage']>): Promise<Answered['json']> {
    const { status, json, text } = await this.manage(...call);
    if (status >= 300) throw new Error(`${call[0]} ${call[1]}: ${status} ${text}`);
    return json;
  }

  /** Reads all pages of a list of the management API. */
  async *all(path: string, as?: Caller): AsyncGenerator<Answered['json']> {
    let cursor: string | undefined;
    do {
      const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const paged = `${path}${path.includes('?') ? '&' : '?'}limit=100${page}`;
      const { items, nextCursor } = await this.manageOrThrow('GET', paged, undefined, as);
      yield* items;
      cursor = nextCursor;
    } while (cursor !== undefined);
  }

  /** Calls the loyalty interface of the demo app. */
  app(method: string, path: string, body?: unknown): Promise<Answered> {
    const authorization = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;
    return this.call(`/priv/v1/apps/demo-app${path}`, { method, authorization, ...(body !== undefined && { body }) });
  }

  /** Calls what is below `/v3`, with the data token of the demo tenant. */
  data(path: string): Promise<Answered> {
    return this.call(`/v3/${path}`, { authorization: basic('demo-token') });
  }

  private async token(as: Caller): Promise<string> {
    const now = this.service.cloud.clock.millis();
    const current = this.tokens.get(as);
    if (current && current.until > now) return current.token;
    const token = this.service.managementToken('demo', { operator: as === 'operator' });
    this.tokens.set(as, { token, until: now + TOKEN_MILLIS });
    token.catch(() => this.tokens.delete(as));
    return token;
  }
}
