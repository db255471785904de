/** What functions print: one file of JSON lines per function, and the last lines in memory. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

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

const KEPT_IN_MEMORY = 500;

export interface FunctionLogsOptions {
  /** Of the files; null keeps the last lines in memory only. */
  readonly folder: string | null;
  /** Shows errors on stderr too. */
  readonly echoErrors: boolean;
}

export class FunctionLogs {
  private readonly options: FunctionLogsOptions;
  private readonly recent = new Map<string, LogLine[]>();

  constructor(options: FunctionLogsOptions) {
    this.options = options;
    if (options.folder !== null) mkdirSync(options.folder, { recursive: true });
  }

  /** A line that is a JSON object already stays one, as in Lambda's JSON logs. */
  print(functionName: string, { level, text, requestId }: Printed): void {
    for (const message of text.split('\n')) {
      if (message.trim() === '') continue;
      this.write(functionName, {
        timestamp: new Date().toISOString(),
        level,
        requestId,
        ...(objectIn(message) ?? { message }),
      });
    }
  }

  linesOf(functionName: string): readonly LogLine[] {
    return this.recent.get(functionName) ?? [];
  }

  private write(functionName: string, line: LogLine): void {
    const lines = this.recent.get(functionName) ?? [];
    lines.push(line);
    if (lines.length > KEPT_IN_MEMORY) lines.shift();
    this.recent.set(functionName, lines);
    const { folder, echoErrors } = this.options;
    const text = `${JSON.stringify(line)}\n`;
    if (folder !== null) appendFileSync(join(folder, `${functionName}.log`), text);
    if (echoErrors && (line.level === 'ERROR' || line.level === 'FATAL'))
      process.stderr.write(`${functionName} ${text}`);
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
