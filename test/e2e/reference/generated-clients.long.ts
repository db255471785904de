/**
 * Clients that widely used generators write of the documents. They are looked for on the PATH: openapi-python-client with
 * the Python that it is installed for, and oapi-codegen with Go, which fetches the modules that generated code imports.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentPath, INTERFACES } from '../../../functions/reference/documents/documents.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { GO_JOURNEY } from '../../support/contract/journeys/go-journey.ts';
import { PYTHON_JOURNEY } from '../../support/contract/journeys/python-journey.ts';
import { conversionTenants } from '../../support/conversions/conversion-tenant.ts';

const run = promisify(execFile);
const pathOf = async (tool: string): Promise<string | undefined> =>
  run('sh', ['-c', `command -v ${tool}`]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
const [python, oapi, go] = await Promise.all(['openapi-python-client', 'oapi-codegen', 'go'].map(pathOf));
const absent = (tools: string) => `skipped: ${tools} not on the PATH`;

/** The package of each document in the Go program. */
const PACKAGES: Readonly<Record<DocumentPath, string>> = {
  '/v3/openapi.json': 'data',
  '/v1/openapi.json': 'conversions',
  '/loyalty/openapi.json': 'loyalty',
  '/manage/v1/openapi.json': 'management',
};

let service: RunningService;
let tenants: ReturnType<typeof conversionTenants> | undefined;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'clients-'));
  for (const path of Object.keys(INTERFACES) as DocumentPath[]) {
    const answer = await fetch(`${service.cloud.apiUrl}${path}`);
    writeFileSync(join(folder, `${PACKAGES[path]}.json`), await answer.text());
  }
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The address and the credentials of a journey. Each has a conversion key of its own. */
async function variables() {
  const newTenant = await (tenants ??= conversionTenants(service));
  return {
    ...process.env,
    API_URL: service.cloud.apiUrl,
    MANAGEMENT_TOKEN: await service.managementToken('demo'),
    CONVERSION_KEY: (await newTenant()).test,
  };
}

const OUTCOMES = {
  management: {
    isOnce: true,
    triggers: ['DSAR is completed', 'DSAR starts', 'Stage started'],
    sent: 202,
    missing: [404, 'not-found'],
  },
  conversions: { value: '116.13', isReplay: 'true', used: 1, stale: 'not-acceptable' },
  records: { preview: 200, users: 1, wrong: [400, 'colour does not exist in product schema'] },
  loyalty: { list: 'ok', validations: 0, far: 'argument_error' },
};

describe('clients of openapi-python-client', () => {
  it.skipIf(!python)(
    `have all operations, and walk a journey of each interface (else ${absent('it is')})`,
    async () => {
      for (const name of Object.values(PACKAGES)) {
        const args = ['generate', '--path', join(folder, `${name}.json`), '--output-path', join(folder, `py-${name}`)];
        const { stdout } = await run(python ?? '', args);
        // Bodies that are a picture alone are the only part that it cannot write.
        const faults = stdout.split('\n').filter((line) => /^(?:Unable|Cannot|ERROR|Unsupported|Attempted)/.test(line));
        expect([name, faults.filter((line) => !/content type (?:image\/\*|application\/pdf)$/.test(line))]).toEqual([
          name,
          [],
        ]);
      }
      writeFileSync(join(folder, 'journey.py'), PYTHON_JOURNEY);
      const modules = Object.values(PACKAGES).map((name) => join(folder, `py-${name}`));
      const interpreter = join(dirname(realpathSync(python ?? '')), 'python3');
      const { stdout } = await run(interpreter, [join(folder, 'journey.py')], {
        env: { ...(await variables()), PYTHONPATH: modules.join(':') },
      });
      const { conversions, ...others } = JSON.parse(stdout);
      const { perKilogram, ...rest } = conversions;
      expect({ ...others, conversions: rest }).toEqual(OUTCOMES);
      expect(perKilogram).toBe('8.09');
    },
  );
});

describe('clients of oapi-codegen', () => {
  it.skipIf(!oapi || !go)(`compile, and walk a journey of each interface (else ${absent('it or Go is')})`, async () => {
    const root = join(folder, 'go');
    for (const name of Object.values(PACKAGES)) {
      mkdirSync(join(root, name), { recursive: true });
      const to = join(root, name, 'client.go');
      await run(oapi ?? '', ['-generate', 'types,client', '-package', name, '-o', to, join(folder, `${name}.json`)]);
    }
    writeFileSync(join(root, 'main.go'), GO_JOURNEY.trimStart());
    await run(go ?? '', ['mod', 'init', 'journey'], { cwd: root });
    await run(go ?? '', ['mod', 'tidy'], { cwd: root });
    const { stdout } = await run(go ?? '', ['run', '.'], { cwd: root, env: await variables() });
    expect(JSON.parse(stdout)).toEqual(OUTCOMES);
  });
});
