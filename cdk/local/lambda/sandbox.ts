/** The thread or process in which a function runs, and which it cannot outlive. */
import { fork } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type InvokeMessage, KILLED, type WorkerMessage, type WorkerSetup } from './worker-protocol.ts';

export interface SandboxOptions {
  readonly setup: WorkerSetup;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The limit of the function's heap. */
  readonly heapMiB: number;
}

export interface SandboxEvents {
  readonly onMessage: (message: WorkerMessage) => void;
  /** Receives what native code prints, and what Node prints when it cannot go on. */
  readonly onPrint: (text: string) => void;
  readonly onError: (error: Error) => void;
  /** The reason as Lambda words it: `exit status 1`, `signal: killed`. */
  readonly onExit: (reason: string) => void;
}

export interface Sandbox {
  readonly send: (message: InvokeMessage) => void;
  /** Ends the function at once, whatever it does. */
  readonly terminate: () => Promise<void>;
}

const PROGRAM = new URL('./worker.ts', import.meta.url);

/** New objects have room by the size of the function; by default every thread would take 48 MB, and be slower. */
const youngMiB = ({ setup }: SandboxOptions) => Math.min(48, Math.max(8, setup.memoryMiB / 20));

/**
 * A thread begins with as much room for new objects as its limits allow. By default V8 begins with a megabyte, and
 * collects garbage again and again while the function loads: a sixth of the processor time of a start.
 */
setFlagsFromString('--min-semi-space-size=16');

export function threadSandbox(options: SandboxOptions, { onMessage, onError, onExit }: SandboxEvents): Sandbox {
  const worker = new Worker(PROGRAM, {
    workerData: options.setup,
    env: options.env,
    // None of this process: `NODE_OPTIONS` of the function counts, as it does in Lambda.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.heapMiB, maxYoungGenerationSizeMb: youngMiB(options) },
  });
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  worker.on('message', onMessage).on('error', onError);
  worker.once('exit', (code) => onExit(code === KILLED ? 'signal: killed' : `exit status ${code}`));
  return {
    send: (message) => worker.postMessage(message, []),
    terminate: async () => {
      await worker.terminate();
      await gone;
    },
  };
}

/** The words of Lambda for the signals by which native code and V8 end a process. */
const SIGNALS: Readonly<Partial<Record<NodeJS.Signals, string>>> = {
  SIGKILL: 'killed',
  SIGABRT: 'aborted',
  SIGSEGV: 'segmentation fault',
};

/**
 * A process for a function with native packages. Their crash would end a thread's whole process, and so does the end of a
 * thread whose native call under way reports to JavaScript, as ONNX Runtime's does.
 */
export function processSandbox(options: SandboxOptions, events: SandboxEvents): Sandbox {
  const { onMessage, onPrint, onError, onExit } = events;
  const child = fork(PROGRAM, [JSON.stringify(options.setup)], {
    env: options.env,
    execArgv: [`--max-old-space-size=${options.heapMiB}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.on('message', onMessage).on('error', onError);
  child.stderr?.setEncoding('utf8').on('data', onPrint);
  child.once('close', (code, signal) => {
    if (signal) onExit(`signal: ${SIGNALS[signal] ?? signal}`);
    else onExit(code === KILLED ? 'signal: killed' : `exit status ${code}`);
  });
  return {
    // If it cannot be sent, the process has ended, which `close` tells.
    send: (message) => child.send(message, () => undefined),
    terminate: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
