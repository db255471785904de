import { parseArgs } from 'node:util';

/** The context among the options of the CDK, which settings may depend on. */
export function contextIn(options: readonly string[]): Record<string, string> {
  const { context = [] } = parseArgs({
    args: [...options],
    options: { context: { type: 'string', short: 'c', multiple: true } },
    allowPositionals: true,
    strict: false,
  }).values;
  const pairs = [context].flat().map((pair): [string, string] => {
    const [name = '', ...value] = String(pair).split('=');
    return [name, value.join('=')];
  });
  return Object.fromEntries(pairs);
}
