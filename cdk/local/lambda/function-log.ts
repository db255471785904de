/** Logs what functions print: JSON lines in their log groups, in a file of each function, and the last of them in memory. */
import { join } from 'node:path';
import { embeddedMetrics } from '../cloudwatch/embedded-metrics.ts';
import type { Metric } from '../cloudwatch/metric.ts';
import type { MetricStore } from '../cloudwatch/metric-store.ts';
import { LogFile } from '../log-file.ts';
import type { LogGroups } from '../logs/log-groups.ts';

export interface LogLine {
  readonly timestamp: string;
  readonly level: string;
  readonly requestId?: string | undefined;
  readonly message?: unknown;
  readonly [field: string]: unknown;
}

interface Printed {
  readonly level: string;
  readonly text: string;
  readonly requestId?: string | undefined;
}

/** A metric that gets a value for each line of a log group that matches. */
export interface LineFilter {
  readonly matches: (line: Readonly<Record<string, unknown>>) => boolean;
  readonly metric: Metric;
  readonly value: number;
}

interface LoggingFunction {
  readonly name: string;
  /** @default `/aws/lambda/NAME` */
  readonly logGroup?: string | undefined;
}

const LINES_IN_MEMORY = 500;

export interface FunctionLogsOptions {
  /** The folder of the files; null keeps the last lines in memory only. */
  readonly folder: string | null;
  /** Receives each error as a line. */
  readonly onError?: ((line: string) => void) | undefined;
  /** Gets what is printed in CloudWatch's embedded metric format. */
  readonly metrics: MetricStore;
  readonly groups: LogGroups;
}

export class FunctionLogs {
  private readonly options: FunctionLogsOptions;
  private readonly recent = new Map<string, LogLine[]>();
  private readonly files = new Map<string, LogFile>();
  private readonly filters = new Map<string, LineFilter[]>();

  constructor(options: FunctionLogsOptions) {
    this.options = options;
  }

  addFilter(logGroup: string, filter: LineFilter): void {
    this.filters.set(logGroup, [...(this.filters.get(logGroup) ?? []), filter]);
  }

  /** A line that is a JSON object already stays one, as in Lambda's JSON logs. */
  print(
    { name: functionName, logGroup = logGroupOf(functionName) }: LoggingFunction,
    { level, text, requestId }: Printed,
  ): void {
    for (const message of text.split('\n')) {
      if (message.trim() === '') continue;
      const object = objectIn(message);
      const line = { timestamp: new Date().toISOString(), level, requestId, ...(object ?? { message }) };
      this.write(functionName, line);
      this.options.groups.write(logGroup, object ? message : JSON.stringify(line));
      for (const { metric, samples, unit, at } of embeddedMetrics(object ?? {})) {
        this.options.metrics.add(metric, samples, { unit, at });
      }
      if (object) this.count(logGroup, object);
    }
  }

  /** Logs a line that no function printed. */
  receive(logGroup: string, line: string): void {
    this.options.groups.write(logGroup, line);
    this.count(logGroup, objectIn(line) ?? {});
  }

  /** Counts a line for the metric filters of its log group. */
  count(logGroup: string, line: Readonly<Record<string, unknown>>): void {
    for (const { matches, metric, value } of this.filters.get(logGroup) ?? []) {
      if (matches(line)) this.options.metrics.put(metric, value);
    }
  }

  linesOf(functionName: string): readonly LogLine[] {
    return this.recent.get(functionName) ?? [];
  }

  private write(functionName: string, line: LogLine): void {
    const lines = this.recent.get(functionName) ?? [];
    lines.push(line);
    if (lines.length > LINES_IN_MEMORY) lines.shift();
    this.recent.set(functionName, lines);
    const { folder, onError } = this.options;
    const text = JSON.stringify(line);
    if (folder !== null) this.fileOf(functionName, folder).append(`${text}\n`);
    if (line.level === 'ERROR' || line.level === 'FATAL') onError?.(`${functionName} ${text}`);
  }

  private fileOf(functionName: string, folder: string): LogFile {
    const file = this.files.get(functionName) ?? new LogFile(join(folder, `${functionName}.log`));
    this.files.set(functionName, file);
    return file;
  }
}

/** The log group that Lambda makes for a function whose template names none. */
export const logGroupOf = (functionName: string) => `/aws/lambda/${functionName}`;

export function objectIn(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
