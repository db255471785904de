import { type Arguments, STAGE_OPTION, wrongCall } from '#shared/command/command-line';
import type { Deployment } from '#shared/command/deployment.cloudformation';
import { createCredential } from '../billing/credentials/credential.ts';
import { credentialsOf } from './credentials-of.dynamodb.ts';
import { keyVersions, PURPOSES } from './key-versions.dynamodb.ts';

export const KEYS_LINE = {
  script: 'keys',
  about: `Makes a conversion key and prints it. It cannot be shown again. With one of the other options: shows what needs a
version of the secrets that keys are proven with, adds a version, or takes one out.`,
  options: {
    tenant: { value: 'NAME', about: 'the tenant of the key' },
    mode: { value: 'MODE', about: 'what its requests count against', choices: ['test', 'live'], default: 'test' },
    'which-need': { value: 'VERSION', about: 'lists what still depends on this version' },
    'add-version': { value: 'PURPOSE', about: 'adds a version of the secret of a purpose', choices: PURPOSES },
    'take-out': { value: 'VERSION', about: 'takes a version out that nothing needs; --purpose names the secret' },
    purpose: { value: 'PURPOSE', about: 'the secret meant, all where it may be left out', choices: PURPOSES },
    stage: STAGE_OPTION,
  },
  example: '--tenant demo --mode live',
} as const;

/** Carries out a call. @returns the lines to print */
export async function runKeys(
  { values }: Pick<Arguments<typeof KEYS_LINE.options>, 'values'>,
  deployment: Deployment,
  now: number,
): Promise<string[]> {
  const { tenant, mode, purpose } = values;
  if (values['which-need'] !== undefined) return whichNeed(deployment, values['which-need'], { purpose, now });
  const versions = keyVersions(deployment);
  if (values['add-version'] !== undefined) {
    const added = values['add-version'];
    return [`Version ${await versions.add(added)} of ${added} makes new keys in 11 minutes.`];
  }
  if (values['take-out'] !== undefined) {
    if (purpose === undefined) throw wrongCall('--purpose is missing.');
    await versions.takeOut(purpose, values['take-out'], now);
    return [`Version ${values['take-out']} of ${purpose} is out.`];
  }
  if (tenant === undefined) throw wrongCall('--tenant NAME is missing.');
  const { credentials, secrets } = await credentialsOf(deployment, tenant, now);
  return [(await createCredential(credentials, { tenant, kind: 'key', mode }, { secrets, now })).secret];
}

interface Question {
  readonly purpose: (typeof PURPOSES)[number] | undefined;
  readonly now: number;
}

async function whichNeed(deployment: Deployment, version: string, { purpose, now }: Question): Promise<string[]> {
  const versions = keyVersions(deployment);
  const purposes = purpose === undefined ? versions.purposes : [purpose];
  const lines: string[] = [];
  for (const one of purposes) {
    const needs = await versions.needs(one, version, now);
    lines.push(...(needs.length > 0 ? needs : ['nothing']).map((need) => `${one}: ${need}`));
  }
  return lines;
}
