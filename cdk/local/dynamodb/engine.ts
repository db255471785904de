/** The DynamoDB engine as a child process that never outlives this one, and the connection to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type DynamoDbEngine, type EngineCommand, engineCommand, type RunningEngine } from './engine-choice.ts';

export interface EngineResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The engines look for a signature but check none: the endpoint has checked it before. */
export const authorizationOf = (accessKeyId: string) =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;

export const SIGNED_AT = '20260101T000000Z';

const START_SECONDS_MAX = 20;
const STARTS_MAX = 5;

/**
 * Ends the engine when our end of the pipe closes, which also happens when this process is killed and can clean
 * nothing up: an engine left behind would keep the data file.
 */
const WATCHDOG = `exec 3<&0
"$@" </dev/null 3<&- & engine=$!
( read -r _ <&3; kill $engine; sleep 2; kill -9 $engine ) >/dev/null 2>&1 & watcher=$!
wait $engine; code=$?
kill $watcher 2>/dev/null
exit $code`;

export class Engine {
  readonly url: string;
  private readonly process: EngineProcess | null;
  private readonly authorization: string;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 128 });

  private constructor({ url, accessKeyId = 'local' }: RunningEngine, process: EngineProcess | null) {
    this.url = url;
    this.authorization = authorizationOf(accessKeyId);
    this.process = process;
  }

  /** @param dataDir Where tables are kept; null keeps them in memory. */
  static async start(choice: DynamoDbEngine, dataDir: string | null): Promise<Engine> {
    if (typeof choice === 'object') return new Engine(choice, null);
    if (dataDir !== null) mkdirSync(dataDir, { recursive: true });
    const command = engineCommand(choice);
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      const process = new EngineProcess(command, command.argumentsFor(port, dataDir));
      const engine = new Engine({ url: `http://127.0.0.1:${port}` }, process);
      if (await engine.becomesReady()) return engine;
      await engine.close();
      if (attempt >= STARTS_MAX || !process.lostPort)
        throw new Error(`${command.name} did not start: ${process.failure}`);
    }
  }

  /** Passes one call on. Rejects with a refusal that says why when the engine is gone. */
  async send(target: string, body: string | Buffer): Promise<EngineResponse> {
    try {
      return await this.exchange(target, body);
    } catch (error) {
      const cause = this.process?.failure ?? (error instanceof Error ? error.message : String(error));
      throw new CallRefusal(500, 'InternalError', `The DynamoDB engine at ${this.url} does not answer: ${cause}`);
    }
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.process?.end();
  }

  private exchange(target: string, body: string | Buffer): Promise<EngineResponse> {
    return new Promise((resolve, reject) => {
      const call = request(this.url, {
        method: 'POST',
        agent: this.agent,
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'content-length': Buffer.byteLength(body),
          'x-amz-target': target,
          'x-amz-date': SIGNED_AT,
          authorization: this.authorization,
        },
      });
      call.once('error', reject);
      call.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const headers: Record<string, string> = {};
          for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
          resolve({ status: response.statusCode ?? 500, headers, body: Buffer.concat(chunks) });
        });
      });
      call.end(body);
    });
  }

  private async becomesReady(): Promise<boolean> {
    const until = performance.now() + START_SECONDS_MAX * 1000;
    while (performance.now() < until && this.process?.failure === null) {
      // The engine of another process would answer on a port that ours has lost, so ours must have said that it listens.
      if (this.process.hasOutput) {
        try {
          await this.exchange('DynamoDB_20120810.ListTables', '{}');
          return this.process.failure === null;
        } catch {
          // Not listening yet.
        }
      }
      await pause(3);
    }
    return false;
  }
}

class EngineProcess {
  private readonly name: string;
  private readonly child: ChildProcess;
  private output = '';
  private exit: string | null = null;
  private ending = false;

  constructor({ name, command, folder }: EngineCommand, parameters: readonly string[]) {
    this.name = name;
    this.child = spawn('/bin/sh', ['-c', WATCHDOG, name, command, ...parameters], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C in the terminal must reach only this process: calls in progress still need their engine.
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.output = (this.output + data.toString()).slice(-2000);
      });
    }
    this.child.stdin?.on('error', () => {});
    this.child.once('error', (error) => (this.exit = error.message));
    this.child.once('exit', (code, signal) => (this.exit ??= signal ? `signal ${signal}` : `exit code ${code}`));
  }

  get hasOutput(): boolean {
    return this.output !== '';
  }

  get lostPort(): boolean {
    return /in use/i.test(this.output);
  }

  /** The reason why the process ended; null while it runs. */
  get failure(): string | null {
    if (this.exit === null) return null;
    return this.ending ? `${this.name} was stopped` : `${this.name} exited unexpectedly (${this.exit}). ${this.output}`;
  }

  async end(): Promise<void> {
    this.ending = true;
    if (this.exit !== null) return;
    const exited = once(this.child, 'exit');
    this.child.stdin?.end();
    await exited;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
