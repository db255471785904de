/** One running copy of a function: a worker thread that handles one event at a time, until it dies or is retired. */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Breakdown } from './faults.ts';
import type { FunctionDefinition } from './function-definition.ts';
import {
  type DeathDuringCall,
  type FunctionError,
  type InvokeMessage,
  KILLED,
  type WorkerMessage,
  type WorkerSetup,
} from './worker-protocol.ts';

export interface ThreadOptions {
  readonly definition: FunctionDefinition;
  /** The whole environment of the function. */
  readonly environment: Readonly<Record<string, string>>;
  readonly awsHost: string;
  /** The way in which a test makes this copy fail. */
  readonly breakdown?: Breakdown | undefined;
  readonly onLog: (line: { level: string; text: string; requestId?: string | undefined }) => void;
}

export interface ThreadInvocation {
  readonly requestId: string;
  readonly payload: string;
  /** @default 0: the function has the machine's time */
  readonly offsetMillis?: number;
  readonly death?: DeathDuringCall | undefined;
}

export type ThreadOutcome =
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'error'; readonly error: FunctionError };

/** The folder of code that Node has compiled. The thread takes it out of its environment before it loads the function. */
const COMPILE_CACHE = process.env['NODE_COMPILE_CACHE']
  ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  : {};

/**
 * A thread begins with as much room for new objects as its limits allow. By default V8 begins with a megabyte, and
 * collects garbage again and again while the function loads: a sixth of the processor time of a start.
 */
setFlagsFromString('--min-semi-space-size=16');

interface UnderWay {
  readonly requestId: string;
  readonly finish: (outcome: ThreadOutcome) => void;
}

export class FunctionThread {
  readonly definition: FunctionDefinition;
  readonly breakdown: Breakdown | undefined;
  /** Names the copies that can take each other's events. */
  readonly pool: string;
  /** Settles when the function is loaded; rejected with a `FailedToLoad` when it cannot be. */
  readonly ready: Promise<void>;
  private readonly worker: Worker;
  private readonly gone: Promise<number>;
  private underWay: UnderWay | undefined;
  private lastError: FunctionError | undefined;
  private ended = false;

  constructor({ definition, environment, awsHost, breakdown, onLog }: ThreadOptions) {
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
    this.worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: setup,
      env: { ...environment, ...COMPILE_CACHE },
      // None of this process: `NODE_OPTIONS` of the function counts, as it does in Lambda.
      execArgv: [],
      resourceLimits: {
        // A test must not fill a gigabyte to see a function run out of memory.
        maxOldGenerationSizeMb: breakdown === 'runs-out-of-memory' ? Math.min(64, memoryMiB) : memoryMiB,
        // New objects have room by the size of the function; by default every thread would take 48 MB, and be slower.
        maxYoungGenerationSizeMb: Math.min(48, Math.max(8, memoryMiB / 20)),
      },
    });
    this.gone = new Promise((resolve) => this.worker.on('exit', resolve));
    this.worker.on('error', (error) => {
      this.lastError ??= outOfMemory(error)
        ? exitError(this.underWay?.requestId, 'signal: killed')
        : { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] };
    });
    this.ready = new Promise((resolve, reject) => {
      this.worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'log')
          onLog({ level: message.level, text: message.text, requestId: this.underWay?.requestId });
        else if (message.kind === 'ready') resolve();
        else this.hear(message);
      });
      this.worker.once('exit', (code) => {
        this.end(code);
        reject(new FailedToLoad(this.lastError ?? exitError(undefined, `exit status ${code}`)));
      });
    });
    // A caller that waits for the function gets the error; when the cloud stops, there may be none.
    this.ready.catch(() => undefined);
  }

  get alive(): boolean {
    return !this.ended;
  }

  /** Handles one event. A function that takes longer than its timeout is ended. */
  async handle({ requestId, payload, offsetMillis = 0, death }: ThreadInvocation): Promise<ThreadOutcome> {
    const { timeoutSeconds } = this.definition;
    const timeoutMillis = timeoutSeconds * 1000;
    const outcome = new Promise<ThreadOutcome>((finish) => {
      this.underWay = { requestId, finish };
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
    this.worker.postMessage(message, []);
    if (this.ended) this.end(1);
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      this.underWay = undefined;
    }
  }

  async terminate(): Promise<void> {
    await this.worker.terminate();
    await this.gone;
  }

  private hear(message: Exclude<WorkerMessage, { kind: 'log' | 'ready' }>) {
    if (message.kind === 'fatal') this.lastError = message.error;
    else this.underWay?.finish(message);
  }

  private end(exitCode: number) {
    this.ended = true;
    const reason = exitCode === KILLED ? 'signal: killed' : `exit status ${exitCode}`;
    this.underWay?.finish({ kind: 'error', error: this.lastError ?? exitError(this.underWay.requestId, reason) });
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
