import type { Alarm, DeadLetters, Queue } from './system-answers.ts';

const RANKS: Readonly<Record<string, number>> = { ALARM: 0, INSUFFICIENT_DATA: 1, OK: 2 };
const rankOf = ({ state }: Alarm) => RANKS[state] ?? 1;

/** Sorts alarms: active ones first, the newest on top. */
export const alarmsWorstFirst = (alarms: readonly Alarm[]): readonly Alarm[] =>
  alarms.toSorted((a, b) => rankOf(a) - rankOf(b) || b.since.localeCompare(a.since) || a.name.localeCompare(b.name));

/** Sorts queues by their oldest message, then by their size. */
export const queuesWorstFirst = (queues: readonly Queue[]): readonly Queue[] =>
  queues.toSorted(
    (a, b) => (b.oldestSeconds ?? 0) - (a.oldestSeconds ?? 0) || sizeOf(b) - sizeOf(a) || a.name.localeCompare(b.name),
  );

export const isEmpty = (queue: Queue): boolean => sizeOf(queue) === 0;

const sizeOf = ({ waiting, inFlight, delayed }: Queue) => waiting + inFlight + delayed;

/** Returns the queues with dead letters, the fullest first. */
export const deadLettersWorstFirst = (letters: readonly DeadLetters[]): readonly DeadLetters[] =>
  letters.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
