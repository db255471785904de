/** Reads what `cdk synth` wrote: the stacks in the order in which they must be deployed, and the folders of their assets. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { inOrder } from './order.ts';
import { Template } from './template.ts';

export interface AssemblyStack {
  readonly name: string;
  readonly template: Template;
  /** The path of the construct behind a logical id; the id itself where the assembly does not say. */
  readonly pathOf: (logicalId: string) => string;
  /** The folder of an asset, by the object key under which a deployment would upload it. */
  readonly assetFolder: (objectKey: string) => string;
}

/** The entries of a manifest's metadata, by construct path. */
const Metadata = z.record(z.string(), z.array(z.object({ type: z.string(), data: z.unknown() })));

const Artifact = z.object({
  type: z.string(),
  dependencies: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
  metadata: Metadata.optional(),
  additionalMetadataFile: z.string().optional(),
});
type Artifact = z.output<typeof Artifact>;

const Manifest = z.object({ artifacts: z.record(z.string(), Artifact) });

const AssetManifest = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string().optional() }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    )
    .default({}),
});

const STACK = 'aws:cloudformation:stack';
const ASSETS = 'cdk:asset-manifest';

/** The stacks of a cloud assembly, producers before consumers. */
export function readAssembly(folder: string): AssemblyStack[] {
  const manifestFile = join(folder, 'manifest.json');
  if (!existsSync(manifestFile)) throw new Error(`${folder} is no cloud assembly: it has no manifest.json.`);
  const { artifacts } = Manifest.parse(readJson(manifestFile));
  if (Object.values(artifacts).some(({ type }) => type === 'cdk:cloud-assembly')) {
    throw new Error('The app has CDK stages. The local cloud runs apps whose stacks stand directly in the app.');
  }
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === STACK);
  const ordered = inOrder(new Map(stacks.map(([id, { dependencies }]) => [id, dependencies])));
  return ordered.map((id) => readStack(folder, id, artifacts));
}

function readStack(folder: string, id: string, artifacts: Record<string, Artifact>): AssemblyStack {
  const artifact = artifacts[id];
  if (!artifact) throw new Error(`The assembly has no artifact ${id}.`);
  const { templateFile, stackName } = z
    .object({ templateFile: z.string(), stackName: z.string().default(id) })
    .parse(artifact.properties);
  const folders = assetFolders(folder, artifact, artifacts);
  const paths = constructPaths(folder, artifact);
  return {
    name: stackName,
    template: Template.parse(readJson(join(folder, templateFile))),
    pathOf: (logicalId) => paths.get(logicalId) ?? logicalId,
    assetFolder: (objectKey) => {
      const folder = folders.get(objectKey);
      if (!folder) throw new Error(`The asset ${objectKey} of the stack ${stackName} is not in the assembly.`);
      return folder;
    },
  };
}

function constructPaths(folder: string, { metadata, additionalMetadataFile: file }: Artifact): Map<string, string> {
  const more = file === undefined ? {} : Metadata.parse(readJson(join(folder, file)));
  const paths = new Map<string, string>();
  for (const [path, entries] of Object.entries({ ...metadata, ...more })) {
    const logicalId = entries.find(({ type }) => type === 'aws:cdk:logicalId')?.data;
    if (typeof logicalId === 'string') paths.set(logicalId, path.replace(/^\//, '').replace(/\/Resource$/, ''));
  }
  return paths;
}

function assetFolders(folder: string, stack: Artifact, artifacts: Record<string, Artifact>): Map<string, string> {
  const folders = new Map<string, string>();
  for (const dependency of stack.dependencies) {
    const artifact = artifacts[dependency];
    if (artifact?.type !== ASSETS) continue;
    const { file } = z.object({ file: z.string() }).parse(artifact.properties);
    for (const { source, destinations } of Object.values(AssetManifest.parse(readJson(join(folder, file))).files)) {
      if (source.path === undefined) continue;
      for (const { objectKey } of Object.values(destinations)) folders.set(objectKey, resolve(folder, source.path));
    }
  }
  return folders;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
