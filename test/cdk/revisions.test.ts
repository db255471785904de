import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { IConstruct } from 'constructs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fiveServices } from '../../cdk/five-services.ts';
import { DOMAIN_NAMES } from '../../cdk/settings.ts';
import { TEMPLATES_ONLY } from '../support/cloud/templates-only.ts';
import { isThorough } from '../support/runner/thoroughness.ts';

const folder = mkdtempSync(join(tmpdir(), 'revisions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The references of a deployed stack, as CloudFormation stores them. */
interface Deployed {
  readonly name: string;
  readonly exports: ReadonlySet<string>;
  readonly imports: ReadonlySet<string>;
}

/** The stacks of a revision, in the order in which `cdk deploy --all` takes them. */
function revision(domainNames: readonly string[], change: (app: App) => void = () => undefined): Deployed[] {
  const app = new App({
    context: { ...TEMPLATES_ONLY, stage: 'prod', alarmsTo: 'nobody', domains: domainNames.join() },
    outdir: mkdtempSync(join(folder, 'app-')),
  });
  const { data, edge, domains, gateway } = fiveServices(app);
  change(app);
  return [data, edge, ...domains, gateway].map((stack) => {
    const template = Template.fromStack(stack);
    const outputs = Object.values(template.findOutputs('*')) as { Export?: { Name: string } }[];
    const imports = [...JSON.stringify(template.toJSON()).matchAll(/"Fn::ImportValue":"([^"]+)"/g)];
    return {
      name: stack.stackName,
      exports: new Set(outputs.flatMap(({ Export: exported }) => (exported ? [exported.Name] : []))),
      imports: new Set(imports.map(([, name = '']) => name)),
    };
  });
}

/**
 * What CloudFormation would refuse while the second revision is deployed over the first, stack by stack: to drop an
 * export that another stack still imports, or to import one that does not exist.
 */
function refusals(before: readonly Deployed[], after: readonly Deployed[]): string[] {
  const deployed = new Map(before.map((stack) => [stack.name, stack]));
  const refused: string[] = [];
  for (const stack of after) {
    for (const dropped of deployed.get(stack.name)?.exports ?? []) {
      const readers = [...deployed.values()].filter((other) => other.imports.has(dropped) && other.name !== stack.name);
      if (!stack.exports.has(dropped) && readers.length > 0)
        refused.push(`${stack.name} drops ${dropped}, which ${readers[0]?.name} reads`);
    }
    deployed.set(stack.name, stack);
    const exported = new Set([...deployed.values()].flatMap(({ exports }) => [...exports]));
    for (const name of stack.imports)
      if (!exported.has(name)) refused.push(`${stack.name} reads ${name}, which does not exist`);
  }
  return refused;
}

const drop = (stackName: string, path: string) => (app: App) => {
  const stack = app.node.findChild(stackName);
  if (!Stack.isStack(stack)) throw new Error(`${stackName} is no stack.`);
  const owner = path
    .split('/')
    .slice(0, -1)
    .reduce<IConstruct>((one, id) => one.node.findChild(id), stack);
  const last = path.slice(path.lastIndexOf('/') + 1);
  // The function with its role, its logs and what calls it.
  for (const { node } of owner.node.children) if (node.id.startsWith(last)) owner.node.tryRemoveChild(node.id);
};

const WEBHOOKS = 'five-services-prod-webhooks';
const RECORDS = 'five-services-prod-records';

/** Returns the stacks of a revision with these domains: data, edge, and one per domain. */
const onlyOf = (stacks: readonly Deployed[], domains: readonly string[]) =>
  stacks.filter(({ name }) =>
    ['data', 'edge', ...domains, 'gateway'].some((part) => name === `five-services-prod-${part}`),
  );
/** The domains of the test: the dropped one is among them, and the others would double the time. */
const FEW = isThorough
  ? DOMAIN_NAMES
  : DOMAIN_NAMES.filter((name) => ['accounts', 'records', 'webhooks'].includes(name));

describe('a deployment over another one', () => {
  let all: Deployed[];
  let first: Deployed[];
  beforeAll(() => {
    all = revision(DOMAIN_NAMES);
    first = onlyOf(all, FEW);
  });

  it('sees the references between stacks, all of them downwards', () => {
    const [data, edge, ...above] = all;
    const [gateway, ...domains] = above.toReversed();
    expect(data?.imports.size).toBe(0);
    expect(data?.exports.size).toBeGreaterThan(10);
    expect(edge?.exports.size).toBeGreaterThan(3);
    expect(domains.length).toBe(DOMAIN_NAMES.length);
    for (const { imports, exports } of domains) {
      expect(imports.size).toBeGreaterThan(3);
      expect(exports.size).toBe(0);
      for (const name of imports) expect(name).toMatch(/^five-services-prod-(data|edge):/);
    }
    expect([...(gateway?.imports ?? [])].map((name) => name.split(':')[0])).toEqual([
      'five-services-prod-edge',
      'five-services-prod-edge',
    ]);
    expect(refusals([], all)).toEqual([]);
    expect(refusals(all, all)).toEqual([]);
  });

  it('succeeds when functions are dropped, also the only reader of a bucket or of the stream of a table, and when they return', () => {
    const second = revision(FEW, (app) => {
      drop(WEBHOOKS, 'Webhooks/Rules')(app);
      drop(WEBHOOKS, 'Webhooks/DispatchRuns')(app);
      drop(WEBHOOKS, 'Webhooks/RunChanges')(app);
      drop(RECORDS, 'Records/Results')(app);
      drop(RECORDS, 'Records/RunDownload')(app);
    });
    const read = (stacks: readonly Deployed[]) => new Set(stacks.flatMap(({ imports }) => [...imports]));
    expect(read(second).size).toBeLessThan(read(first).size);
    expect(second.find(({ name }) => name === WEBHOOKS)?.imports.size).toBeGreaterThan(3);
    expect(refusals(first, second)).toEqual([]);
    expect(refusals(second, first)).toEqual([]);
  });

  it('is refused when a domain is dropped whose stack still exists, and succeeds once that is deleted', () => {
    const without = revision(FEW.filter((domain) => domain !== 'webhooks'));
    expect(without.map(({ name }) => name)).not.toContain(WEBHOOKS);
    expect(refusals(first, without).some((why) => why.endsWith(`which ${WEBHOOKS} reads`))).toBe(true);
    const deleted = first.filter(({ name }) => name !== WEBHOOKS);
    expect(refusals(deleted, without)).toEqual([]);
    expect(refusals(without, first)).toEqual([]);
  });

  it('notices an export that is dropped before its reader', () => {
    const seen: Deployed[] = [
      { name: 'producer', exports: new Set(['queue']), imports: new Set() },
      { name: 'consumer', exports: new Set(), imports: new Set(['queue']) },
    ];
    const after = seen.map((stack) => ({ ...stack, exports: new Set<string>(), imports: new Set<string>() }));
    expect(refusals(seen, after)).toEqual(['producer drops queue, which consumer reads']);
    expect(refusals([], [seen[1]!])).toEqual(['consumer reads queue, which does not exist']);
  });
});
