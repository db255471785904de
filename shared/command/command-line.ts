import { accessSync, constants, statSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** An option of a command. Without `value` it is a switch. */
export interface Option {
  /** The placeholder of its value in the usage: `NAME`. */
  readonly value?: string;
  /** The meaning of the option, without a full stop. */
  readonly about: string;
  readonly required?: true;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** The value is the path of a file that must exist. */
  readonly isFile?: true;
}

type Options = Readonly<Record<string, Option>>;

/** The option of every command that calls the service. */
export const STAGE_OPTION = {
  value: 'NAME',
  about: 'a deployed stage, in the account and region of the environment; otherwise the local run',
} as const satisfies Option;

/** The name, purpose and options of a command. Arguments are parsed by it, and `--help` prints it. */
export interface CommandLine<Taken extends Options> {
  /** The name of the script in package.json. */
  readonly script: string;
  /** The purpose of the command, in sentences. */
  readonly about: string;
  readonly options: Taken;
  /** The arguments that are no options. Without it there are none. */
  readonly operands?: Required<Pick<Option, 'value' | 'about'>> & Pick<Option, 'required' | 'choices' | 'isFile'>;
  /** The meaning of arguments with other names, which are left to another program. Without it they are refused. */
  readonly others?: string;
  /** The arguments of a call that works. */
  readonly example: string;
}

type Value<O extends Option> = O extends { readonly value: string }
  ? (O extends { readonly choices: readonly (infer Choice)[] } ? Choice : string) | OrNothing<O>
  : boolean;
type OrNothing<O extends Option> = O extends { readonly required: true } | { readonly default: string }
  ? never
  : undefined;

export interface Arguments<Taken extends Options> {
  readonly values: { readonly [Name in keyof Taken]: Value<Taken[Name]> };
  readonly operands: readonly string[];
  /** Arguments of other names, in their order. */
  readonly others: readonly string[];
}

export type Reading<Taken extends Options> =
  | ({ readonly kind: 'call' } & Arguments<Taken>)
  | { readonly kind: 'help' }
  /** The sentence names what would be right. */
  | { readonly kind: 'wrong'; readonly sentence: string };

/** The error of a call that is wrong in another way than its description can say. */
export const wrongCall = (sentence: string): Error => new Error(seeHelp(sentence));

/** The option of every command. */
const HELP = { help: { about: 'prints this' } } as const satisfies Options;

const seeHelp = (sentence: string) => `${sentence} See --help.`;

/** Reads arguments. A wrong name is refused even beside `--help`, and files are looked at last. */
export function readCommandLine<const Taken extends Options>(
  line: CommandLine<Taken>,
  args: readonly string[],
): Reading<Taken> {
  const call = separated(line, args);
  const nameFault = call.faults[0];
  if (nameFault !== undefined) return { kind: 'wrong', sentence: seeHelp(nameFault) };
  if (call.values['help'] === true) return { kind: 'help' };
  const sentence = valueFaults(line, call).map(seeHelp)[0] ?? fileFaults(line, call)[0];
  if (sentence !== undefined) return { kind: 'wrong', sentence };
  const { values, operands, others } = call;
  return { kind: 'call', values: values as Arguments<Taken>['values'], operands, others };
}

interface Separated {
  readonly values: Record<string, string | boolean | undefined>;
  readonly operands: string[];
  readonly others: string[];
  readonly faults: string[];
}

function separated(line: CommandLine<Options>, args: readonly string[]): Separated {
  const options: Options = { ...line.options, ...HELP };
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, option.value === undefined ? false : option.default]),
  );
  const operands: string[] = [];
  const faults: string[] = [];
  const own = new Set<number>();
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) {
      if (line.others === undefined) faults.push(`There is no option ${token.rawName}: ${choiceOf(namesOf(options))}.`);
      continue;
    }
    own.add(token.index);
    if (token.value !== undefined && !token.inlineValue) own.add(token.index + 1);
    faults.push(...optionFault(token, option));
    values[token.name] = token.value ?? true;
  }
  const others = args.filter((_, at) => !own.has(at));
  return line.others === undefined
    ? { values, operands, others: [], faults }
    : { values, operands: [], others, faults };
}

