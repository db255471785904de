/** The commands in the code blocks of a README, each with the output that the README shows. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

const PROMPT = '$ ';

/** Of every block, the lines after `$ `, with those that they go on in, up to the next one. */
export function stepsOf(markdown: string): Step[] {
  return blocksOf(markdown).flatMap(stepsIn);
}

/** Lines of blocks that begin as commands do, without the `$ ` that would have them run. */
export function commandsWithoutPrompt(markdown: string): string[] {
  return blocksOf(markdown)
    .flat()
    .filter((line) => /^(npm|npx|node|aws|curl|git|openssl) /.test(line));
}

function blocksOf(markdown: string): string[][] {
  return [...markdown.matchAll(/^( *)```\w*\n(.*?)^\1```$/gms)].map(([, indent = '', text = '']) =>
    text.split('\n').map((line) => line.slice(indent.length)),
  );
}

function stepsIn(lines: readonly string[]): Step[] {
  const steps: Step[] = [];
  let command: string | undefined;
  let output: string[] = [];
  const end = () => {
    if (command !== undefined) steps.push({ command, output: output.join('\n').trim() });
  };
  for (const line of lines) {
    if (command !== undefined && goesOn(command)) {
      command += `\n${line}`;
    } else if (line.startsWith(PROMPT)) {
      end();
      command = line.slice(PROMPT.length);
      output = [];
    } else {
      output.push(line.replace(/ {3,}# .*$/, ''));
    }
  }
  end();
  return steps;
}

/** Returns whether the shell would ask for another line: a quote is open, or the last line ends in a backslash. */
function goesOn(command: string): boolean {
  const rest = command
    // Pairs of quotes, and what cannot open one.
    .replaceAll(/\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|(?<=\s)#.*$/gm, '');
  return /['"\\]/.test(rest);
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const withoutSpace = (text: string) => text.replaceAll(/\s+/g, '');

/** Returns whether this was printed, but for spaces and breaks of lines. `…` stands for any text. */
export function isShown(output: string, printed: string): boolean {
  const parts = withoutSpace(output).split('…').map(escaped);
  return new RegExp(`^${parts.join('[^]*?')}$`).test(withoutSpace(printed));
}

/**
 * The command with values in place of those that the README cuts short: for `cv_test_demo_…`, what was last printed that
 * begins with `cv_test_demo_`. Names of members of JSON are no values.
 */
export function filledIn(command: string, printed: string): string {
  return command.replaceAll(/([\w.-]+)…/g, (_, start: string) => {
    const value = printed.match(new RegExp(`\\b${escaped(start)}[\\w.-]+(?![\\w.-]*":)`, 'g'))?.at(-1);
    if (value === undefined) throw new Error(`Nothing was printed that begins with ${start}: ${command}`);
    return value;
  });
}
