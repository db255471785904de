import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import type { Configuration } from '../configurations/configuration.ts';
import { MODULES, type ModuleId } from '../modules/module.ts';

/** One delivery of one event under one rule, or a replay of it, in one of four states. */
export type Run = WaitingRun | ParkedRun | LeasedRun | EndedRun;
export type RunStatus = Run['status'];

interface PendingRun extends RunBase {
  /** `CREATED` before the first attempt. */
  readonly status: 'CREATED' | 'IN_PROGRESS';
  readonly nextAttemptAt: number;
  /** The time at which the sweeper checks the run. */
  readonly nextSweepAt: number;
  /** True if the same attempt is made again, because its worker was lost. */
  readonly isRepeat?: boolean;
  /** The time since which the attempt has had no slot. */
  readonly slotWaitSince?: number;
}

/** The run waits for its next attempt, or a message for it is on its way. */
export interface WaitingRun extends PendingRun {
  /** The attempt that the table's stream sends to the queue. */
  readonly dispatchAttempt?: number;
}

/** The run waits for a slot of its configuration. There is no message for it. */
export interface ParkedRun extends PendingRun {
  readonly isParked: true;
  /** True if the webhooks of its tenant were paused when it was due. */
  readonly isPaused?: true;
  readonly slotWaitSince: number;
}

/** A worker is making an attempt, or died during it. */
export interface LeasedRun extends RunBase {
  readonly status: 'IN_PROGRESS';
  readonly lease: Lease;
  /** The time at which the sweeper checks the run. */
  readonly nextSweepAt: number;
}

export interface EndedRun extends RunBase {
  readonly status: 'COMPLETED' | 'FAILED';
  readonly completedAt: number;
}

/** The members of a run in every state. Times are milliseconds since 1970. */
export interface RunBase {
  readonly id: string;
  readonly tenant: string;
  readonly eventId: string;
  readonly ruleId: string;
  readonly module: ModuleId;
  readonly trigger: string;
  /** The source record as the delivery log names it: `<record type>: <id>`. */
  readonly record: string;
  readonly idempotencyKey: string;
  /** The trace in which the run was created. */
  readonly origin?: string;
  readonly createdAt: number;

  /**
   * A snapshot of the configuration when the run was made. Every attempt reads URL and authentication again, both in
   * one read: a new secret must never go to an old URL.
   */
  readonly configurationId: string;
  readonly configurationName: string;
  /** The URL of the last attempt; before the first attempt, the URL in the snapshot. */
  readonly targetUrl: string;
  readonly retryIntervalSeconds: number;
  readonly retryTimeoutSeconds: number;
  readonly maxAttempts: number;

  /** The run that this one replays. */
  readonly replayOf?: string;
  /** The bulk replay that made this one. */
  readonly bulkReplay?: string;
  /** The number of replays of this run. */
  readonly replays: number;
  /** The ids of the replays, in the order in which they were made. */
  readonly replayedBy?: readonly string[];
  /** The replay that succeeded. */
  readonly resolvedBy?: string;

  /** The number of attempts begun. */
  readonly attempts: number;
  /** The number of times that a worker of the last attempt was lost. */
  readonly interruptions: number;
  /** The number of sweeps since the last attempt that have sent a message or postponed one. */
  readonly sweeps: number;
  /** The status code of the last response. */
  readonly responseCode?: number;
  /** The error of the last attempt. */
  readonly error?: string;
  /** The earliest expiry, set for a run that waits through a long pause. */
  readonly keptUntil?: number;
  /** A number that grows with every change of state. */
  readonly revision: number;
}

interface Lease {
  readonly token: string;
  readonly until: number;
}

/** The bytes that every attempt sends, always identical. */
export interface Payload {
  readonly body: Uint8Array;
  /** The custom headers as they are sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The `timestamp` in the body. */
  readonly createdAt: number;
}

export type RunKey = TenantKey;
/** The configuration of a run. */
export type ConfigurationKey = Pick<RunBase, 'tenant' | 'configurationId'>;

export const isFinal = (status: RunStatus): status is EndedRun['status'] =>
  status === 'COMPLETED' || status === 'FAILED';
export const hasEnded = (run: Run): run is EndedRun => isFinal(run.status);
export const isLeased = (run: Run): run is LeasedRun => 'lease' in run;
export const isParked = (run: Run): run is ParkedRun => 'isParked' in run;

/** The snapshot of a configuration that a run stores. */
export const snapshotOf = (configuration: Configuration) => ({
  configurationId: configuration.id,
  configurationName: configuration.name,
  targetUrl: configuration.targetUrl,
  retryIntervalSeconds: configuration.retryIntervalSeconds,
  retryTimeoutSeconds: configuration.retryTimeoutSeconds,
  maxAttempts: configuration.maxAttempts,
});

/** The run as the delivery log shows it. */
export const presentRun = (run: Run) => ({
  id: run.id,
  eventId: run.eventId,
  ruleId: run.ruleId,
  record: run.record,
  apiConfigurationId: run.configurationId,
  apiConfigurationName: run.configurationName,
  module: run.module,
  moduleName: MODULES[run.module].name,
  trigger: run.trigger,
  status: run.status,
  attempts: run.attempts,
  maxAttempts: run.maxAttempts,
  responseCode: run.responseCode ?? null,
  error: run.error ?? null,
  triggeredAt: isoTime(run.createdAt),
  completedAt: 'completedAt' in run ? isoTime(run.completedAt) : null,
  durationMs: 'completedAt' in run ? run.completedAt - run.createdAt : null,
  nextAttemptAt: 'nextAttemptAt' in run ? isoTime(run.nextAttemptAt) : null,
  waitsForEndpoint: isParked(run) && run.isPaused !== true,
  paused: isParked(run) && run.isPaused === true,
  idempotencyKey: run.idempotencyKey,
  replayOf: run.replayOf ?? null,
  bulkReplay: run.bulkReplay ?? null,
  replays: run.replays,
  resolved: run.resolvedBy !== undefined,
  resolvedBy: run.resolvedBy ?? null,
});
