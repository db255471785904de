/** The alarms of the templates, evaluated once in every minute of the cloud's clock. Their states live in memory. */

import type { Clock } from '../clock.ts';
import { type AlarmRule, type AlarmState, type DataPoint, rangeOf, verdictOn } from './alarm-rule.ts';
import { type Metric, type Statistic, statisticOf } from './metric.ts';
import type { Series } from './metric-math.ts';
import { type MetricStore, MINUTE_MILLIS } from './metric-store.ts';

export interface MetricStat {
  readonly metric: Metric;
  readonly statistic: Statistic;
}

export interface AlarmDefinition {
  readonly name: string;
  readonly arn: string;
  /** The path of its construct. */
  readonly path: string;
  /** The name that people read: that of the template, or the path. */
  readonly title: string;
  readonly description: string | undefined;
  readonly rule: AlarmRule;
  readonly periodSeconds: number;
  /** The metrics of an alarm, by their ids. */
  readonly metrics: ReadonlyMap<string, MetricStat>;
  /** The series that is compared with the threshold. */
  readonly value: Series;
  /** Members of the resource that only `DescribeAlarms` shows. */
  readonly shown: Readonly<Record<string, unknown>>;
}

export interface Alarm {
  readonly definition: AlarmDefinition;
  readonly state: AlarmState;
  readonly reason: string;
  /** The time of the last change of state or reason. */
  readonly updatedAt: Date;
  readonly transitionedAt: Date;
}

/** An alarm as tests see it. */
export interface AlarmView {
  readonly name: string;
  /** The path of its construct. */
  readonly path: string;
  readonly description: string | undefined;
  readonly state: AlarmState;
  readonly reason: string;
}

export interface AlarmsOptions {
  readonly store: MetricStore;
  /**
   * Measures state that causes no events: the lengths of queues.
   * @param at the time for which it is measured.
   */
  readonly measure: (at: Date) => void;
  readonly clock: Clock;
  readonly report: (line: string) => void;
}

export class Alarms {
  private readonly options: AlarmsOptions;
  private readonly alarms = new Map<string, Alarm>();
  private readonly firstMinute: number;
  private cancelTimer = () => {};

  constructor(options: AlarmsOptions) {
    this.options = options;
    this.firstMinute = this.currentMinute();
  }

  add(definition: AlarmDefinition): void {
    if (this.alarms.has(definition.name)) throw new Error(`Two alarms are named ${definition.name}.`);
    const now = this.options.clock.now();
    const reason = 'Unchecked: Initial alarm creation';
    this.alarms.set(definition.name, {
      definition,
      state: 'INSUFFICIENT_DATA',
      reason,
      updatedAt: now,
      transitionedAt: now,
    });
  }

  /** Sorted by name. */
  all(): Alarm[] {
    return [...this.alarms.values()].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  }

  views(): AlarmView[] {
    return this.all().map(({ definition: { name, path, description }, state, reason }) => ({
      name,
      path,
      description,
      state,
      reason,
    }));
  }

  start(): void {
    this.cancelTimer = this.options.clock.at((this.currentMinute() + 1) * MINUTE_MILLIS, () => {
      this.evaluate(new Date(this.currentMinute() * MINUTE_MILLIS - 1));
      this.start();
    });
  }

  stop(): void {
    this.cancelTimer();
  }

  /**
   * Evaluates the windows that end with the minute of this time. The current minute counts with the data it has so far,
   * so the evaluation of every minute waits for its end.
   * @default now
   */
  evaluate(at: Date = this.options.clock.now()): void {
    this.options.measure(at);
    this.options.store.sweep();
    const end = Math.floor(at.getTime() / MINUTE_MILLIS + 1) * MINUTE_MILLIS;
    for (const alarm of this.alarms.values()) {
      const points = this.pointsOf(alarm.definition, end);
      if (this.isTooEarly(alarm.definition, points, end)) continue;
      const { state, reason } = verdictOn(points, alarm.definition.rule);
      this.write(alarm, state === 'unchanged' ? alarm.state : state, reason);
    }
  }

  /** Sets the state until the next evaluation. Returns false if there is no such alarm. */
  set(name: string, state: AlarmState, reason: string): boolean {
    const alarm = this.alarms.get(name);
    if (alarm) this.write(alarm, state, reason);
    return alarm !== undefined;
  }

  /** Metrics are lost when the process ends: missing data from before its start proves nothing. */
  private isTooEarly({ rule, periodSeconds }: AlarmDefinition, points: readonly DataPoint[], end: number): boolean {
    const from = end - rule.evaluationPeriods * periodSeconds * 1000;
    const isSilent = points.every(({ value }) => value === undefined);
    return isSilent && rule.treatMissingData === 'breaching' && from < this.firstMinute * MINUTE_MILLIS;
  }

  /** Windows slide by the minute; they do not start at multiples of the period. */
  private pointsOf({ rule, periodSeconds, metrics, value }: AlarmDefinition, end: number): DataPoint[] {
    const period = periodSeconds * 1000;
    const range = rangeOf(rule);
    return Array.from({ length: range }, (_, i) => {
      const from = end - (range - i) * period;
      const values = [...metrics].map(([id, { metric, statistic }]) => {
        const samples = this.options.store.samples(metric, from, from + period);
        return [id, samples && statisticOf(samples, statistic)] as const;
      });
      return { at: new Date(from), value: value(new Map(values)) };
    });
  }

  private write(alarm: Alarm, state: AlarmState, reason: string) {
    const { definition, state: before } = alarm;
    const now = this.options.clock.now();
    const transitionedAt = state === before ? alarm.transitionedAt : now;
    this.alarms.set(definition.name, { definition, state, reason, updatedAt: now, transitionedAt });
    if (state === before) return;
    // Without this, the first evaluation would print an OK for every alarm.
    if (state === 'ALARM') this.options.report(`ALARM ${definition.title}: ${definition.description ?? reason}`);
    else if (before === 'ALARM') this.options.report(`${state} ${definition.title}`);
  }

  private currentMinute(): number {
    return Math.floor(this.options.clock.millis() / MINUTE_MILLIS);
  }
}
