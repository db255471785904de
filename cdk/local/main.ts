/** npm start: synthesizes the app and runs it on this machine, until Ctrl-C. */
import { resolve } from 'node:path';
import { variable } from '#shared/env';
import { parametersIn } from '../local-parameters.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { runDemoCommands } from './demo-data.ts';
import { localApp } from './local-app.ts';
import { silently } from './steps.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const NOTHING_KEPT = ':memory:';

// Lambda's clock shows UTC.
process.env['TZ'] = 'UTC';

const settings = {
  port: portIn('PORT', 3000),
  awsPort: portIn('LOCAL_AWS_PORT', 4566),
  folder: variable('LOCAL_DATA_DIR') ?? '.local',
  demo: variable('LOCAL_DEMO') ?? '1',
};

const cloud = await start().catch(fail);
let stopping = false;
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());
say(`Ready http://localhost:${new URL(cloud.apiUrl).port}`);

async function start(): Promise<Cloud> {
  const dataDir = settings.folder === NOTHING_KEPT ? null : resolve(ROOT, settings.folder);
  const { assemblyDir, parameters } = await localApp(ROOT, silently);
  const started = await startCloud({
    assemblyDir,
    parameters: { ...parameters, ...parametersIn(process.env) },
    port: settings.port,
    awsPort: settings.awsPort,
    dataDir,
    echoErrors: variable('LOCAL_LOG') === '1',
    report: (line) => process.stderr.write(`${line}\n`),
  });
  try {
    await runDemoCommands(ROOT, {
      ...process.env,
      PORT: new URL(started.apiUrl).port,
      LOCAL_AWS_PORT: new URL(started.awsUrl).port,
      LOCAL_DEMO: settings.demo,
    });
  } catch (error) {
    await started.close();
    throw error;
  }
  say(`HTTP API      ${started.apiUrl}`);
  say(`AWS endpoint  ${started.awsUrl}  (access key "local", secret "local", region ${started.region})`);
  say(`Data          ${dataDir ?? 'kept in memory, gone when this ends'}`);
  return started;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ends cleanly; a second signal ends at once. */
async function stop(): Promise<void> {
  if (stopping) process.exit(1);
  stopping = true;
  await cloud.close().catch(fail);
  process.exit(0);
}

function portIn(name: string, otherwise: number): number {
  const port = Number(variable(name) ?? otherwise);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  return fail(new Error(`${name} must be a port number.`));
}

function fail(error: unknown): never {
  process.stderr.write(`${plain(error)}\n`);
  process.exit(1);
}

/** One plain sentence for the terminal; the error's own text where nothing plainer is known. */
function plain(error: unknown): string {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') {
    const name = port === settings.awsPort ? 'LOCAL_AWS_PORT' : 'PORT';
    return `Port ${port} is in use. Stop what listens there, or choose another one with ${name}.`;
  }
  return error instanceof Error ? error.message : String(error);
}
