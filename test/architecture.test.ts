import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const ADAPTER = /\.(dynamodb|s3|sqs|kms|https|cloudformation|cognito)\.ts$/;
/** Files that may know AWS and middy: where something runs or is reached. */
const OUTER = /\.(handler|command|dynamodb|s3|sqs|kms|https|cloudformation|cognito)\.ts$/;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"()]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

const files = globSync('{cdk,functions,shared}/**/*.ts', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const imports = [...sources].flatMap(([file, source]) => importsOf(file, source));

function importsOf(from: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].map(([, type, plain, dynamic]) => {
    const to = plain ?? dynamic ?? '';
    return { from, to: resolved(from, to), typesOnly: type !== undefined };
  });
}

function resolved(from: string, to: string): string {
  if (to.startsWith('.')) return normalize(join(dirname(from), to)).replaceAll('\\', '/');
  return to.replace(/^#shared\/(.*)$/, 'shared/$1.ts');
}

const domainOf = (file: string) => /^functions\/([^/]+)\//.exec(file)?.[1];
const isTree = (tree: string) => (file: string) => file.startsWith(`${tree}/`);
const [inShared, inFunctions, inCdk] = ['shared', 'functions', 'cdk'].map(isTree) as [Check, Check, Check];
type Check = (file: string) => boolean;

function violations(all: readonly Import[], forbidden: (one: Import) => boolean): string[] {
  return all.filter(forbidden).map(({ from, to }) => `${from} -> ${to}`);
}

/** Every rule as a question that a lawful import answers with no. */
const RULES: Readonly<Record<string, (one: Import) => boolean>> = {
  'shared knows neither functions nor cdk': ({ from, to }) => inShared(from) && (inFunctions(to) || inCdk(to)),
  'functions never import cdk or the CDK library': ({ from, to }) =>
    inFunctions(from) && (inCdk(to) || to.startsWith('aws-cdk-lib') || to === 'constructs'),
  'cdk imports only types from functions': ({ from, to, typesOnly }) => inCdk(from) && inFunctions(to) && !typesOnly,
  'one domain never imports another': ({ from, to }) =>
    domainOf(from) !== undefined && domainOf(to) !== undefined && domainOf(from) !== domainOf(to),
  'a file without a role imports no AWS client and no adapter': ({ from, to, typesOnly }) =>
    (inFunctions(from) || inShared(from)) &&
    !OUTER.test(from) &&
    !/^shared\/(http|queue)\//.test(from) &&
    ((/^@aws-sdk\/|^@middy\//.test(to) && !typesOnly) || ADAPTER.test(to)),
  'only cdk names a handler': ({ from, to }) => !inCdk(from) && to.endsWith('.handler.ts'),
};

describe('the architecture', () => {
  it.each(Object.entries(RULES))('%s', (_rule, forbidden) => {
    expect(violations(imports, forbidden)).toEqual([]);
  });

  it('sees the imports it judges', () => {
    expect(imports.length).toBeGreaterThan(200);
    expect(imports.some(({ from, to }) => inCdk(from) && inFunctions(to))).toBe(true);
    expect(imports.some(({ to }) => to === 'shared/errors.ts')).toBe(true);
  });

  it('catches a planted violation of every rule', () => {
    const planted: Readonly<Record<string, [string, string]>> = {
      'shared knows neither functions nor cdk': [
        'shared/env.ts',
        "import { a } from '../functions/accounts/account.ts';",
      ],
      'functions never import cdk or the CDK library': [
        'functions/accounts/a.ts',
        "import { App } from 'aws-cdk-lib';",
      ],
      'cdk imports only types from functions': ['cdk/app.ts', "import { a } from '../functions/accounts/account.ts';"],
      'one domain never imports another': [
        'functions/accounts/a.ts',
        "import type { a } from '../downloads/search.ts';",
      ],
      'a file without a role imports no AWS client and no adapter': [
        'functions/accounts/a.ts',
        "import { S3Client } from '@aws-sdk/client-s3';",
      ],
      'only cdk names a handler': ['functions/accounts/a.ts', "const a = await import('./get-user.handler.ts');"],
    };
    for (const [rule, forbidden] of Object.entries(RULES)) {
      const [file, source] = planted[rule] ?? ['', ''];
      expect(violations(importsOf(file, source), forbidden), rule).toHaveLength(1);
    }
  });

  it('reads the environment in one place, and the clock only where something runs', () => {
    const clock = /\bDate\.now\(\)|\bnew Date\(\)|\brandomUUID\b/;
    const own = [...sources].filter(([file]) => !inCdk(file));
    const readers = own.filter(([, source]) => /\bprocess\.env\b/.test(source)).map(([file]) => file);
    expect(readers).toEqual(['shared/env.ts']);
    const clocks = own
      .filter(([file, source]) => clock.test(source) && !/\.(handler|command)\.ts$/.test(file))
      .map(([file]) => file);
    // The middleware of all handlers.
    expect(clocks).toEqual(['shared/http/http-handler.ts']);
  });

  it('keeps handlers short and gives no file a name that says nothing', () => {
    const long = [...sources].filter(
      ([file, source]) => file.endsWith('.handler.ts') && source.trimEnd().split('\n').length > 60,
    );
    expect(long.map(([file]) => file)).toEqual([]);
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|index)(\.ts$|\/)/.test(file))).toEqual([]);
  });
});
