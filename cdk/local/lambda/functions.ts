/** The Lambda functions of the local cloud and everything that can happen to an invocation. */
import { randomUUID } from 'node:crypto';
import type { Activity } from '../activity.ts';
import type { FunctionMetrics } from '../cloudwatch/function-metrics.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Roles } from '../iam/roles.ts';
import { LOG_STREAM } from '../logs/log-groups.ts';
import { type Breakdown, type Death, Faults } from './faults.ts';
import { Fleet, type FleetOptions } from './fleet.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { exitError, FailedToLoad, FunctionInstance, type InvocationOutcome, poolOf } from './function-instance.ts';
import { type FunctionLogs, logGroupOf } from './function-log.ts';
import type { FunctionError } from './worker-protocol.ts';

export type Invocation =
  | InvocationOutcome
  | { readonly kind: 'throttled' }
  | { readonly kind: 'too-large'; readonly message: string };

/** A death that a test plans for an invocation, and whether it may wait for a busy copy. */
interface InvocationOptions {
  readonly death?: Death | undefined;
  /** @default false */
  readonly isUrgent?: boolean;
}

/** Bytes of a request, and of an answer, to a waiting caller. */
const REQUEST_BYTES_MAX = 6_291_456;
const RESPONSE_BYTES_MAX = 6_291_556;

export interface FunctionsOptions extends FleetOptions {
  readonly region: string;
  /** Invocations at the same time in the whole account. */
  readonly concurrency: number;
  readonly endpoint: Endpoint;
  readonly roles: Roles;
  readonly logs: FunctionLogs;
  readonly metrics: FunctionMetrics;
  readonly activity: Activity;
  /** The clock of the cloud against the machine's. */
  readonly offsetMillis: () => number;
}

export class Functions {
  readonly faults = new Faults(
    (name) => this.named(name).arn,
    (arn) => this.endRunning(arn),
  );
  private readonly options: FunctionsOptions;
  private readonly fleet: Fleet;
  private readonly definitions = new Map<string, FunctionDefinition>();
  private readonly running = new Map<string, number>();
  private readonly handling = new Set<FunctionInstance>();

  constructor(options: FunctionsOptions) {
    this.options = options;
    this.fleet = new Fleet(options);
  }

  add(definition: FunctionDefinition): void {
    this.definitions.set(definition.arn, definition);
  }

  get all(): readonly FunctionDefinition[] {
    return [...this.definitions.values()];
  }

  byArn(arn: string): FunctionDefinition | undefined {
    return this.definitions.get(arn);
  }

  /** Finds a function by its name or ARN, or by a part of its construct's path that no other function has. */
  named(name: string): FunctionDefinition {
    const exact = this.all.find((definition) => definition.name === name || definition.arn === name);
    if (exact) return exact;
    const matches = this.all.filter(({ path }) => `/${path}/`.includes(name));
    const [only] = matches;
    if (only && matches.length === 1) return only;
    const paths = this.all.map(({ path }) => path).join(', ');
    throw new Error(`${matches.length} functions are named ${name}; there are ${paths}.`);
  }

  /** Invokes and waits, with all limits of Lambda. */
  async invoke(functionArn: string, payload: string): Promise<Invocation> {
    const definition = this.byArn(functionArn);
    if (!definition) throw new Error(`There is no function ${functionArn}.`);
    const fault = this.faults.take(definition.arn);
    if (fault?.kind === 'throttle') return this.throttled(definition);
    if (fault?.kind !== 'twice') return this.invokeOnce(definition, payload, { death: fault?.death });
    const first = this.invokeOnce(definition, payload);
    if (!fault.together) await first;
    const second = await this.invokeOnce(definition, payload, { isUrgent: fault.together });
    await first;
    return second;
  }

  /** Functions of these modules, `webhooks/rules/rules`, load their code anew; what is under way ends with the old code. */
  reload(modules: readonly string[]): void {
    for (const { arn, handler } of this.all) {
      if (modules.includes(handler.slice(0, handler.lastIndexOf('.')))) this.fleet.replace(arn);
    }
  }

