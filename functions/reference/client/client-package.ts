import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DocumentPath, documentAt, INTERFACES } from '../documents/documents.ts';
import { clientModule } from './client-module.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The modules of the package: an interface each, with the name of its client. */
const MODULES: Readonly<Record<DocumentPath, readonly [module: string, name: string]>> = {
  '/v1/openapi.json': ['conversions', 'Conversions'],
  '/manage/v1/openapi.json': ['management', 'Management'],
  '/v3/openapi.json': ['data', 'Data'],
  '/loyalty/openapi.json': ['loyalty', 'Loyalty'],
};

/** Writes the package of TypeScript clients into a folder, and compiles it. @param domains those of the stage */
export async function writeClientPackage(folder: string, domains: readonly string[]): Promise<void> {
  const source = join(folder, 'src');
  await mkdir(source, { recursive: true });
  await copyFile(join(ROOT, 'shared', 'client', 'api-client.ts'), join(source, 'api-client.ts'));
  await copyFile(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  for (const path of Object.keys(INTERFACES) as DocumentPath[]) {
    const [module, name] = MODULES[path];
    // As clients get it.
    const document = JSON.parse(JSON.stringify(documentAt(path, { domains, url: '/' })));
    await writeFile(join(source, `${module}.ts`), clientModule(name, document));
  }
  const modules = [...Object.values(MODULES).map(([module]) => module), 'api-client'];
  await writeFile(join(folder, 'package.json'), json(packageOf(modules)));
  await writeFile(join(folder, 'tsconfig.json'), json(TSCONFIG));
  await writeFile(join(folder, 'README.md'), README);
  await compiled(folder);
}

async function compiled(folder: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder]);
  } catch (error) {
    throw new Error(`The clients do not compile:\n${(error as { stdout?: string }).stdout}`, { cause: error });
  }
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

const packageOf = (modules: readonly string[]) => ({
  name: 'five-services-client',
  version: INTERFACES['/manage/v1/openapi.json'].version,
  description: 'Clients of the conversion, management, data and loyalty APIs.',
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=20' },
  exports: Object.fromEntries(
    modules.map((module) => [`./${module}`, { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` }]),
  ),
  files: ['dist', 'src'],
  scripts: { build: 'tsc -p .' },
});

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    strict: true,
    declaration: true,
    rootDir: 'src',
    outDir: 'dist',
    types: [],
    // Half of the time; the clients themselves are no declarations.
    skipLibCheck: true,
  },
  include: ['src'],
};

const README = `# Clients

A module and a client for each interface, without dependencies, for Node.js 20 and later and for browsers.

\`\`\`ts
import { ApiError, basic } from 'five-services-client/api-client';
import { DataClient } from 'five-services-client/data';
import { ManagementClient } from 'five-services-client/management';

const management = new ManagementClient({ url: 'https://api.example.com', authorization: 'Bearer mk_…' });
const { data: rule } = await management.getRule({ id: 'rule_…' });
for await (const run of management.iterateRuns({ rule: rule.id })) console.log(run.id);

const data = new DataClient({ url: 'https://api.example.com', authorization: basic('data-token') });
try {
  await data.searchRecords({ type: 'businesses', q: 'name:hotel' });
} catch (error) {
  if (error instanceof ApiError) console.log(error.status, error.code, error.message);
}
\`\`\`

- Each operation is a method with its id. It returns \`status\`, \`headers\` and \`data\`.
- An error of the service throws \`ApiError\`; its \`code\` is stable. \`ManagementCode\` and others list those of an interface.
- A call is tried up to four times (\`attempts\`): after 429 with \`Retry-After\`, and after 503 or a lost connection where a
  repetition is safe: a GET, PUT or DELETE, or a POST that takes an \`Idempotency-Key\`. All tries of a call have the same
  key; give your own as \`idempotencyKey\` to repeat a call later.
- Lists have a method \`iterate…\` that returns their items page by page.
- Redirects are not followed: \`headers.get('location')\` names what was made.
`;
