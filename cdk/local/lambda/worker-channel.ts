/** The connection of a function's thread or process with the local cloud. */
import { parentPort, workerData } from 'node:worker_threads';
import type { InvokeMessage, WorkerMessage, WorkerSetup } from './worker-protocol.ts';

interface WorkerChannel {
  readonly setup: WorkerSetup;
  /** Calls back when the message has left, after which the function may end. */
  readonly send: (message: WorkerMessage, sent?: () => void) => void;
  readonly receive: (listener: (message: InvokeMessage) => void) => void;
}

export function workerChannel(): WorkerChannel {
  return parentPort ? threadChannel(parentPort) : processChannel();
}

function threadChannel(port: NonNullable<typeof parentPort>): WorkerChannel {
  return {
    setup: workerData as WorkerSetup,
    send: (message, sent) => {
      port.postMessage(message);
      sent?.();
    },
    receive: (listener) => port.on('message', listener),
  };
}

function processChannel(): WorkerChannel {
  const [, , setup] = process.argv;
  if (!process.send || setup === undefined)
    throw new Error('This file runs in a thread or process of the local cloud.');
  // The local cloud has ended.
  process.once('disconnect', () => process.exit());
  return {
    setup: JSON.parse(setup) as WorkerSetup,
    send: (message, sent) => process.send?.(message, undefined, {}, () => sent?.()),
    receive: (listener) => process.on('message', listener),
  };
}
