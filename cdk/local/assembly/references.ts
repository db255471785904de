/** Finds the resources that a resource of a template refers to, without resolving anything. */
import { inOrder } from './order.ts';
import type { Template, TemplateResource } from './template.ts';

/** `${Name}`, `${Name.Attribute}`; `${!Name}` is literal text. */
export const SUB_VARIABLE = /\$\{([^!}][^}]*)\}/g;

/** The logical ids of a template's resources, each after those it refers to. */
export function resourcesInOrder({ Resources }: Template): string[] {
  return inOrder(new Map(Object.entries(Resources).map(([id, resource]) => [id, namesIn(resource)])));
}

function namesIn({ Properties, DependsOn }: TemplateResource): Set<string> {
  const names = new Set(DependsOn);
  collect(Properties, names);
  return names;
}

function collect(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, names);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'Ref' && typeof inner === 'string') names.add(inner);
    else if (key === 'Fn::GetAtt') names.add(attributeName(inner).logicalId);
    else if (key === 'Fn::Sub') collectSub(inner, names);
    else collect(inner, names);
  }
}

function collectSub(value: unknown, names: Set<string>): void {
  const [text, variables] = Array.isArray(value) ? value : [value, {}];
  for (const [, name] of String(text).matchAll(SUB_VARIABLE)) if (name) names.add(name.split('.')[0] ?? name);
  collect(variables, names);
}

/** `["Table", "Arn"]` or `"Table.Arn"`. */
export function attributeName(value: unknown): { logicalId: string; attribute: string } {
  const [logicalId, ...attribute] = Array.isArray(value) ? value.map(String) : String(value).split('.');
  return { logicalId: logicalId ?? '', attribute: attribute.join('.') };
}
