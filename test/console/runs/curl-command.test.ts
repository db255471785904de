import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curlCommand } from '../../../functions/console/runs/curl-command.ts';

/** Runs the commands in a shell, one after the other, and returns the arguments that curl would get of all. */
const argumentsOf = (...commands: string[]): string[] => {
  const printing = commands.map((command) => command.replace(/^curl/, "printf '%s\\0'"));
  return execFileSync('sh', ['-c', printing.join('\n')], { env: { TOKEN: 'my-secret' } })
    .toString()
    .split('\0')
    .slice(0, -1);
};

describe('the command of a run', () => {
  it('sends the same, with the secret left to the person', () => {
    const headers = [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Authorization', value: 'Bearer ***' },
    ];
    const command = curlCommand({ targetUrl: 'https://example.com/a', headers, payload: '{"a": 1}' });
    expect(command).not.toContain('***');
    expect(argumentsOf(command)).toEqual([
      '-X',
      'POST',
      'https://example.com/a',
      '-H',
      'Content-Type: application/json',
      '-H',
      'Authorization: Bearer my-secret',
      '--data-binary',
      '{"a": 1}',
    ]);
  });

  it('runs nothing of what outsiders have put into it', () => {
    const text = fc.string({ unit: fc.constantFrom("'", '"', '$(id)', '`id`', '\\', '\n', 'a', ' ', ';', '$TOKEN') });
    const texts = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 20, size: 'max' });
    const targetUrl = 'https://example.com';
    fc.assert(
      fc.property(texts, (all) => {
        const commands = all.map(([payload, value]) =>
          curlCommand({ targetUrl, headers: [{ name: 'X', value }], payload }),
        );
        expect(argumentsOf(...commands)).toEqual(
          all.flatMap(([payload, value]) => ['-X', 'POST', targetUrl, '-H', `X: ${value}`, '--data-binary', payload]),
        );
      }),
      { numRuns: 5 },
    );
  });

  it('reads a large payload from a file', () => {
    expect(curlCommand({ targetUrl: 'https://example.com', headers: [], payload: 'x'.repeat(20_000) })).toContain(
      '--data-binary @payload.json',
    );
  });
});
