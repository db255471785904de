import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { helpText, readCommandLine } from '../../../shared/command/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
const file = join(folder, 'a.csv');
writeFileSync(file, 'id\n1\n');
afterAll(() => rmSync(folder, { recursive: true }));

const LINE = {
  script: 'send',
  about: 'Sends files.',
  options: {
    to: { value: 'NAME', about: 'who gets them', required: true },
    mode: { value: 'MODE', about: 'how', choices: ['slow', 'fast'], default: 'slow' },
    map: { value: 'FILE.json', about: 'a map', isFile: true },
    dry: { about: 'sends nothing' },
  },
  operands: { value: 'FILE', about: 'a file', required: true, isFile: true },
  example: '--to dana a.csv',
} as const;
const { operands: _operands, ...WITHOUT_FILES } = LINE;
const OPTIONS = '--to, --mode, --map, --dry or --help';
const USAGE = 'npm run send -- --to NAME [--mode slow|fast] [--map FILE.json] [--dry]';

describe('a command line', () => {
  it('is read into values with their defaults, switches and operands, in any order', () => {
    expect(readCommandLine(LINE, [file, '--to', 'dana', '--dry', file])).toEqual({
      kind: 'call',
      values: expect.objectContaining({ to: 'dana', mode: 'slow', map: undefined, dry: true }),
      operands: [file, file],
      others: [],
    });
    const call = readCommandLine(LINE, ['--to=-dana-', '--mode=fast', '--map', file, '--', file]);
    expect(call).toMatchObject({ kind: 'call', values: { to: '-dana-', mode: 'fast', map: file, dry: false } });
  });

  it.each([
    [['--too', 'dana'], `There is no option --too: choose ${OPTIONS}.`],
    [['--toString'], `There is no option --toString: choose ${OPTIONS}.`],
    [['-x'], `There is no option -x: choose ${OPTIONS}.`],
    [['--to'], '--to needs a value: --to NAME.'],
    [['--to', '--dry'], '--to needs a value; if it is --dry, write --to=--dry.'],
    [['--dry=1'], '--dry takes no value.'],
    [[], '--to NAME is missing.'],
    [['--to', 'dana', '--mode', 'idle', file], '--mode is "idle": choose slow or fast.'],
    [['--to', 'dana'], 'FILE is missing: name at least one.'],
  ])('%j is refused by a sentence that names what is right', (args, sentence) => {
    expect(readCommandLine(LINE, args)).toEqual({ kind: 'wrong', sentence: `${sentence} See --help.` });
  });

  it('refuses operands where the command takes none', () => {
    const sentence = `There is no use for "more": choose ${OPTIONS}. See --help.`;
    expect(readCommandLine(WITHOUT_FILES, ['--to', 'dana', 'more'])).toEqual({ kind: 'wrong', sentence });
  });

  it('names the files that do not exist, and those that are folders', () => {
    const wrong = (sentence: string) => ({ kind: 'wrong', sentence });
    const absent = join(folder, 'absent.csv');
    expect(readCommandLine(LINE, ['--to', 'dana', file, absent])).toEqual(wrong(`There is no file ${absent}.`));
    expect(readCommandLine(LINE, ['--to', 'dana', join(file, 'x')])).toMatchObject({ kind: 'wrong' });
    expect(readCommandLine(LINE, ['--to', 'dana', folder])).toEqual(wrong(`${folder} is a folder, not a file.`));
    const map = readCommandLine(LINE, ['--to', 'dana', '--map', absent, file]);
    expect(map).toEqual(wrong(`There is no file ${absent}.`));
  });

  it('asks for help without what is required, but not beside a wrong name', () => {
    expect(readCommandLine(LINE, ['--help'])).toEqual({ kind: 'help' });
    expect(readCommandLine(LINE, ['--mode', 'idle', '--help'])).toEqual({ kind: 'help' });
    expect(readCommandLine(LINE, ['--too', '--help'])).toMatchObject({ kind: 'wrong' });
  });

  it('leaves other arguments to another program where it says so, in their order', () => {
    const line = { ...WITHOUT_FILES, others: 'options of another program' };
    const args = ['--context', 'a=b', '--to', 'dana', '-v', '--mode=fast', '--context', 'c=d'];
    expect(readCommandLine(line, args)).toMatchObject({
      kind: 'call',
      values: { to: 'dana', mode: 'fast' },
      operands: [],
      others: ['--context', 'a=b', '-v', '--context', 'c=d'],
    });
  });

  it('describes itself', () => {
    expect(helpText(LINE)).toBe(
      `${USAGE} FILE…

Sends files.

  FILE…             a file
  --to NAME         who gets them (required)
  --mode slow|fast  how (default: slow)
  --map FILE.json   a map
  --dry             sends nothing
  --help            prints this

Example:
  npm run send -- --to dana a.csv
`,
    );
  });
});
