/** What a target gets of an event: all of it, a part, a constant, or a text made from it. */

export type TargetInput =
  | { readonly kind: 'event' }
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'template'; readonly paths: Readonly<Record<string, string>>; readonly template: string };

/** Where the event comes through. */
export interface RuleFacts {
  readonly ruleArn: string;
  readonly ruleName: string;
}

export function inputFor(input: TargetInput, event: object, rule: RuleFacts): string {
  if (input.kind === 'event') return JSON.stringify(event);
  if (input.kind === 'constant') return input.text;
  if (input.kind === 'path') return JSON.stringify(valueAt(event, input.path) ?? null);
  return filled(input.template, variablesOf(input.paths, event, rule));
}

function variablesOf(paths: Readonly<Record<string, string>>, event: object, rule: RuleFacts): Map<string, unknown> {
  const { detail: _, ...withoutDetail } = event as { detail?: unknown };
  return new Map<string, unknown>([
    ['aws.events.event', withoutDetail],
    ['aws.events.event.json', event],
    ['aws.events.event.ingestion-time', (event as { time?: unknown }).time],
    ['aws.events.rule-arn', rule.ruleArn],
    ['aws.events.rule-name', rule.ruleName],
    ...Object.entries(paths).map(([name, path]) => [name, valueAt(event, path)] as const),
  ]);
}

/** `$`, `$.detail.items[0].id` or `$.detail['a b']`. */
export function valueAt(event: unknown, path: string): unknown {
  if (!path.startsWith('$')) throw new Error(`${path} is no path: it begins with $.`);
  let value = event;
  let rest = path.slice(1);
  while (rest !== '') {
    const step = /^(?:\.([A-Za-z0-9_-]+)|\[(\d+)\]|\['([^']+)'\])/.exec(rest);
    if (!step) throw new Error(`The path ${path} is not understood by the local cloud.`);
    const name = step[1] ?? step[2] ?? step[3] ?? '';
    value = typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
    rest = rest.slice(step[0].length);
  }
  return value;
}

/** Inside quotes a variable is text, outside it is JSON. */
function filled(template: string, variables: ReadonlyMap<string, unknown>): string {
  let quoted = false;
  let result = '';
  for (let i = 0; i < template.length; i++) {
    const name = template[i] === '<' ? /^<([A-Za-z0-9_.-]+)>/.exec(template.slice(i))?.[1] : undefined;
    if (name !== undefined && variables.has(name)) {
      const value = variables.get(name);
      result += quoted ? insideQuotes(value) : JSON.stringify(value ?? null);
      i += name.length + 1;
    } else if (template[i] === '\\' && quoted) {
      result += template.slice(i, i + 2);
      i += 1;
    } else {
      if (template[i] === '"') quoted = !quoted;
      result += template[i];
    }
  }
  return result;
}

function insideQuotes(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return JSON.stringify(text).slice(1, -1);
}
