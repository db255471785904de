/** What the READMEs tell a newcomer to type, typed in a fresh clone, and what they show beside it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsWithoutPrompt, filledIn, isShown, type Step, stepsOf } from './support/runner/readme-steps.ts';
import { GRACE_PERIOD_MILLIS, openTerminal, type Terminal } from './support/runner/terminal.ts';
import { isThorough } from './support/runner/thoroughness.ts';

const ROOT = join(import.meta.dirname, '..');
/** To read one takes seconds of both processors, and no README shows anything of them. */
const DEMO_RECEIPTS = /demo-receipts\/(?!cafe\.)/;
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT })
  .toString()
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)) && (isThorough || !DEMO_RECEIPTS.test(file)));
const TOUR = 'README.md';
const WEBHOOKS = 'functions/webhooks/README.md';
const READMES = FILES.filter((file) => file.endsWith('README.md'));
const textOf = (readme: string) => readFileSync(join(ROOT, readme), 'utf8');
const scripts: Readonly<Record<string, string>> = JSON.parse(textOf('package.json')).scripts;

/** Commands that are not run, by the reason. Of the scripts among them the names and options are checked. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  'this checkout was made by it, and these tests are run by it': /^npm ci /,
  'the service of these tests is started by it': /npm start( |$)/,
  'it needs an AWS account': /^npx cdk |^aws (?!--endpoint-url)|--stage prod/,
  'it takes hours': /^npm run (bench|soak)/,
  'a minute must pass before it': /\$M\/events -d '\{\}'/,
  ...(spawnSync('aws', ['--version']).status === 0 ? {} : { 'the AWS CLI is not installed': /^aws / }),
};
const isLeftOut = ({ command }: Step) => Object.values(LEFT_OUT).some((pattern) => pattern.test(command));

/** A command that a reader may have to repeat until the service has done its work. */
const AGAIN = /# a moment later$/;

let clone: string;
/** Where `npm start` runs; and where the rest of the tour of webhooks is typed, with the receiver behind it. */
let service: Terminal | undefined;
let webhooks: Terminal | undefined;
/** By the ports that the READMEs name. */
const ports: Record<string, string> = {};
/** What the tour of the service says that other tours go on with. */
const variables: Record<string, string> = {};

beforeAll(async () => {
  clone = clonedCheckout();
  ports['8443'] = await freePort();
  webhooks = openTerminal(clone, process.env);
  service = openTerminal(clone, { ...process.env, PORT: '0', LOCAL_AWS_PORT: '0', LOCAL_DATA_DIR: ':memory:' });
  const steps = stepsOf(textOf(WEBHOOKS));
  const start = steps.findIndex(({ command }) => command.includes('npm start'));
  for (const step of steps.slice(0, start)) await follow(step, webhooks);
  const ready = /^AWS endpoint .*?:(\d+) [^]*^Ready http:\/\/localhost:(\d+)$/m;
  const [, awsPort = '', port = ''] = await service.begin(onPorts(steps[start]?.command ?? ''), ready);
  Object.assign(ports, { 3000: port, 4566: awsPort });
  await webhooks.run(`export LOCAL_AWS_PORT=${awsPort}`);
});
afterAll(async () => {
  await Promise.all([webhooks?.close(), service?.close()]);
  rmSync(clone, { recursive: true, force: true });
});

/** All files of this checkout in a folder of their own, with the packages that are installed here. */
function clonedCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, file));
  linkEach('node_modules', folder, { except: '.cache' });
  // What is synthesized for these tests goes with them.
  mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true });
  linkEach('node_modules/.cache', folder, { except: 'local-cloud' });
  return folder;
}

function linkEach(path: string, folder: string, { except }: { except: string }): void {
  mkdirSync(join(folder, path));
  for (const name of readdirSync(join(ROOT, path))) {
    if (name !== except) symlinkSync(join(ROOT, path, name), join(folder, path, name));
  }
}

