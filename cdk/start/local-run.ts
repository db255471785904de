/** A run of the app on this machine, until Ctrl-C. */
import { resolve } from 'node:path';
import { variable } from '#shared/env';
import type { Cloud } from '../local/cloud.ts';
import { parametersIn } from '../local-parameters.ts';
import { runDemoCommands } from './demo-data.ts';
import { localApp, watchedApp } from './local-app.ts';
import { reportedSteps } from './steps.ts';

const IN_MEMORY = ':memory:';
/** The limit of function names in one line. */
const NAMES_MAX = 5;

const settings = {
  port: portIn('PORT', 3000),
  awsPort: portIn('LOCAL_AWS_PORT', 4566),
  folder: variable('LOCAL_DATA_DIR') ?? '.local',
  demo: variable('LOCAL_DEMO') ?? '1',
};

interface RunOptions {
  /** Functions get new code whenever their sources change. */
  readonly watches: boolean;
}

const step = reportedSteps(printLine);
const stopping = new AbortController();

/** Starts, and ends the process when it cannot. */
export async function run(root: string, { watches }: RunOptions): Promise<void> {
  const cloud = await start(root, watches).catch(fail);
  const stop = () => void endRun(cloud);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  printLine(`Ready http://localhost:${new URL(cloud.apiUrl).port}`);
  if (settings.demo !== '0') await readReceipts(root, cloud);
}

async function start(root: string, watches: boolean): Promise<Cloud> {
  const dataDir = settings.folder === IN_MEMORY ? null : resolve(root, settings.folder);
  let running: Cloud | undefined;
  const making = watches
    ? watchedApp(root, step, {
        handlers(names) {
          running?.reload(names);
          printLine(`New code: ${names.length > NAMES_MAX ? `${names.length} functions` : names.join(', ')}`);
        },
        stacks: () => printLine('The stacks have changed: end npm run dev and start it again to deploy them.'),
      })
    : localApp(root, step);
  // Loaded while the other processor synthesizes and bundles.
  const [{ startCloud }, { assemblyDir, parameters }] = await Promise.all([import('../local/cloud.ts'), making]);
  const cloud = await step('Starting the local cloud', () =>
    startCloud({
      assemblyDir,
      parameters: { ...parameters, ...parametersIn(process.env) },
      port: settings.port,
      awsPort: settings.awsPort,
      dataDir,
      echoErrors: variable('LOCAL_LOG') === '1',
      report: (line) => process.stderr.write(`${line}\n`),
    }),
  );
  running = cloud;
  try {
    await step('Making the demo data', () => runDemoCommands(root, 'demo', environmentOf(cloud)));
  } catch (error) {
    await cloud.close();
    throw error;
  }
  printLine(`HTTP API      ${cloud.apiUrl}`);
  printLine(`AWS endpoint  ${cloud.awsUrl}  (access key "local", secret "local", region ${cloud.region})`);
  printLine(`Data          ${dataDir ?? 'kept in memory, gone when this ends'}`);
  return cloud;
}

/** Reads the demo receipts in the background, because it takes both processors for seconds. */
async function readReceipts(root: string, cloud: Cloud): Promise<void> {
  try {
    await step('Reading the demo receipts', () =>
      runDemoCommands(root, 'demo-receipts', environmentOf(cloud), stopping.signal),
    );
  } catch (error) {
    if (!stopping.signal.aborted) process.stderr.write(`${plainReason(error)}\n`);
  }
}

const environmentOf = ({ apiUrl, awsUrl }: Cloud) => ({
  ...process.env,
  PORT: new URL(apiUrl).port,
  LOCAL_AWS_PORT: new URL(awsUrl).port,
  LOCAL_DEMO: settings.demo,
});

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ends cleanly; a second signal ends at once. */
async function endRun(cloud: Cloud): Promise<void> {
  if (stopping.signal.aborted) process.exit(1);
  stopping.abort();
  await cloud.close().catch(fail);
  process.exit(0);
}

function portIn(name: string, otherwise: number): number {
  const port = Number(variable(name) ?? otherwise);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  return fail(new Error(`${name} must be a port number.`));
}

function fail(error: unknown): never {
  process.stderr.write(`${plainReason(error)}\n`);
  process.exit(1);
}

/** Returns one plain sentence for the terminal, or the error's own text if no plainer one is known. */
function plainReason(error: unknown): string {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') {
    const name = port === settings.awsPort ? 'LOCAL_AWS_PORT' : 'PORT';
    return `Port ${port} is in use. Stop what listens there, or choose another one with ${name}.`;
  }
  return error instanceof Error ? error.message : String(error);
}
