import { type ChildProcess, fork } from 'node:child_process';
import { variable } from '#shared/env';
import type { FileOpener } from './opened-file.ts';
import type { Opening } from './opening-loop.process.ts';

/** The limits for opening one file. A file that exceeds them is `too-costly`. */
export interface OpenerLimits {
  /** Resident memory of the process; Node itself uses 100 MiB of it. */
  readonly memoryMiB: number;
  /** Processor time in seconds. */
  readonly seconds: number;
}

/** The variables that a process needs to start. Decoders do not need the others, credentials least of all. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot'];

/** The limit of Node's heap, which holds no pixels. */
const HEAP_MIB = 256;

/**
 * Opens each file in another process, which is killed when it exceeds the limits. A process that opened a picture
 * without trouble is used again; any other one is replaced, so that files cannot affect each other.
 * @param onStart is called with the id of each process
 */
export function fileOpener(limits: OpenerLimits, onStart: (pid?: number) => void = () => undefined): FileOpener {
  let rested: ChildProcess | undefined;

  async function take(): Promise<ChildProcess> {
    const warm = rested;
    rested = undefined;
    if (warm && isAlive(warm)) return warm;
    const fresh = await started(limits);
    onStart(fresh.pid);
    return fresh;
  }

  return {
    async open(bytes) {
      const process = await take();
      const opening = await answered(process, bytes);
      if (opening?.reusable && !rested) rested = process;
      else process.kill('SIGKILL');
      return opening?.file ?? 'too-costly';
    },
  };
}

const isAlive = ({ exitCode, signalCode, connected }: ChildProcess) =>
  exitCode === null && signalCode === null && connected;

/** Throws if the process does not become ready, which is not the file's fault. */
async function started({ memoryMiB, seconds }: OpenerLimits): Promise<ChildProcess> {
  const { PROGRAM } = await import('./opening-program.process.ts');
  const process = fork(PROGRAM, [String(memoryMiB * 2 ** 20), String(seconds * 1_000)], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    env: Object.fromEntries(PASSED_ON.map((name) => [name, variable(name)])),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  if ((await nextMessage(process)) === undefined) throw new Error('The process that opens files did not start.');
  return process;
}

async function answered(process: ChildProcess, bytes: Uint8Array): Promise<Opening | undefined> {
  const answer = nextMessage(process);
  // If sending fails, the process has ended, which is detected below.
  process.send(bytes, () => undefined);
  return (await answer) as Opening | undefined;
}

/** The next message of the process; undefined if it ends first. An idle process does not keep the program alive. */
function nextMessage(process: ChildProcess): Promise<unknown> {
  process.ref();
  process.channel?.ref();
  return new Promise((resolve) => {
    const settle = (message: unknown) => {
      process.off('message', settle).off('error', fail).off('exit', fail);
      process.unref();
      process.channel?.unref();
      resolve(message);
    };
    const fail = () => settle(undefined);
    process.on('message', settle).on('error', fail).on('exit', fail);
  });
}
