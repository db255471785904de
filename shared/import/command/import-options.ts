import { type CommandLine, type Option, STAGE_OPTION } from '#shared/command/command-line';

/** The options of every import command besides the type. */
export const IMPORT_OPTIONS = {
  map: { value: 'FILE.json', about: 'an import map, which renames columns', isFile: true },
  stage: STAGE_OPTION,
} as const satisfies Readonly<Record<string, Option>>;

export const IMPORT_TENANT = {
  value: 'NAME',
  about: 'the tenant whose places they are',
  default: 'demo',
} as const satisfies Option;

export const IMPORT_FILES = {
  value: 'FILE',
  required: true,
  isFile: true,
} as const satisfies Omit<NonNullable<CommandLine<Record<string, Option>>['operands']>, 'about'>;
