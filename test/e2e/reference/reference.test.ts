import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN_NAMES } from '../../../cdk/settings.ts';
import { writeClientPackage } from '../../../functions/reference/client/client-package.ts';
import { type DocumentPath, documentAt, INTERFACES } from '../../../functions/reference/documents/documents.ts';
import { GUIDES } from '../../../functions/reference/guides/guides.ts';
import { LANGUAGES, type Language, sampleIn } from '../../../functions/reference/samples/request-sample.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { TYPESCRIPT_JOURNEY } from '../../support/contract/journeys/typescript-journey.ts';
import { conversionTenants } from '../../support/conversions/conversion-tenant.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

let service: RunningService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const PATHS = Object.keys(INTERFACES) as DocumentPath[];

describe('the documents', () => {
  it.each(PATHS)('of %s is public, small, and what the sources say', async (path) => {
    const answer = await fetch(`${service.cloud.apiUrl}${path}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    const url = new URL(service.cloud.apiUrl).origin;
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(documentAt(path, { domains: DOMAIN_NAMES, url }))));
  });

  it.each(PATHS)('of %s comes compressed within 60 KB, and not again to who has it', async (path) => {
    const { hostname, port } = new URL(service.cloud.apiUrl);
    const { status, etag, bytes } = await rawGet(hostname, Number(port), path, { 'accept-encoding': 'br' });
    expect([status, bytes.length < 60_000]).toEqual([200, true]);
    expect(() => JSON.parse(brotliDecompressSync(bytes).toString())).not.toThrow();
    const again = await fetch(`${service.cloud.apiUrl}${path}`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

/** A GET whose body is not decompressed. */
async function rawGet(host: string, port: number, path: string, headers: Record<string, string>) {
  const { request } = await import('node:http');
  return new Promise<{ status: number; etag: string; bytes: Buffer }>((resolve, reject) => {
    request({ host, port, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          etag: String(answer.headers['etag']),
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('the pages', () => {
  it('are where the API begins', async () => {
    const home = await service.call('/');
    expect([home.status, home.headers.get('location')]).toEqual([302, '/docs']);
    const { status, text, headers } = await service.call('/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'/);
    const slugs = Object.values(GUIDES).map(({ slug }) => slug);
    for (const slug of slugs) expect(text).toContain(`/docs/${slug}`);
    expect((await service.call(`/docs/${slugs[0]}`)).text).toContain('First request');
    expect((await service.call('/docs/nothing')).status).toBe(404);
  });

  it('say what the type of a problem means', async () => {
    const refused = await service.call('/v1/usage');
    const page = await service.call(refused.json.type);
    expect([refused.status, page.status]).toEqual([401, 200]);
    expect(page.text).toContain('What to do');
  });
});

const run = promisify(execFile);

/** How a sample of each language is run; the last argument is its file. */
const RUNNERS: Readonly<Record<Language, { file: string; command: string; args: readonly string[] }>> = {
  curl: { file: 'sample.sh', command: 'sh', args: [] },
  Python: { file: 'sample.py', command: 'python3', args: [] },
  TypeScript: { file: 'sample.mts', command: process.execPath, args: [] },
  Go: { file: 'sample.go', command: 'go', args: ['run'] },
};
const TOOLS: Readonly<Record<Language, string>> = { curl: 'curl', Python: 'python3', TypeScript: 'node', Go: 'go' };

async function isPresent(tool: string): Promise<boolean> {
  const result = await run('sh', ['-c', `command -v ${tool}`]).catch(() => undefined);
  return result !== undefined;
}

describe('the first request of each guide', () => {
  // Go compiles for seconds, and Python and Node take a process each: they send what two of the guides say, with a body
  // and a bearer token, and without and Basic.
  const DIFFERENT: readonly DocumentPath[] = ['/v1/openapi.json', '/v3/openapi.json'];
  const isRun = (path: DocumentPath, language: Language) =>
    isThorough || language === 'curl' || (language !== 'Go' && DIFFERENT.includes(path));
  const samples = PATHS.flatMap((path) =>
    LANGUAGES.filter((language) => isRun(path, language)).map((language) => [path, language] as const),
  );

  it.each(samples)('of %s succeeds in %s, where that is installed', async (path, language) => {
    if (!(await isPresent(TOOLS[language]))) return;
    const { first } = GUIDES[path];
    const { file, command, args } = RUNNERS[language];
    writeFileSync(join(folder, file), sampleIn(language, first));
    const { stdout } = await run(command, [...args, join(folder, file)], {
      env: {
        PATH: `${process.env['PATH']}${delimiter}/usr/local/go/bin`,
        HOME: folder,
        ...(await credentialOf(path)),
      },
    });
    const printed = language === 'curl' ? stdout : stdout.slice(stdout.indexOf(' ') + 1);
    if (language !== 'curl') expect(stdout).toMatch(/^200 /);
    expect(JSON.parse(printed)).not.toHaveProperty('error');
  });
});

describe('the TypeScript client', () => {
  it('compiles, and walks a journey of each interface', async () => {
    const modules = join(folder, 'node_modules');
    await writeClientPackage(join(modules, 'five-services-client'), DOMAIN_NAMES);
    writeFileSync(join(folder, 'journey.mts'), TYPESCRIPT_JOURNEY);
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2023', 'dom'],
      types: [],
      skipLibCheck: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['journey.mts'] }));
    const compiled = await run(process.execPath, [TSC, '-p', folder]).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, [join(folder, 'journey.mjs')], { env: await journeyVariables() });
    expect(JSON.parse(stdout)).toEqual({
      management: {
        isOnce: true,
        triggers: ['DSAR is completed', 'DSAR starts', 'Stage started'],
        sent: 202,
        missing: [404, true, false],
      },
      conversions: { value: '116.13', cost: '1', isReplay: 'true', used: 1, stale: 'not-acceptable' },
      records: { preview: 200, users: 1, requests: 0, wrong: [400, 'colour does not exist in product schema'] },
      loyalty: { list: 'ok', far: [200, true] },
    });
  });
});

const TSC = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

/** The address and the credentials of a journey. */
const journeyVariables = async () => ({
  API_URL: service.cloud.apiUrl,
  MANAGEMENT_TOKEN: await service.managementToken('demo'),
  CONVERSION_KEY: (await newTenant()).test,
});

/** The variables of the samples, as the guide says to get them. */
async function credentialOf(path: DocumentPath): Promise<Record<string, string>> {
  const API_URL = new URL(service.cloud.apiUrl).origin;
  const { credential } = GUIDES[path];
  if (credential.includes('run -s token')) return { API_URL, TOKEN: await service.managementToken('demo') };
  if (credential.includes('run -s keys')) return { API_URL, TOKEN: await conversionKey() };
  const { USER = '', PASSWORD = '' } = Object.fromEntries(credential.split(' ').map((one) => one.split('=')));
  return { API_URL, USER, PASSWORD };
}

let tenants: ReturnType<typeof conversionTenants> | undefined;
const newTenant = async () => (await (tenants ??= conversionTenants(service)))();
let key: Promise<string> | undefined;
const conversionKey = () => (key ??= newTenant().then(({ test }) => test));
