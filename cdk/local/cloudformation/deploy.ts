/** Brings the stacks of an assembly to life: every resource after those it refers to, every stack after its producers. */
import type { AssemblyStack } from '../assembly/assembly.ts';
import { NO_VALUE, resolve, type Scope } from '../assembly/intrinsics.ts';
import { resourcesInOrder } from '../assembly/references.ts';
import type { Template, TemplateResource } from '../assembly/template.ts';
import type { Provision, Provisioned } from './resource-family.ts';

export interface DeployedResource {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
  readonly path: string;
}

interface DeployedOutput {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly exportName?: string;
}

export interface DeployedStack {
  readonly name: string;
  /** Its ARN. */
  readonly id: string;
  readonly resources: readonly DeployedResource[];
  readonly outputs: readonly DeployedOutput[];
}

export interface DeployOptions {
  readonly stacks: readonly AssemblyStack[];
  readonly provisions: Readonly<Record<string, Provision>>;
  /** `AWS::Region` and the other pseudo parameters. */
  readonly pseudoParameters: Readonly<Record<string, string>>;
  /** Values of the templates' parameters that do not keep their defaults, in every stack that has them. */
  readonly parameters: Readonly<Record<string, string>>;
  /** A final replacement in resolved text, for addresses that exist only on AWS. */
  readonly localized: (value: unknown) => unknown;
}

export async function deploy(options: DeployOptions): Promise<DeployedStack[]> {
  const exports = new Map<string, unknown>();
  const deployed: DeployedStack[] = [];
  refuseUnknownTypes(options);
  refuseUnknownParameters(options);
  for (const stack of options.stacks) deployed.push(await deployStack(stack, exports, options));
  return deployed;
}

function refuseUnknownTypes({ stacks, provisions }: DeployOptions) {
  const unknown = stacks.flatMap(({ name, template }) =>
    Object.entries(template.Resources)
      .filter(([, { Type }]) => !Object.hasOwn(provisions, Type))
      .map(([logicalId, { Type }]) => `${Type} (${logicalId} in ${name})`),
  );
  if (unknown.length > 0) throw new Error(`The local cloud does not have these resources: ${unknown.join(', ')}.`);
}

function refuseUnknownParameters({ stacks, parameters }: DeployOptions) {
  const unknown = Object.keys(parameters).filter(
    (name) => !stacks.some(({ template }) => Object.hasOwn(template.Parameters, name)),
  );
  if (unknown.length > 0) throw new Error(`No stack has a parameter ${unknown.join(', ')}.`);
}

async function deployStack(
  stack: AssemblyStack,
  exports: Map<string, unknown>,
  options: DeployOptions,
): Promise<DeployedStack> {
  const { template, name } = stack;
  const provisioned = new Map<string, Provisioned>();
  const scope = scopeOf(stack, provisioned, exports, options);
  const resources: DeployedResource[] = [];
  for (const logicalId of resourcesInOrder(template)) {
    const declared = template.Resources[logicalId];
    if (!declared) continue;
    const path = stack.pathOf(logicalId);
    const made = await provision(stack, logicalId, { declared, path, scope, options });
    provisioned.set(logicalId, made);
    resources.push({ logicalId, physicalId: made.ref, type: declared.Type, path });
  }
  return {
    name,
    id: stackId(name, options.pseudoParameters),
    resources,
    outputs: outputsOf(template, scope, exports, options),
  };
}

interface Provisioning {
  readonly declared: TemplateResource;
  readonly path: string;
  readonly scope: Scope;
  readonly options: DeployOptions;
}

async function provision(
  { name: stack, assetFolder }: AssemblyStack,
  logicalId: string,
  { declared, path, scope, options }: Provisioning,
): Promise<Provisioned> {
  const { Type: type, Properties } = declared;
  try {
    const properties = recordOf(options.localized(resolve(Properties, scope)));
    const make = options.provisions[type];
    if (!make) throw new Error('This type is not known.');
    return await make({ stack, logicalId, type, path, properties, assetFolder });
  } catch (error) {
    throw new Error(`${path} (${type}): ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function outputsOf(
  { Outputs }: Template,
  scope: Scope,
  exports: Map<string, unknown>,
  { localized }: DeployOptions,
): DeployedOutput[] {
  const outputs: DeployedOutput[] = [];
  for (const [key, output] of Object.entries(Outputs)) {
    const value = localized(resolve(output.Value, scope));
    const exportName = output.Export && String(resolve(output.Export.Name, scope));
    if (exportName !== undefined) exports.set(exportName, value);
    outputs.push({
      key,
      value: String(value),
      ...(output.Description !== undefined && { description: output.Description }),
      ...(exportName !== undefined && { exportName }),
    });
  }
  return outputs;
}

function scopeOf(
  { name: stackName, template }: AssemblyStack,
  provisioned: ReadonlyMap<string, Provisioned>,
  exports: ReadonlyMap<string, unknown>,
  { pseudoParameters, parameters }: DeployOptions,
): Scope {
  const pseudo = new Map<string, unknown>(Object.entries(pseudoParameters));
  pseudo.set('AWS::NoValue', NO_VALUE);
  pseudo.set('AWS::StackName', stackName);
  pseudo.set('AWS::StackId', stackId(stackName, pseudoParameters));
  return {
    ref(name) {
      if (pseudo.has(name)) return pseudo.get(name);
      const resource = provisioned.get(name);
      if (resource) return resource.ref;
      const parameter = template.Parameters[name];
      if (!parameter) throw new Error(`Ref finds nothing named ${name} in the stack ${stackName}.`);
      const value = parameters[name] ?? parameter.Default;
      if (value === undefined) throw new Error(`The parameter ${name} has neither a value nor a default.`);
      return value;
    },
    attribute(logicalId, name) {
      const resource = provisioned.get(logicalId);
      if (!resource) throw new Error(`Fn::GetAtt finds nothing named ${logicalId} in the stack ${stackName}.`);
      const value = resource.attributes?.[name];
      if (value === undefined) throw new Error(`${logicalId} has no attribute ${name} in the local cloud.`);
      return value;
    },
    importValue(name) {
      if (!exports.has(name)) throw new Error(`No stack before ${stackName} exports ${name}.`);
      return exports.get(name);
    },
  };
}

function stackId(stackName: string, pseudoParameters: Readonly<Record<string, string>>): string {
  const { 'AWS::Partition': partition, 'AWS::Region': region, 'AWS::AccountId': account } = pseudoParameters;
  return `arn:${partition}:cloudformation:${region}:${account}:stack/${stackName}/local`;
}
