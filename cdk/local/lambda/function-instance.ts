/** One running copy of a function, which handles one event at a time until it dies or is retired. */
import type { Breakdown } from './faults.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { importsPackages } from './imports.ts';
import { processSandbox, type Sandbox, threadSandbox } from './sandbox.ts';
import type { DeathDuringCall, FunctionError, InvokeMessage, WorkerMessage, WorkerSetup } from './worker-protocol.ts';

export interface InstanceOptions {
  readonly definition: FunctionDefinition;
  /** The whole environment of the function. */
  readonly environment: Readonly<Record<string, string>>;
  readonly awsHost: string;
  /** The way in which a test makes this copy fail. */
  readonly breakdown?: Breakdown | undefined;
  readonly onLog: (line: { level: string; text: string; requestId?: string | undefined }) => void;
}

export interface InstanceInvocation {
  readonly requestId: string;
  readonly payload: string;
  /** @default 0: the function has the machine's time */
  readonly offsetMillis?: number;
  readonly death?: DeathDuringCall | undefined;
}

export type InvocationOutcome =
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'error'; readonly error: FunctionError };

/** The folder of code that Node has compiled. The worker takes it out of its environment before it loads the function. */
const COMPILE_CACHE = process.env['NODE_COMPILE_CACHE']
  ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  : {};

interface Invocation {
  readonly requestId: string;
  readonly finish: (outcome: InvocationOutcome) => void;
}

export class FunctionInstance {
  readonly definition: FunctionDefinition;
  readonly breakdown: Breakdown | undefined;
  /** Names the copies that can take each other's events. */
  readonly pool: string;
  /** Settles when the function is loaded; rejected with a `FailedToLoad` when it cannot be. */
  readonly ready: Promise<void>;
  private readonly sandbox: Sandbox;
  private current: Invocation | undefined;
  private lastError: FunctionError | undefined;
  private ended = false;

  constructor({ definition, environment, awsHost, breakdown, onLog }: InstanceOptions) {
    this.definition = definition;
    this.breakdown = breakdown;
    this.pool = poolOf(definition.arn, breakdown);
    const { name, arn, module, handler, memoryMiB } = definition;
    const setup: WorkerSetup = {
      module,
      handler,
      functionName: name,
      functionArn: arn,
      memoryMiB,
      logGroup: environment['AWS_LAMBDA_LOG_GROUP_NAME'] ?? '',
      logStream: environment['AWS_LAMBDA_LOG_STREAM_NAME'] ?? '',
      awsHost,
      breakdown,
    };
    const start = importsPackages(module) ? processSandbox : threadSandbox;
    const options = {
      setup,
      env: { ...environment, ...COMPILE_CACHE },
      // A test must not have to fill a gigabyte to make a function run out of memory.
      heapMiB: breakdown === 'runs-out-of-memory' ? Math.min(64, memoryMiB) : memoryMiB,
    };
    const print = (level: string, text: string) => onLog({ level, text, requestId: this.current?.requestId });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.sandbox = start(options, {
      onMessage: (message) => {
        if (message.kind === 'log') print(message.level, message.text);
        else if (message.kind === 'ready') resolve();
        else this.receive(message);
      },
      onPrint: (text) => print('ERROR', text),
      onError: (error) => {
        this.lastError ??= outOfMemory(error)
          ? exitError(this.current?.requestId, 'signal: killed')
          : { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] };
      },
      onExit: (reason) => {
        this.end(reason);
        reject(new FailedToLoad(this.lastError ?? exitError(undefined, reason)));
      },
    });
    // A caller that waits for the function gets the error; when the cloud stops, there may be none.
    this.ready.catch(() => undefined);
  }

  get alive(): boolean {
    return !this.ended;
  }

  /** Handles one event. A function that takes longer than its timeout is ended. */
  async handle({ requestId, payload, offsetMillis = 0, death }: InstanceInvocation): Promise<InvocationOutcome> {
    const { timeoutSeconds } = this.definition;
    const timeoutMillis = timeoutSeconds * 1000;
    const outcome = new Promise<InvocationOutcome>((finish) => {
      this.current = { requestId, finish };
    });
    const timer = setTimeout(
      () => {
        this.lastError = timedOut(requestId, timeoutSeconds);
        void this.terminate();
      },
      this.breakdown === 'times-out' ? 0 : timeoutMillis,
    );
    const message: InvokeMessage = {
      requestId,
      payload,
      deadline: Date.now() + timeoutMillis,
      traceId: `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${requestId.replaceAll('-', '').slice(0, 24)};Sampled=0`,
      offsetMillis,
      death,
    };
    this.sandbox.send(message);
    if (this.ended) this.end('exit status 1');
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      this.current = undefined;
    }
  }

  terminate(): Promise<void> {
    return this.sandbox.terminate();
  }

  private receive(message: Exclude<WorkerMessage, { kind: 'log' | 'ready' }>) {
    if (message.kind === 'fatal') this.lastError = message.error;
    else this.current?.finish(message);
  }

  private end(reason: string) {
    this.ended = true;
    this.current?.finish({ kind: 'error', error: this.lastError ?? exitError(this.current.requestId, reason) });
  }
}

/** A copy that a test broke stays apart from healthy ones, which are warm when the function is healed. */
export const poolOf = (functionArn: string, breakdown: Breakdown | undefined) =>
  breakdown === undefined ? functionArn : `${functionArn} ${breakdown}`;

/** The function's module could not be loaded, or ended while it was. */
export class FailedToLoad extends Error {
  readonly error: FunctionError;

  constructor(error: FunctionError) {
    super(error.errorMessage);
    this.error = error;
  }
}

export function exitError(requestId: string | undefined, reason: string): FunctionError {
  const request = requestId === undefined ? '' : `RequestId: ${requestId} `;
  return { errorType: 'Runtime.ExitError', errorMessage: `${request}Error: Runtime exited with error: ${reason}` };
}

function timedOut(requestId: string, seconds: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}

function outOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