/** Not one of those that the system gives to who asks for any: another test could get it before the receiver does. */
async function freePort(): Promise<string> {
  for (let port = 20_000 + (process.pid % 10_000); ; port += 1) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      new Promise<boolean>((resolve) => server.once('listening', () => resolve(true))),
      new Promise<boolean>((resolve) => server.once('error', () => resolve(false))),
    ]);
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return String(port);
  }
}

const onPorts = (text: string) =>
  text.replaceAll(/(?<=localhost:|receiver\.mjs )(?:3000|4566|8443)\b/g, (port) => ports[port] ?? '');

/** Types a command, and compares what is printed with what is shown. */
async function follow({ command, output }: Step, terminal: Terminal): Promise<void> {
  const typed = onPorts(filledIn(command, `${service?.all()}${terminal.all()}`));
  const isRight = (printed: string) => turned(printed).some((lines) => isShown(onPorts(output), lines));
  const isRepeated = AGAIN.test(command);
  const end = Date.now() + GRACE_PERIOD_MILLIS;
  for (;;) {
    const { code, printed } = await terminal.run(typed, isRepeated ? undefined : isRight);
    expect(code, `${typed}\n${printed}`).toBe(0);
    if (isRight(printed)) return;
    if (!isRepeated || Date.now() > end) expect(printed, typed).toBe(output);
  }
}

/** A receiver that runs behind may print its lines before those of the command. */
function turned(printed: string): string[] {
  const lines = printed.trimEnd().split('\n');
  return lines.map((_, n) => [...lines.slice(n), ...lines.slice(0, n)].join('\n'));
}

async function followAll(readme: string, terminal: Terminal): Promise<void> {
  for (const step of stepsOf(textOf(readme))) if (!isLeftOut(step)) await follow(step, terminal);
}

