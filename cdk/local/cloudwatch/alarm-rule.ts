/** Decides whether data points are an alarm, and what the absence of data means: CloudWatch's rules, without any clock. */

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

export const COMPARISONS = {
  GreaterThanThreshold: { holds: (value: number, threshold: number) => value > threshold, text: 'greater than' },
  GreaterThanOrEqualToThreshold: {
    holds: (value: number, threshold: number) => value >= threshold,
    text: 'greater than or equal to',
  },
  LessThanThreshold: { holds: (value: number, threshold: number) => value < threshold, text: 'less than' },
  LessThanOrEqualToThreshold: {
    holds: (value: number, threshold: number) => value <= threshold,
    text: 'less than or equal to',
  },
} as const;

export interface AlarmRule {
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly threshold: number;
  readonly comparison: keyof typeof COMPARISONS;
  readonly treatMissingData: 'missing' | 'ignore' | 'breaching' | 'notBreaching';
}

/** One period: its statistic, or undefined where there is no data. */
export interface DataPoint {
  readonly at: Date;
  readonly value: number | undefined;
}

export interface Verdict {
  /** `unchanged` keeps whatever state the alarm has. */
  readonly state: AlarmState | 'unchanged';
  readonly reason: string;
}

/**
 * The number of periods in which an alarm looks for real data before it applies the rule for missing data. CloudWatch
 * also looks beyond the evaluation periods but does not document how far; its examples show two more.
 */
export const rangeOf = ({ evaluationPeriods }: Pick<AlarmRule, 'evaluationPeriods'>) => evaluationPeriods + 2;

type Real = DataPoint & { readonly value: number };

/** @param points the whole range, oldest first. */
export function verdictOn(points: readonly DataPoint[], rule: AlarmRule): Verdict {
  const { evaluationPeriods, datapointsToAlarm, treatMissingData } = rule;
  const real = points.filter((point): point is Real => point.value !== undefined);
  if (real.length === 0 && treatMissingData === 'missing') {
    return { state: 'INSUFFICIENT_DATA', reason: `Insufficient Data: no datapoints in ${points.length} periods.` };
  }
  const considered = real.slice(-evaluationPeriods);
  const filled = evaluationPeriods - considered.length;
  const breaching = considered.filter(({ value }) => breaches(value, rule));
  const counted = breaching.length + (treatMissingData === 'breaching' ? filled : 0);
  const reason = reasonOf({ considered, breaching, filled }, rule);
  if (counted >= datapointsToAlarm) return { state: 'ALARM', reason };
  const allBreach = breaching.length === considered.length;
  if (filled > 0 && allBreach && treatMissingData === 'ignore') return { state: 'unchanged', reason };
  const early = treatMissingData === 'missing' && filled > 0 && allBreach && isOldEnough(points, datapointsToAlarm);
  return { state: early ? 'ALARM' : 'OK', reason };
}

function breaches(value: number, { comparison, threshold }: AlarmRule): boolean {
  return COMPARISONS[comparison].holds(value, threshold);
}

/**
 * If there are few data points and all are breaching, the alarm waits until enough time has passed for the required
 * number to arrive. Otherwise one breaching point of a metric that reports rarely would raise the alarm at once, or
 * never.
 */
function isOldEnough(points: readonly DataPoint[], datapointsToAlarm: number): boolean {
  const oldest = points.findIndex(({ value }) => value !== undefined);
  return points.length - oldest >= datapointsToAlarm;
}

interface Considered {
  readonly considered: readonly Real[];
  readonly breaching: readonly Real[];
  readonly filled: number;
}

function reasonOf({ considered, breaching, filled }: Considered, rule: AlarmRule): string {
  const { comparison, threshold, datapointsToAlarm, evaluationPeriods, treatMissingData } = rule;
  const datapoints = (breaching.length > 0 ? breaching : considered).map(
    ({ at, value }) => `${value} (${at.toISOString()})`,
  );
  const condition = `${COMPARISONS[comparison].text} the threshold (${threshold})`;
  const missing = filled === 0 ? '' : ` ${filled} missing datapoints were treated as ${treatMissingData}.`;
  const finding =
    breaching.length > 0
      ? `${breaching.length} of the last ${evaluationPeriods} datapoints [${datapoints.join(', ')}] were ${condition}`
      : `no datapoint${datapoints.length > 0 ? ` of [${datapoints.join(', ')}]` : ''} was ${condition}`;
  return `Threshold: ${finding}; ${datapointsToAlarm} such datapoints make an alarm.${missing}`;
}