function optionFault(
  { rawName, value, inlineValue }: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  option: Option,
): string[] {
  if (option.value === undefined) return value === undefined ? [] : [`${rawName} takes no value.`];
  if (value === undefined) return [`${rawName} needs a value: ${rawName} ${placeholder(option)}.`];
  // Most likely the next option, whose value before it was forgotten.
  if (inlineValue || !/^-./.test(value)) return [];
  return [`${rawName} needs a value; if it is ${value}, write ${rawName}=${value}.`];
}

function valueFaults({ options, operands: taken }: CommandLine<Options>, call: Separated): string[] {
  const faults = Object.entries(options).flatMap(([name, option]) => {
    const value = call.values[name];
    if (value === undefined) return option.required ? [`--${name} ${placeholder(option)} is missing.`] : [];
    return notChosen(`--${name}`, option, String(value));
  });
  const [operand] = call.operands;
  if (taken === undefined && operand !== undefined) {
    faults.push(`There is no use for "${operand}": ${choiceOf(namesOf({ ...options, ...HELP }))}.`);
  }
  if (taken?.required && operand === undefined) faults.push(`${taken.value} is missing: name at least one.`);
  return [...faults, ...call.operands.flatMap((each) => notChosen(taken?.value ?? '', taken ?? {}, each))];
}

function notChosen(name: string, { choices }: Pick<Option, 'choices'>, value: string): string[] {
  return choices === undefined || choices.includes(value) ? [] : [`${name} is "${value}": ${choiceOf(choices)}.`];
}

function fileFaults({ options, operands: taken }: CommandLine<Options>, { values, operands }: Separated): string[] {
  const paths = Object.entries(options).flatMap(([name, { isFile }]) => (isFile ? [values[name]] : []));
  return [...paths, ...(taken?.isFile ? operands : [])].flatMap((path) =>
    typeof path === 'string' ? fileFault(path) : [],
  );
}

function fileFault(path: string): string[] {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return [
      code === 'ENOENT' || code === 'ENOTDIR' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
    ];
  }
  return statSync(path).isDirectory() ? [`${path} is a folder, not a file.`] : [];
}

const namesOf = (options: Options) => Object.keys(options).map((name) => `--${name}`);

const choiceOf = (names: readonly string[]) =>
  names.length === 1 ? `it can only be ${names[0]}` : `choose ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

const placeholder = ({ value = '', choices }: Option) => choices?.join('|') ?? value;

const usage = (name: string, option: Option) =>
  option.value === undefined ? `--${name}` : `--${name} ${placeholder(option)}`;

function usageOf({ script, options, operands, others }: CommandLine<Options>): string {
  const optional = (text: string, isRequired = false) => (isRequired ? text : `[${text}]`);
  const parts = [
    ...Object.entries(options).map(([name, option]) => optional(usage(name, option), option.required)),
    ...(operands ? [optional(`${operands.value}…`, operands.required)] : []),
    ...(others === undefined ? [] : [optional(others)]),
  ];
  return [`npm run ${script} --`, ...parts].join(' ');
}

/** Returns the text that `--help` prints. */
export function helpText(line: CommandLine<Options>): string {
  const { script, about, options, operands, example } = line;
  const rows = [
    ...(operands ? [[`${operands.value}…`, operands.about]] : []),
    ...Object.entries(options).map(([name, option]) => [usage(name, option), meaningOf(option)]),
    ['--help', HELP.help.about],
  ];
  const width = Math.max(...rows.map(([head = '']) => head.length));
  const table = rows.map(([head = '', meaning]) => `  ${head.padEnd(width)}  ${meaning}`);
  return `${usageOf(line)}\n\n${about}\n\n${table.join('\n')}\n\nExample:\n  npm run ${script} -- ${example}\n`;
}

const meaningOf = ({ about, required, default: otherwise }: Option) =>
  `${about}${required ? ' (required)' : ''}${otherwise === undefined ? '' : ` (default: ${otherwise})`}`;
