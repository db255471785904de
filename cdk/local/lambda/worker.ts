/** The thread or process in which a function lives: loads the bundle as Lambda does and handles one event at a time. */
import { subscribe } from 'node:diagnostics_channel';
import { flushCompileCache, registerHooks } from 'node:module';
import { formatWithOptions } from 'node:util';
import type { Breakdown } from './faults.ts';
import { workerChannel } from './worker-channel.ts';
import { type DeathDuringCall, type FunctionError, type InvokeMessage, KILLED } from './worker-protocol.ts';

const { setup, send: say, receive } = workerChannel();

type Handler = (event: unknown, context: object) => unknown;

delete process.env['NODE_COMPILE_CACHE'];
const machineNow = Date.now;
let offsetMillis = 0;
followCloudClock();
captureOutput();
process.on('uncaughtException', die);
process.on('unhandledRejection', (reason) => {
  const { errorMessage, trace } = describe(reason);
  endWith({ errorType: 'Runtime.UnhandledPromiseRejection', errorMessage, ...(trace && { trace }) });
});

let death: DeathDuringCall | undefined;
let callsSent = 0;
let callsAnswered = 0;
watchAwsCalls();
findPartsDirectly();

const handler = await load();
if (handler) {
  receive((message) => void handle(handler, message));
  say({ kind: 'ready' });
}

async function load(): Promise<Handler | undefined> {
  try {
    if (setup.breakdown !== undefined) return brokenHandler(setup.breakdown);
    const module: Record<string, unknown> = await import(setup.module);
    const handler = module[setup.handler.slice(setup.handler.lastIndexOf('.') + 1)];
    if (typeof handler === 'function') return checked(handler as Handler);
    throw named('Runtime.HandlerNotFound', `${setup.handler} is undefined or not exported`);
  } catch (error) {
    die(error);
    return undefined;
  }
}

/**
 * Finds the files of a bundle by the names in its imports. Node would look up and resolve the links of each: a bundle has
 * 50 to 80, which all lie where their names say.
 */
function findPartsDirectly() {
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('.') || !specifier.endsWith('.mjs')) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
    },
  });
}

/** The handler that a test put in place of the function's own, which need not load. */
function brokenHandler(breakdown: Breakdown): Handler {
  switch (breakdown) {
    case 'throws':
      return () => {
        throw new Error('A test broke this function: its handler throws.');
      };
    case 'times-out':
      return () => new Promise(() => undefined);
    case 'runs-out-of-memory':
      return () => {
        for (const filled: unknown[] = []; ; ) filled.push(Array(1_000_000).fill(filled.length + 0.5));
      };
    default:
      throw new Error('A test broke this function: it fails to load.');
  }
}

function checked(handler: Handler): Handler {
  if (handler.length < 3) return handler;
  throw named(
    'Runtime.CallbackHandlerDeprecated',
    'AWS Lambda has removed support for callback-based function handlers starting with Node.js 24.',
  );
}

async function handle(handler: Handler, message: InvokeMessage) {
  process.env['_X_AMZN_TRACE_ID'] = message.traceId;
  offsetMillis = message.offsetMillis;
  death = message.death;
  callsSent = 0;
  callsAnswered = 0;
  try {
    const result = await handler(JSON.parse(message.payload), contextOf(message));
    say({ kind: 'result', payload: textOf(result) });
  } catch (error) {
    say({ kind: 'error', error: describe(error) });
  }
  keepCompiledCode();
}

let hasKeptCode = false;
/** Keeps what Node has compiled for the first event. Otherwise it would be kept when this thread ends, often much later. */
function keepCompiledCode() {
  if (!hasKeptCode) flushCompileCache();
  hasKeptCode = true;
}

function textOf(result: unknown): string {
  try {
    return JSON.stringify(result) ?? 'null';
  } catch {
    throw named('Runtime.MarshalError', 'Unable to stringify response body');
  }
}

function contextOf({ requestId, deadline }: InvokeMessage) {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: setup.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: setup.functionArn,
    memoryLimitInMB: String(setup.memoryMiB),
    awsRequestId: requestId,
    logGroupName: setup.logGroup,
    logStreamName: setup.logStream,
    getRemainingTimeInMillis: () => deadline - machineNow(),
  };
}

function die(error: unknown): void {
  endWith(describe(error));
}

function endWith(error: FunctionError): void {
  say({ kind: 'fatal', error }, () => process.exit(1));
}

function named(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

function describe(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] };
}

/** `Date` has the time of the local cloud, which a test may move. Timers use the time of the machine. */
function followCloudClock() {
  const cloudNow = () => machineNow() + offsetMillis;
  globalThis.Date = new Proxy(Date, {
    construct: (date, values, target) => Reflect.construct(date, values.length === 0 ? [cloudNow()] : values, target),
    get: (date, name, receiver) => (name === 'now' ? cloudNow : Reflect.get(date, name, receiver)),
  });
}

/** Everything printed goes to the function's log, in the order in which it was printed. */
function captureOutput() {
  const levels = { log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR', debug: 'DEBUG', trace: 'TRACE' } as const;
  for (const name of Object.keys(levels) as (keyof typeof levels)[]) {
    console[name] = (...values: unknown[]) =>
      say({ kind: 'log', level: levels[name], text: formatWithOptions({}, ...values) });
  }
  process.stdout.write = writer('INFO');
  process.stderr.write = writer('ERROR');
}

function writer(level: string): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    say({ kind: 'log', level, text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8') });
    const done = rest.findLast((value) => typeof value === 'function');
    if (done) queueMicrotask(() => done());
    return true;
  };
}

/**
 * Counts the AWS calls of an invocation, so that a test can kill it at one of them. A call that was throttled and is sent again is
 * one call.
 */
function watchAwsCalls() {
  subscribe('http.client.request.created', (message) => {
    if (isAwsCall(message) && isFirstTry(message) && death?.moment === 'sending' && ++callsSent === death.call)
      process.exit(KILLED);
  });
  subscribe('http.client.response.finish', (message) => {
    if (isAwsCall(message) && !wasThrottled(message) && death?.moment === 'answered' && ++callsAnswered === death.call)
      process.exit(KILLED);
  });
}

function isAwsCall(message: unknown): boolean {
  const { request } = message as { request: { getHeader(name: string): unknown } };
  return request.getHeader('host') === setup.awsHost;
}

/** The SDK numbers the tries of a call. */
function isFirstTry(message: unknown): boolean {
  const { request } = message as { request: { getHeader(name: string): unknown } };
  return !/^attempt=(?!1;)/.test(String(request.getHeader('amz-sdk-request')));
}

function wasThrottled(message: unknown): boolean {
  const { response } = message as { response: { headers: Readonly<Record<string, unknown>> } };
  return /Throttl|Throughput/.test(String(response.headers['x-amzn-errortype']));
}
