/** `npm run test:dynamodb-local`: runs every test that touches DynamoDB once more, on AWS's own DynamoDB Local. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { javaMajorVersion } from '../../cdk/local/dynamodb/engine-choice.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Whoever starts an endpoint of the local cloud, in whatever way, imports this in the end. */
const ENDPOINT = resolve(ROOT, 'cdk/local/endpoint.ts');
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;
const JAVA_NEEDED = 17;

const reaching = new Map<string, boolean>();

function reachesEndpoint(file: string): boolean {
  const known = reaching.get(file);
  if (known !== undefined) return known;
  // Also ends circles: a file that is being looked at adds nothing new.
  reaching.set(file, false);
  const result = file === ENDPOINT || importsOf(file).some(reachesEndpoint);
  reaching.set(file, result);
  return result;
}

function importsOf(file: string): string[] {
  const imported = [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(([, name = '']) => {
    if (name.startsWith('#shared/')) return [resolve(ROOT, 'shared', `${name.slice('#shared/'.length)}.ts`)];
    return name.startsWith('.') && name.endsWith('.ts') ? [resolve(dirname(file), name)] : [];
  });
  // Tests about code hold imports in texts, of files that do not exist.
  return imported.filter((path) => existsSync(path));
}

function main(): number {
  if (javaMajorVersion() < JAVA_NEEDED) {
    process.stdout.write(
      `DynamoDB Local needs Java ${JAVA_NEEDED} or newer, which is not on this machine's path: nothing was tested.\n`,
    );
    return 0;
  }
  const tests = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) => reachesEndpoint(resolve(ROOT, file)));
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'test/tooling/vitest.config.ts',
      '--root',
      '.',
      ...tests.sort(),
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, LOCAL_DYNAMODB: 'dynamodb-local' } },
  );
  return status ?? 1;
}

process.exitCode = main();
