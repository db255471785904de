import { describe, expect, it } from 'vitest';
import { commandsWithoutPrompt, filledIn, isShown, stepsOf } from './readme-steps.ts';

const README = `
Text with $ a sign.

\`\`\`
$ one "two
  three" \\
    four      # with a 'comment
{"a":1,
 "b":"…"}      # somebody prints it
$ five
\`\`\`

1. A list

   \`\`\`
   $ six
   seven
   \`\`\`

\`\`\`json
{"no": "command"}
\`\`\`

\`\`\`
npm run eight
\`\`\`
`;

describe('the steps of a README', () => {
  it('are its commands, over several lines where these go on, each with the output below it', () => {
    expect(stepsOf(README)).toEqual([
      { command: `one "two\n  three" \\\n    four      # with a 'comment`, output: '{"a":1,\n "b":"…"}' },
      { command: 'five', output: '' },
      { command: 'six', output: 'seven' },
    ]);
    expect(commandsWithoutPrompt(README)).toEqual(['npm run eight']);
  });

  it.each([
    ['{"a":1,\n "b":"…"}', '{"a":1,"b":"xyz"}', true],
    ['{"a":1,\n "b":"…"}', '{"a":2,"b":"xyz"}', false],
    ['a.b', 'axb', false],
    ['', '', true],
    ['', 'something', false],
    ['first\n…', 'first\nsecond\nthird\n', true],
    ['first', 'first\nsecond\n', false],
    ['last', 'first\nlast\n', false],
  ])('whose output is %j show %j: %s', (output, printed, isTrue) => {
    expect(isShown(output, printed)).toBe(isTrue);
  });

  it('get what was printed last in place of what is cut short', () => {
    const printed = '{"id":"run_a1-"}\n{"id":"run_b2"} key mk_c.3 ';
    expect(filledIn("get run_… with 'mk_…'", printed)).toBe("get run_b2 with 'mk_c.3'");
    expect(filledIn('get k…', '{"id":"ksd","createdBy":{"kind":"person"}}')).toBe('get ksd');
    expect(() => filledIn('get cfg_…', printed)).toThrow('Nothing was printed that begins with cfg_');
  });
});
