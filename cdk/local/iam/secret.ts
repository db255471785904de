import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret of this data folder, from which keys are derived that must be the same after a restart. */
export function secretIn(dataDir: string | null): string {
  const secret = randomBytes(32).toString('base64');
  if (dataDir === null) return secret;
  const file = join(dataDir, 'secret');
  if (existsSync(file)) return readFileSync(file, 'utf8');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}