  /** Ends all threads after giving those in progress a short time to finish. */
  async close(graceMillis: number): Promise<void> {
    const end = Date.now() + graceMillis;
    while (this.total() > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    await this.fleet.close();
  }

  private async invokeOnce(
    definition: FunctionDefinition,
    payload: string,
    how: InvocationOptions = {},
  ): Promise<Invocation> {
    const bytes = Buffer.byteLength(payload);
    if (bytes > REQUEST_BYTES_MAX) {
      const message = `Request must be smaller than ${REQUEST_BYTES_MAX} bytes for the InvokeFunction operation`;
      return { kind: 'too-large', message };
    }
    if (!this.hasCapacity(definition)) return this.throttled(definition);
    this.count(definition.arn, 1);
    try {
      const outcome = await this.options.activity.during(definition.path, () =>
        this.runOnThread(definition, payload, how),
      );
      this.options.metrics.invoked(definition.name, outcome.kind === 'error');
      return outcome;
    } finally {
      this.count(definition.arn, -1);
    }
  }

  private throttled({ name }: FunctionDefinition): Invocation {
    this.options.metrics.throttled(name);
    return { kind: 'throttled' };
  }

  private async runOnThread(
    definition: FunctionDefinition,
    payload: string,
    { death, isUrgent }: InvocationOptions,
  ): Promise<InvocationOutcome> {
    const requestId = randomUUID();
    let thread: FunctionInstance;
    try {
      thread = await this.acquire(definition, isUrgent);
    } catch (error) {
      const reason = error instanceof FailedToLoad ? error.error : exitError(requestId, String(error));
      return this.logged(definition, requestId, { kind: 'error', error: reason });
    }
    try {
      if (death === 'before-invoke') return this.logged(definition, requestId, await killed(thread, requestId));
      const atCall = typeof death === 'object' ? death : undefined;
      this.handling.add(thread);
      const offsetMillis = this.options.offsetMillis();
      const started = performance.now();
      const outcome = limited(await thread.handle({ requestId, payload, offsetMillis, death: atCall }));
      this.options.metrics.lasted(definition.name, performance.now() - started);
      return this.logged(definition, requestId, death === 'after-result' ? await killed(thread, requestId) : outcome);
    } finally {
      this.handling.delete(thread);
      this.fleet.release(thread);
    }
  }

  /** A copy in the state, healthy or broken, that the test has set for the function. */
  private async acquire(definition: FunctionDefinition, isUrgent = false): Promise<FunctionInstance> {
    for (;;) {
      const breakdown = this.faults.breakdownOf(definition.arn);
      const pool = poolOf(definition.arn, breakdown);
      const thread = await this.fleet.acquire({ pool, start: () => this.start(definition, breakdown), isUrgent });
      if (breakdown === this.faults.breakdownOf(definition.arn)) return thread;
      this.fleet.release(thread);
    }
  }

  private async endRunning(arn: string): Promise<number> {
    const threads = [...this.handling].filter(({ definition }) => definition.arn === arn);
    await Promise.all(threads.map((thread) => thread.terminate()));
    return threads.length;
  }

  private start(definition: FunctionDefinition, breakdown: Breakdown | undefined): FunctionInstance {
    const { endpoint, logs } = this.options;
    return new FunctionInstance({
      definition,
      environment: this.environmentOf(definition),
      awsHost: new URL(endpoint.url).host,
      breakdown,
      onLog: (line) => logs.print(definition, line),
    });
  }

  /** Returns the variables that Lambda sets, then those of the template, and none of this process. */
  private environmentOf({
    name,
    roleArn,
    memoryMiB,
    handler,
    environment,
    logGroup,
  }: FunctionDefinition): Record<string, string> {
    const { endpoint, region, roles } = this.options;
    const credentials = roles.credentialsOf(roleArn);
    return {
      TZ: ':UTC',
      LANG: 'en_US.UTF-8',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMiB),
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: logGroup ?? logGroupOf(name),
      AWS_LAMBDA_LOG_STREAM_NAME: LOG_STREAM,
      _HANDLER: handler,
      ...environment,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_SESSION_TOKEN: credentials.sessionToken,
      AWS_ENDPOINT_URL: endpoint.url,
    };
  }

  private logged(definition: FunctionDefinition, requestId: string, outcome: InvocationOutcome): InvocationOutcome {
    if (outcome.kind === 'error') {
      const text = JSON.stringify({ level: 'ERROR', requestId, message: 'The function failed.', ...outcome.error });
      this.options.logs.print(definition, { level: 'ERROR', text, requestId });
      const status = outcome.error.errorMessage.includes('Task timed out') ? 'timeout' : 'error';
      const report = { type: 'platform.report', record: { requestId, status } };
      this.options.logs.print(definition, { level: 'WARN', text: JSON.stringify(report), requestId });
    } else {
      const report = { type: 'platform.report', record: { requestId, status: 'success' } };
      this.options.logs.count(definition.logGroup ?? '', report);
    }
    return outcome;
  }

  private hasCapacity({ arn, reservedConcurrency }: FunctionDefinition): boolean {
    if (reservedConcurrency !== undefined) return (this.running.get(arn) ?? 0) < reservedConcurrency;
    // Concurrency that is reserved for some functions is not available to the others.
    const reserved = this.all.filter((definition) => definition.reservedConcurrency !== undefined);
    const reservedTotal = reserved.reduce((sum, definition) => sum + (definition.reservedConcurrency ?? 0), 0);
    const used = this.total() - reserved.reduce((sum, definition) => sum + (this.running.get(definition.arn) ?? 0), 0);
    return used < this.options.concurrency - reservedTotal;
  }

  private total(): number {
    return [...this.running.values()].reduce((sum, count) => sum + count, 0);
  }

  private count(arn: string, change: 1 | -1) {
    this.running.set(arn, (this.running.get(arn) ?? 0) + change);
  }
}

async function killed(thread: FunctionInstance, requestId: string): Promise<InvocationOutcome> {
  await thread.terminate();
  return { kind: 'error', error: exitError(requestId, 'signal: killed') };
}

function limited(outcome: InvocationOutcome): InvocationOutcome {
  if (outcome.kind !== 'result') return outcome;
  const bytes = Buffer.byteLength(outcome.payload);
  if (bytes <= RESPONSE_BYTES_MAX) return outcome;
  const error: FunctionError = {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${RESPONSE_BYTES_MAX} bytes).`,
  };
  return { kind: 'error', error };
}
