import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const ADAPTER =
  /\.(dynamodb|s3|sqs|kms|https|dns|cloudformation|cloudwatch|cognito|secretsmanager|eventbridge|ses|sfn|sns|sharp|pdfium|onnx|textract|process)\.ts$/;
/** Files that may import AWS and middy: entry points and adapters. */
const OUTER =
  /\.(handler|command|dynamodb|s3|sqs|kms|https|dns|cloudformation|cloudwatch|cognito|secretsmanager|eventbridge|ses|sfn|sns|sharp|pdfium|onnx|textract|process)\.ts$/;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"()]*?\sfrom\s+)?'([^']+)'|(typeof\s+)?import\(\s*'([^']+)'\s*\)/g;

const files = globSync('{cdk,functions,shared}/**/*.{ts,tsx}', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const imports = [...sources].flatMap(([file, source]) => importsOf(file, source));

function importsOf(from: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].map(([, type, plain, typeOf, dynamic]) => {
    const to = plain ?? dynamic ?? '';
    return { from, to: resolved(from, to), typesOnly: (type ?? typeOf) !== undefined };
  });
}

function resolved(from: string, to: string): string {
  if (to.startsWith('.')) return normalize(join(dirname(from), to)).replaceAll('\\', '/');
  return to.replace(/^#shared\/(.*)$/, 'shared/$1.ts');
}

/** Functions whose start a caller waits for, and that need no more than `zod/mini` (shared/README.md). */
const STARTED_FOR_CALLERS = [
  'functions/records/search/search-data.handler.ts',
  'functions/edge/authorize-managers.handler.ts',
];

const domainOf = (file: string) => /^functions\/([^/]+)\//.exec(file)?.[1];
const isTree = (tree: string) => (file: string) => file.startsWith(`${tree}/`);
const [inShared, inFunctions, inCdk] = ['shared', 'functions', 'cdk'].map(isTree) as [Check, Check, Check];
const inLocal = isTree('cdk/local');
type Check = (file: string) => boolean;

function violations(all: readonly Import[], forbidden: (one: Import) => boolean): string[] {
  return all.filter(forbidden).map(({ from, to }) => `${from} -> ${to}`);
}

/**
 * The folders of each domain, and the other folders that each may use. A folder uses only folders after it in its list,
 * so that dependencies run one way. Files beside the folders (keys of the table, variables) are open to all.
 */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  accounts: {
    commands: ['people', 'tenants', 'data-tokens', 'apps', 'customers'],
    people: ['tenants'],
    users: ['tenants', 'data-tokens'],
    'data-tokens': ['tenants'],
    'management-keys': ['tenants'],
    'anonymous-tokens': [],
    apps: [],
    audit: [],
    customers: [],
    tenants: ['erasure'],
    erasure: [],
  },
  console: {
    serving: [
      'overview',
      'accounts',
      'audit',
      'system',
      'bulk-replays',
      'configurations',
      'rules',
      'downloads',
      'runs',
      'search',
      'imports',
      'usage',
      'keys',
      'people',
      'customers',
      'campaigns',
      'places',
      'reviews',
      'erasures',
      'apps',
      'ad-units',
      'sign-in',
      'resources',
      'pages',
      'components',
      'assets',
      'management',
      'sessions',
    ],
    overview: ['runs', 'downloads', 'pages', 'components', 'management'],
    accounts: ['people', 'erasures', 'resources', 'pages', 'components', 'management'],
    people: ['resources', 'pages', 'components', 'management'],
    audit: ['pages', 'components', 'management'],
    system: ['pages', 'components'],
    downloads: ['search', 'keys', 'runs', 'pages', 'components', 'management'],
    search: ['pages', 'components', 'management'],
    imports: ['pages', 'components', 'management'],
    usage: ['pages', 'components', 'management'],
    keys: ['pages', 'components', 'management'],
    'bulk-replays': ['runs', 'pages', 'components', 'management'],
    configurations: ['runs', 'pages', 'components', 'management'],
    rules: ['pages', 'components', 'management'],
    runs: ['pages', 'components', 'management'],
    customers: ['erasures', 'places', 'reviews', 'resources', 'pages', 'components', 'management'],
    campaigns: ['reviews', 'resources', 'pages', 'components', 'management'],
    places: ['map', 'resources', 'pages', 'components', 'management'],
    reviews: ['erasures', 'sessions', 'pages', 'components', 'management'],
    erasures: ['pages', 'components', 'management'],
    apps: ['resources', 'pages', 'components'],
    'ad-units': ['resources', 'pages', 'components', 'management'],
    resources: ['pages', 'components', 'management'],
    map: ['components'],
    'sign-in': ['pages', 'components', 'sessions'],
    pages: ['components', 'management', 'sessions'],
    components: ['assets', 'management', 'sessions'],
    assets: [],
    management: [],
    sessions: [],
  },
  conversions: {
    commands: ['billing/credentials', 'billing/plans', 'billing/balances'],
    erasure: [],
    'unknown-routes': ['oauth', 'serving'],
    oauth: ['serving', 'billing/credentials'],
    convert: ['serving', 'values/coordinates', 'values/countries', 'values/identifiers', 'values/quantities', 'items'],
    normalize: [
      'serving',
      'fields',
      'values/addresses',
      'values/texts',
      'values/countries',
      'values/quantities',
      'items',
    ],
    validate: [
      'schemas',
      'serving',
      'fields',
      'values/addresses',
      'values/texts',
      'values/phones',
      'values/geography',
      'values/countries',
      'values/identifiers',
      'values/quantities',
      'items',
    ],
    schemas: ['items'],
    enrich: [
      'enrich/record',
      'serving',
      'fields',
      'values/texts',
      'values/phones',
      'values/geography',
      'values/coordinates',
      'values/countries',
      'values/identifiers',
      'values/quantities',
      'items',
    ],
    'enrich/record': [
      'fields',
      'values/texts',
      'values/phones',
      'values/countries',
      'values/identifiers',
      'values/quantities',
      'items',
    ],
    usage: ['serving', 'billing/plans', 'billing/balances', 'billing/subscriptions'],
    serving: ['billing/credentials', 'billing/metering', 'billing/balances', 'billing/subscriptions', 'items'],
    fields: [
      'values/addresses',
      'values/texts',
      'values/phones',
      'values/countries',
      'values/identifiers',
      'values/quantities',
      'items',
    ],
    'billing/credentials': ['billing/plans', 'billing/metering', 'billing/balances'],
    'billing/plans': ['billing/invoices', 'billing/balances', 'billing/announcements', 'billing/subscriptions'],
    'billing/late-usage': ['billing/metering', 'billing/balances', 'billing/subscriptions'],
    'billing/invoices': ['billing/balances', 'billing/announcements', 'billing/subscriptions'],
    'billing/metering': ['billing/balances'],
    'billing/balances': ['billing/announcements', 'billing/subscriptions'],
    'billing/announcements': [],
    'billing/subscriptions': [],
    'values/addresses': ['values/texts', 'items'],
    'values/texts': ['values/countries', 'values/quantities', 'items'],
    'values/phones': [],
    'values/geography': [],
    'values/coordinates': ['values/quantities', 'items'],
    'values/countries': ['values/quantities'],
    'values/identifiers': [],
    'values/quantities': ['items'],
    items: [],
  },
  edge: { system: [], '': [] },
  images: {
    commands: ['examining', 'campaigns', 'validations', 'receipts'],
    erasure: ['duplicates', 'campaigns', 'validations'],
    reviews: ['executions', 'examination', 'validations'],
    submissions: ['submissions/requests', 'metadata', 'campaigns', 'validations', 'pictures'],
    'submissions/requests': ['validations', 'pictures'],
    announcements: ['validations'],
    workflow: ['examining', 'examination', 'duplicates', 'verdict', 'campaigns', 'validations'],
    examining: ['examination', 'opening', 'readers', 'validations', 'ocr'],
    executions: ['validations'],
    duplicates: ['validations', 'pictures'],
    verdict: ['examination', 'campaigns', 'validations', 'receipts', 'pictures'],
    examination: ['opening', 'readers', 'receipts', 'ocr', 'pictures'],
    opening: ['alteration', 'pictures'],
    readers: ['receipts', 'ocr', 'pictures'],
    metadata: ['alteration', 'pictures'],
    alteration: ['pictures'],
    campaigns: ['validations', 'receipts'],
    validations: ['pictures'],
    receipts: ['ocr', 'pictures', 'receipts/countries'],
    'receipts/countries': [],
    ocr: ['pictures'],
    pictures: [],
  },
  places: {
    commands: ['ad-units', 'catalog', 'import'],
    announcements: ['import'],
    import: ['catalog'],
    listing: ['ad-units', 'catalog', 'nearby', 'check-in-rules', 'geo'],
    'check-ins': ['ad-units', 'catalog', 'check-in-rules', 'geo'],
    erasure: ['check-in-rules'],
    'ad-units': ['catalog'],
    catalog: ['nearby', 'geo'],
    nearby: ['geo'],
    'check-in-rules': ['geo'],
    geo: [],
  },
  records: {
    commands: ['import/rows', 'schemas'],
    search: ['requests', 'download', 'index', 'segments/query', 'query', 'schemas'],
    'download-files': ['requests', 'download'],
    requests: ['download', 'schemas'],
    announcements: ['download'],
    erasure: ['download'],
    download: ['index', 'segments/query', 'segments/format', 'query', 'schemas'],
    import: ['import/rows', 'index', 'segments/build', 'schemas'],
    'import/rows': ['query', 'schemas'],
    index: ['segments/merge', 'segments/query', 'segments/build', 'segments/format', 'schemas'],
    'segments/merge': ['segments/query', 'segments/build', 'segments/format'],
    'segments/query': ['segments/format', 'query'],
    'segments/build': ['segments/format', 'query', 'schemas'],
    'segments/format': ['schemas'],
    query: ['schemas'],
    schemas: [],
  },
  reference: {
    pages: ['guides', 'documents', 'problems', 'samples'],
    client: ['documents'],
    guides: ['documents'],
    documents: [],
    problems: [],
    samples: [],
  },
  webhooks: {
    commands: ['runs', 'rules', 'configurations'],
    'rule-previews': ['events', 'triggers', 'rules', 'modules'],
    events: ['subject-requests', 'pauses', 'runs', 'triggers', 'rules', 'configurations', 'modules'],
    'subject-requests': [],
    'bulk-replays': ['pauses', 'runs', 'configurations', 'modules'],
    'configuration-tests': ['pauses', 'deliveries', 'runs', 'rules', 'configurations', 'sending'],
    deliveries: ['pauses', 'slots', 'runs', 'configurations', 'sending'],
    slots: ['runs'],
    runs: ['pauses', 'configurations', 'sending', 'modules'],
    pauses: [],
    erasure: [],
    triggers: ['modules'],
    rules: ['configurations', 'sending', 'modules'],
    modules: [],
    configurations: ['sending'],
    sending: [],
  },
};

