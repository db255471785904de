import { beforeAll, vi } from 'vitest';
import { publishFaults } from '../../../shared/telemetry/faults.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- each test says by its assertions what it expects in there
type Line = any;

/** Catches what this process prints until the file ends; each call returns the JSON lines of the logger since the last call. */
export function loggedLines(): () => Line[] {
  let printed = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  }
  // What another file of this process has counted outside any invocation.
  beforeAll(async () => {
    await publishFaults();
    printed = '';
  });
  return () => {
    const lines = printed.split('\n').filter((line) => line.startsWith('{'));
    printed = '';
    return lines.map((line) => JSON.parse(line));
  };
}
