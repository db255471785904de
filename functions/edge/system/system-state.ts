import { isoTime } from '#shared/formats/timestamp';
import type { AlarmAt, DeadLettersAt, QueueAt, SystemParts } from './system-parts.ts';

export interface QueueCounts {
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** A metric of CloudWatch. */
export interface MetricAt {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface AlarmState {
  readonly state: string;
  readonly since: string;
  readonly reason: string;
  readonly description: string;
  /** Absent where the alarm compares an expression. */
  readonly metric?: MetricAt | undefined;
}

/** The sources of the figures. */
export interface Figures {
  counts(url: string): Promise<QueueCounts>;
  /** Returns the alarms by their names; missing ones are absent. */
  alarms(names: readonly string[]): Promise<ReadonlyMap<string, AlarmState>>;
  /** The newest maxima of these metrics, of the last minutes, in their order; undefined where there is none. */
  newest(metrics: readonly MetricAt[], now: number): Promise<readonly (number | undefined)[]>;
}

const ageOf = ({ url }: QueueAt): MetricAt => ({
  namespace: 'AWS/SQS',
  name: 'ApproximateAgeOfOldestMessage',
  dimensions: { QueueName: url.slice(url.lastIndexOf('/') + 1) },
});

/** Returns the waiting and the dead messages, and the active alarms, of the whole deployment. */
export async function systemState(parts: SystemParts, figures: Figures, now: number) {
  const [states, waiting, lost] = await Promise.all([
    figures.alarms([...parts.alarms, ...parts.dueWork].map(({ alarm }) => alarm)),
    Promise.all(parts.queues.map(({ url }) => figures.counts(url))),
    Promise.all(parts.deadLetters.map(({ url }) => figures.counts(url))),
  ]);
  const due = parts.dueWork.flatMap(({ name, alarm }) => {
    const metric = states.get(alarm)?.metric;
    return metric ? [{ name, metric }] : [];
  });
  const newest = await figures.newest([...parts.queues.map(ageOf), ...due.map(({ metric }) => metric)], now);
  return {
    measuredAt: isoTime(now),
    queues: parts.queues.map((queue, at) => presentQueue(queue, waiting[at], newest[at])),
    deadLetters: parts.deadLetters.map((queue, at) => presentDeadLetters(queue, lost[at])),
    alarms: parts.alarms.flatMap((alarm) => presentAlarm(alarm, states.get(alarm.alarm))),
    // Without a measurement nothing is due: a sweeper that has stopped has an alarm.
    dueWork: due.map(({ name }, at) => ({ name, oldestSeconds: newest[parts.queues.length + at] ?? 0 })),
  };
}

const NONE: QueueCounts = { waiting: 0, inFlight: 0, delayed: 0 };

/** Nothing is old in an empty queue: its last age is that of a message that has gone since. */
function presentQueue({ name }: QueueAt, counts = NONE, oldest?: number) {
  const { waiting, inFlight, delayed } = counts;
  const isEmpty = waiting + inFlight + delayed === 0;
  return { name, waiting, inFlight, delayed, ...(!isEmpty && oldest !== undefined && { oldestSeconds: oldest }) };
}

/** Dead letters in flight count too: an operator is reading them. */
function presentDeadLetters({ name, redriveAs }: DeadLettersAt, { waiting, inFlight, delayed } = NONE) {
  return { name, count: waiting + inFlight + delayed, ...(redriveAs !== undefined && { redriveAs }) };
}

/** `Who is affected. Runbook: cdk/README.md, Faults` */
const DESCRIPTION = /^(?<meaning>.*?) Runbook: [^,]+, (?<runbook>.+)$/;

function presentAlarm({ name }: AlarmAt, alarm: AlarmState | undefined) {
  if (!alarm) return [];
  const { state, since, reason, description } = alarm;
  const { meaning = description, runbook } = DESCRIPTION.exec(description)?.groups ?? {};
  return [{ name, state, since, reason, meaning, ...(runbook !== undefined && { runbook }) }];
}
