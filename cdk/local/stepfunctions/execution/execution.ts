/**
 * The state of an execution between two steps. All of it is JSON, so that it can be stored and continued by another
 * process.
 */
import type { Json, JsonObject } from '../../endpoint/json.ts';

export type Status = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';

/** The members of an execution that never change. */
export interface Identity {
  readonly arn: string;
  readonly name: string;
  readonly machineArn: string;
  readonly machineName: string;
  readonly roleArn: string;
  readonly region: string;
  readonly input: Json;
  /** Milliseconds since 1970, as all times here. */
  readonly startedAt: number;
}

/** A Lambda invocation, and with a token the wait for its answer. */
export interface TaskActivity {
  readonly kind: 'task';
  /** Also the task token. */
  readonly token: string;
  readonly waitsForToken: boolean;
  readonly parameters: JsonObject;
  /** The function was invoked with success, and the answer by token is awaited. */
  submitted: boolean;
  readonly timeoutAt: number | null;
}

/** The iterations of a Map. */
export interface IterationsActivity {
  readonly kind: 'iterations';
  readonly items: readonly Json[];
  readonly concurrency: number;
  /** The index of the next iteration to start. */
  next: number;
  finished: number;
  readonly results: Json[];
}

export type Activity =
  /** The state is entered at the next step. */
  | { readonly kind: 'enter' }
  /** A retry whose wait is over begins at the next step. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'retry'; readonly at: number }
  | TaskActivity
  | IterationsActivity;

/** A sequence of states under way: the machine's own, or an iteration of a Map. */
export interface Frame {
  readonly id: number;
  readonly parent: number | null;
  /** The index of the iteration in its parent. */
  readonly index: number;
  /** The Maps around it, from the machine's own states down. */
  readonly location: readonly string[];
  /** The item of an iteration. */
  readonly item: { readonly index: number; readonly value: Json } | null;
  state: string;
  input: Json;
  enteredAt: number;
  /** The number of attempts, by retrier. */
  attempts: number[];
  retryCount: number;
  /** The id of the last event of this sequence. */
  lastEvent: number;
  activity: Activity;
}

export interface Execution {
  readonly identity: Identity;
  status: Status;
  frames: Frame[];
  /** Frames and events so far: the ids of the last. */
  lastFrame: number;
  lastEvent: number;
  stoppedAt: number | null;
  output: Json | undefined;
  error: string | undefined;
  cause: string | undefined;
}

export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  readonly type: string;
  readonly at: number;
  /** One member, named as in the answer of GetExecutionHistory: `taskScheduledEventDetails`. */
  readonly details: JsonObject;
}

/** Tasks whose function must be invoked, unless an invocation is in progress. */
export function tasksToInvoke({ frames }: Execution): readonly TaskActivity[] {
  return frames.flatMap(({ activity }) => (activity.kind === 'task' && !activity.submitted ? [activity] : []));
}

/** Returns the time of the next timer; null if there is none. */
export function nextDue({ frames, status }: Execution): number | null {
  if (status !== 'RUNNING') return null;
  const times = frames.map(({ activity }) => dueOf(activity));
  const earliest = Math.min(Infinity, ...times);
  return earliest === Infinity ? null : earliest;
}

export function dueOf(activity: Activity): number {
  switch (activity.kind) {
    case 'retry':
      return activity.at;
    case 'task':
      return activity.timeoutAt ?? Infinity;
    default:
      return Infinity;
  }
}

/** Returns whether a state must be entered, or started again. */
export function isReady({ activity }: Frame): boolean {
  return activity.kind === 'enter' || activity.kind === 'begin';
}