/** `records` and `segments/query` of `functions/records/segments/query/glob.ts`; undefined for a file beside the folders. */
function folderOf(file: string): { domain: string; folder: string } | undefined {
  const [, domain = '', folder] = /^functions\/([^/]+)\/(?:(.+)\/)?[^/]+$/.exec(file) ?? [];
  return domain === '' || folder === undefined ? undefined : { domain, folder };
}

const wingOf = (file: string) => /^functions\/conversions\/(billing|values)\//.exec(file)?.[1];

/** Every rule as a predicate that is true of a violation. */
const RULES: Readonly<Record<string, (one: Import) => boolean>> = {
  'shared knows neither functions nor cdk': ({ from, to }) => inShared(from) && (inFunctions(to) || inCdk(to)),
  'functions never import cdk or the CDK library': ({ from, to }) =>
    // What people read of it may be shown.
    inFunctions(from) && ((inCdk(to) && !to.endsWith('.md')) || to.startsWith('aws-cdk-lib') || to === 'constructs'),
  'cdk imports only types from functions': ({ from, to, typesOnly }) => inCdk(from) && inFunctions(to) && !typesOnly,
  'one domain never imports another': ({ from, to }) =>
    domainOf(from) !== undefined &&
    domainOf(to) !== undefined &&
    domainOf(from) !== domainOf(to) &&
    // The reference describes the operations of all domains.
    !(domainOf(from) === 'reference' && to.endsWith('.operations.ts')),
  'a file without a role imports no AWS client and no adapter': ({ from, to, typesOnly }) =>
    (inFunctions(from) || inShared(from)) &&
    !OUTER.test(from) &&
    !/^shared\/(http|queue)\//.test(from) &&
    ((/^@aws-sdk\/|^@middy\/|^sharp$|^@hyzyla\/pdfium$|^onnxruntime-(node|web)$/.test(to) && !typesOnly) ||
      ADAPTER.test(to)),
  'billing and values of conversions use nothing of one another, nor of the routes': ({ from, to }) =>
    wingOf(from) !== undefined &&
    /^functions\/conversions\/[^/]+\//.test(to) &&
    !to.startsWith('functions/conversions/items/') &&
    wingOf(to) !== wingOf(from),
  'the local cloud imports nothing from outside its folder': ({ from, to }) =>
    inLocal(from) && !inLocal(to) && (to.startsWith('#') || /^(cdk|functions|shared|test)\//.test(to)),
  'only cdk names a handler': ({ from, to }) => !inCdk(from) && to.endsWith('.handler.ts'),
};

const linesOf = (source: string) => source.trimEnd().split('\n').length;

/** Returns whether a source declares this name: as a function, a type or a constant, or as a member or method. */
const declares = (source: string, name: string) =>
  new RegExp(
    String.raw`\b(?:function\*?|const|class|interface|type) ${name}\b|^ +(?:readonly )?${name}\??: |^ {2}${name}\(`,
    'm',
  ).test(source);

describe('the architecture', () => {
  it.each(Object.entries(RULES))('%s', (_rule, forbidden) => {
    expect(violations(imports, forbidden)).toEqual([]);
  });

  it('lets every folder use exactly the folders that its domain lists for it', () => {
    const used = new Set<string>();
    for (const { from, to } of imports) {
      const [user, served] = [folderOf(from), folderOf(to)];
      if (user && served && user.domain === served.domain && user.folder !== served.folder)
        used.add(`${user.domain}: ${user.folder} -> ${served.folder}`);
    }
    const allowed = Object.entries(FOLDERS).flatMap(([domain, folders]) =>
      Object.entries(folders).flatMap(([folder, uses]) => uses.map((served) => `${domain}: ${folder} -> ${served}`)),
    );
    expect([...used].sort()).toEqual(allowed.sort());
    const actual = [
      ...new Set(files.flatMap((file) => folderOf(file) ?? []).map(({ domain, folder }) => `${domain}/${folder}`)),
    ];
    const listed = Object.entries(FOLDERS).flatMap(([domain, folders]) =>
      Object.keys(folders).map((folder) => `${domain}/${folder}`),
    );
    expect(actual.sort()).toEqual(listed.filter((folder) => folder !== 'edge/').sort());
  });

  it('lets no dependency between folders run backwards', () => {
    for (const folders of Object.values(FOLDERS)) {
      const order = Object.keys(folders);
      for (const [folder, uses] of Object.entries(folders)) {
        for (const served of uses)
          expect(order.indexOf(served), `${folder} -> ${served}`).toBeGreaterThan(order.indexOf(folder));
      }
    }
  });

  it('has a README in every domain that names each of its folders', () => {
    for (const folder of globSync('functions/*/*/', { cwd: ROOT })) {
      const [, domain = '', name = ''] = folder.replaceAll('\\', '/').split('/');
      if (domain === 'edge') continue;
      expect(readFileSync(join(ROOT, 'functions', domain, 'README.md'), 'utf8'), domain).toContain(`\`${name}/`);
    }
  });

  it('has a README of the local cloud that names each of its folders', () => {
    const readme = readFileSync(join(ROOT, 'cdk/local/README.md'), 'utf8');
    const folders = globSync('cdk/local/*/', { cwd: ROOT }).map((folder) => folder.replaceAll('\\', '/').split('/')[2]);
    expect(folders.filter((name) => !readme.includes(`**${name}/** `))).toEqual([]);
  });

  it('has an index of rules whose files declare the names that decide them', () => {
    const [, index = ''] = readFileSync(join(ROOT, 'functions/README.md'), 'utf8').split(
      '## Where each rule is decided',
    );
    const rows = index.split('\n').filter((line) => /^\| (?!rule )/.test(line));
    expect(rows.length).toBeGreaterThan(100);
    for (const row of rows) {
      const deciders = [...row.matchAll(/\[[^\]]+\]\(([^)]+)\)((?:,? `\w+`)+)/g)];
      expect(deciders.length, row).toBe(row.split('](').length - 1);
      expect(deciders.length, row).toBeGreaterThan(0);
      for (const [, path = '', names = ''] of deciders) {
        const source = readFileSync(join(ROOT, 'functions', path), 'utf8');
        for (const [, name = ''] of names.matchAll(/`(\w+)`/g)) expect(declares(source, name), row).toBe(true);
      }
    }
  });

  it('loads no more of zod than zod/mini where a caller waits for the start', () => {
    for (const handler of STARTED_FOR_CALLERS) {
      const loaded = new Set([handler]);
      for (const one of loaded)
        for (const { from, to, typesOnly } of imports) if (from === one && !typesOnly) loaded.add(to);
      expect(loaded).toContain('zod/mini');
      expect(loaded).not.toContain('zod');
    }
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
        "import { a } from '../functions/accounts/tenants/account.ts';",
      ],
      'functions never import cdk or the CDK library': [
        'functions/accounts/a.ts',
        "import { App } from 'aws-cdk-lib';",
      ],
      'cdk imports only types from functions': [
        'cdk/app.ts',
        "import { a } from '../functions/accounts/tenants/account.ts';",
      ],
      'one domain never imports another': [
        'functions/accounts/a.ts',
        "import type { a } from '../records/search/read-search.ts';",
      ],
      'a file without a role imports no AWS client and no adapter': [
        'functions/accounts/a.ts',
        "import { S3Client } from '@aws-sdk/client-s3';",
      ],
      'billing and values of conversions use nothing of one another, nor of the routes': [
        'functions/conversions/values/texts/a.ts',
        "import { b } from '../../billing/plans/b.ts';",
      ],
      'the local cloud imports nothing from outside its folder': [
        'cdk/local/sqs/a.ts',
        "import { variable } from '#shared/env';",
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
    // What runs in programs of clients, and the middleware of all handlers.
    expect(clocks.toSorted()).toEqual(['shared/client/api-client.ts', 'shared/http/http-handler.ts']);
  });

  it('keeps handlers short and gives no file a meaningless name', () => {
    const long = [...sources].filter(([file, source]) => file.endsWith('.handler.ts') && linesOf(source) > 60);
    expect(long.map(([file]) => file)).toEqual([]);
    const lengths = [...sources]
      .filter(([file]) => file.endsWith('.handler.ts'))
      .map(([, source]) => linesOf(source))
      .sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(35);
    expect(files.filter((file) => /(^|\/)((utils?|helpers?|common|misc)(\.ts$|\/)|index\.ts$)/.test(file))).toEqual([]);
  });
});
