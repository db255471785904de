import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startupProblem } from '../../../cdk/start/startup-check.ts';

const NOBODY = 65_534;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'checkout-'));
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** As a user who may read the checkout and not write it; the superuser may write everything. */
function asReader<Result>(work: () => Result): Result {
  chmodSync(root, 0o555);
  chmodSync(join(root, 'node_modules', '.cache'), 0o555);
  const isSuperuser = process.getuid?.() === 0;
  if (isSuperuser) process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    if (isSuperuser) process.seteuid?.(0);
    chmodSync(root, 0o755);
    chmodSync(join(root, 'node_modules', '.cache'), 0o755);
  }
}

describe('a local run', () => {
  it.each(['.local', ':memory:'])('starts with the data folder %s', (dataDir) => {
    expect(startupProblem(root, dataDir)).toBeUndefined();
    expect(readdirSync(join(root, 'node_modules', '.cache'))).toEqual([]);
  });

  it('does not start where the data folder is a file', () => {
    writeFileSync(join(root, 'data'), '');
    expect(startupProblem(root, 'data')).toBe(
      `LOCAL_DATA_DIR is ${join(root, 'data')}, which is a file. Set it to a folder.`,
    );
  });

  it('does not start in a checkout that cannot be written', () => {
    expect(asReader(() => startupProblem(root, ':memory:'))).toMatch(
      /\.cache, which cannot be written \(EACCES\): use a/,
    );
  });

  it('does not start with a data folder that cannot be made', () => {
    const inFile = join(root, 'file', 'data');
    writeFileSync(join(root, 'file'), '');
    expect(startupProblem(root, inFile)).toBe(
      `The data folder ${inFile} cannot be written (ENOTDIR). Set LOCAL_DATA_DIR to another one.`,
    );
    expect(existsSync(inFile)).toBe(false);
  });
});
