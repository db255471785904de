import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlSample } from '../../../shared/client/curl-sample.ts';

/** The arguments that a shell hands to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for one; do printf '%s\\0' "$one"; done; }\n${command}`;
  const { stdout } = spawnSync('sh', ['-c', script], { env: { API_URL: 'http://api', TOKEN: 'abc' } });
  return stdout.toString().split('\0').slice(0, -1);
}

describe('a command of curl', () => {
  it.each([
    ['short', { name: "Jo's `x` $HOME \\" }],
    ['long', { name: 'x'.repeat(200), list: [{ a: "'" }, 'b\nc'] }],
  ])('hands a %s body to curl as it is', (_, body) => {
    const sent = argumentsOf(curlSample({ method: 'POST', path: '/manage/v1/rules', credential: 'bearer', body }));
    expect(sent.slice(0, -1)).toEqual([
      '-X',
      'POST',
      'http://api/manage/v1/rules',
      '-H',
      'Authorization: Bearer abc',
      '-H',
      'Content-Type: application/json',
      '-d',
    ]);
    expect(JSON.parse(sent.at(-1) ?? '')).toEqual(body);
  });

  it('without a body says the method alone', () => {
    expect(curlSample({ method: 'DELETE', path: '/manage/v1/rules/r', credential: 'bearer' }).split('\n')).toEqual([
      'curl -X DELETE "$API_URL/manage/v1/rules/r" \\',
      '  -H "Authorization: Bearer $TOKEN"',
    ]);
  });
});