async function inTerminal(given: NodeJS.ProcessEnv, type: (terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = openTerminal(clone, { ...process.env, LOCAL_AWS_PORT: ports['4566'], ...given });
  try {
    await type(terminal);
  } finally {
    await terminal.close();
  }
}

/** Runs these commands in one process, which loads once what they share, and without npm, which takes longer than they. */
function runTogether(calls: readonly (readonly string[])[]): { code: number; printed: string }[] {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', TOGETHER, JSON.stringify(calls)], {
    cwd: clone,
    env: { ...process.env, LOCAL_AWS_PORT: ports['4566'] },
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(printed.toString());
}

const TOGETHER = `
  import { resolve } from 'node:path';
  import { pathToFileURL } from 'node:url';
  const write = process.stdout.write.bind(process.stdout);
  const outcomes = [];
  for (const [at, call] of JSON.parse(process.argv[1]).entries()) {
    let printed = '';
    process.stdout.write = process.stderr.write = (text) => ((printed += text), true);
    process.argv = [process.execPath, ...call];
    process.exitCode = 0;
    await import(pathToFileURL(resolve(call[0])).href + '?' + at);
    outcomes.push({ code: process.exitCode, printed });
  }
  process.exitCode = 0;
  write(JSON.stringify(outcomes));
`;

/** Of a script that runs a file of ours and gives it what is called with. */
function fileOf(script = ''): string {
  const file = /\bnode (?:--\S+ )*(\S+\.ts)$/.exec(script)?.[1];
  if (file === undefined) throw new Error(`It runs no file of ours: ${script}`);
  return file;
}

/** In this order: other tours go on with what the tour of the service has made. */
describe('a newcomer who types the commands of', { shuffle: false }, () => {
  it(`${TOUR} sees what it shows`, () =>
    inTerminal({}, async (terminal) => {
      await followAll(TOUR, terminal);
      for (const name of ['TOKEN', 'M']) variables[name] = (await terminal.run(`printf %s "$${name}"`)).printed;
    }));

  it.each(READMES.filter((readme) => readme !== TOUR && readme !== WEBHOOKS))('%s sees what it shows', (readme) => {
    const goesOn = textOf(readme).includes('`TOKEN` and `M` are those of the');
    return inTerminal(goesOn ? variables : {}, (terminal) => followAll(readme, terminal));
  });

  it(`${WEBHOOKS} sees what it shows`, async () => {
    if (webhooks === undefined) throw new Error('The service did not start.');
    for (const [name, value] of Object.entries(variables)) await webhooks.run(`${name}='${value}'`);
    const steps = stepsOf(textOf(WEBHOOKS));
    const start = steps.findIndex(({ command }) => command.includes('npm start'));
    for (const step of steps.slice(start)) if (!isLeftOut(step)) await follow(step, webhooks);
  });
});

describe('the READMEs', () => {
  it('show every command with a prompt, so that it is run here', () => {
    for (const readme of READMES) expect(commandsWithoutPrompt(textOf(readme)), readme).toEqual([]);
  });

  it('name only scripts that exist', () => {
    for (const readme of READMES) {
      const named = [...textOf(readme).matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
      expect(
        named.filter((name) => !(name in scripts) && name !== 'NAME'),
        readme,
      ).toEqual([]);
    }
  });
});

describe('every command', () => {
  it('prints its usage with --help, and takes the options with which READMEs call it that do not run it here', () => {
    const commands = Object.entries(scripts).filter(([, script]) => script.endsWith('.command.ts'));
    expect(commands.length).toBeGreaterThan(7);
    const called = READMES.flatMap((readme) => stepsOf(textOf(readme)))
      .filter(isLeftOut)
      .flatMap(({ command }) => /^npm run (?:-s )?\S+ -- [^#]*/.exec(command)?.[0].trim() ?? []);
    expect(called.length).toBeGreaterThan(3);
    const calls = [...new Set(called)].map((call) => {
      const [, name = '', args = ''] = /^npm run (?:-s )?(\S+) -- (.*)$/s.exec(call) ?? [];
      expect(args, 'a shell makes these words of it').toMatch(/^[\w ./:=@-]+$/);
      return [fileOf(scripts[name]), ...args.split(/ +/), '--help'];
    });
    const outcomes = runTogether([...commands.map(([, script]) => [fileOf(script), '--help']), ...calls]);
    for (const [at, [name]] of commands.entries()) {
      expect(outcomes[at]?.printed).toContain(`npm run ${name} -- `);
    }
    for (const { code, printed } of outcomes) expect(code, printed).toBe(0);
  });
});

describe('npm start', () => {
  it('says that it begins before anything else, then what it does, and waits for no receipt to be read', async () => {
    if (service === undefined) throw new Error('The service did not start.');
    await service.says(/^Reading the demo receipts… [\d.]+ s$/m);
    // npm says first what it runs.
    const text = service.all().replace(/^\s*(> .*\n)+\s*/, '');
    const inOrder = [
      '^Starting the five services on this machine\\.$',
      '^Starting the local cloud… [\\d.]+ s$',
      '^Making the demo data… [\\d.]+ s$',
      '^Ready ',
      '^Reading the demo receipts… [\\d.]+ s',
    ].map((line) => text.search(new RegExp(line, 'm')));
    expect(inOrder[0]).toBe(0);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(inOrder).not.toContain(-1);
  });

  it('submits a demo receipt once, though it is started again when the campaign of the receipt is gone', async () => {
    if (webhooks === undefined || service === undefined) throw new Error('The service did not start.');
    // The receipts are submitted after the service is ready.
    await service.says(/^Reading the demo receipts… [\d.]+ s$/m);
    const { printed: token } = await webhooks.run('npm run -s token -- --tenant demo');
    const manage = (method: string, path: string) =>
      fetch(`http://localhost:${ports['3000']}/manage/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token.trim()}` },
      });
    const receipts = async () => {
      const { items }: { items: { id: number; campaignPermalink: string }[] } = await (
        await manage('GET', 'image-validations?limit=100')
      ).json();
      return items.filter(({ campaignPermalink: name }) => name === 'demo-receipts-approved').map(({ id }) => id);
    };
    const first = await receipts();
    expect(first.length).toBeGreaterThan(0);
    expect((await manage('DELETE', 'loyalty/campaigns/demo-receipts-approved')).status).toBe(204);
    const command = 'functions/images/commands/demo-receipts.command.ts';
    expect(await webhooks.run(`npm exec -- node ${command}`)).toMatchObject({ code: 0 });
    expect(await receipts()).toEqual(first);
  });
});
