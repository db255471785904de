import { type ChildProcess, fork } from 'node:child_process';
import { variable } from '#shared/env';
import type { FileOpener } from './opened-file.ts';
import type { Opening } from './opening-loop.process.ts';

/** What one file may take. A file that takes more is `too-costly`. */
export interface OpenerLimits {
  /** Resident memory of the process, of which Node itself has 100. */
  readonly memoryMiB: number;
  /** Of a processor. */
  readonly seconds: number;
}

/** What a process needs to start. The rest of the environment, credentials among it, is no business of a decoder. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot'];

/** Of Node's own heap, which holds no pixels. */
const HEAP_MIB = 256;

/**
 * Opens every file in another process, which is killed when it exceeds the limits. A process that has opened a picture
 * without any trouble opens the next one too; any other is replaced, so that no file meets what another one has left.
 * @param onStart gets the id of every process
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

/** Throws if the process does not get ready, which is no fault of a file. */
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
  // If it cannot be sent, the process has ended, which is the answer.
  process.send(bytes, () => undefined);
  return (await answer) as Opening | undefined;
}

/** What the process says next, or undefined if it ends before. While nobody waits for it, it keeps no program alive. */
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
