/** Secrets, whose values are made once and then belong to those who change them. */
import { join } from 'node:path';
import { z } from 'zod';
import { physicalName, shortId, stableUuid } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { flag, ignored, numeric } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { randomPassword } from './random-password.ts';
import { SECRET_NAME, VALUE_BYTES_MAX } from './request.ts';
import { Secret } from './secret.ts';
import { Secrets } from './secrets.ts';
import { SecretsManagerService } from './secretsmanager-service.ts';

const Generate = z
  .strictObject({
    PasswordLength: numeric.pipe(z.int().min(1).max(4096)).default(32),
    SecretStringTemplate: z
      .string()
      .transform((text) => JSON.parse(text))
      .pipe(z.record(z.string(), z.unknown()))
      .optional(),
    GenerateStringKey: z.string().optional(),
    ExcludeCharacters: z.string().max(4096).default(''),
    ExcludeLowercase: flag.default(false),
    ExcludeUppercase: flag.default(false),
    ExcludeNumbers: flag.default(false),
    ExcludePunctuation: flag.default(false),
    IncludeSpace: flag.default(false),
    RequireEachIncludedType: flag.default(true),
  })
  .refine((given) => (given.SecretStringTemplate === undefined) === (given.GenerateStringKey === undefined), {
    error: 'SecretStringTemplate and GenerateStringKey need each other',
  });

const SecretProperties = z
  .strictObject({
    Name: z.string().regex(SECRET_NAME, { error: 'not the name of a secret' }).optional(),
    Description: z.string().default(''),
    SecretString: z
      .string()
      .refine((text) => Buffer.byteLength(text) <= VALUE_BYTES_MAX)
      .optional(),
    GenerateSecretString: Generate.optional(),
    KmsKeyId: z
      .literal('alias/aws/secretsmanager', {
        error: 'the local cloud calls KMS for no secret, so a missing permission on the key would stay unnoticed',
      })
      .optional(),
    Tags: ignored,
  })
  .refine(
    ({ SecretString, GenerateSecretString }) => SecretString === undefined || GenerateSecretString === undefined,
    {
      error: 'a secret has either SecretString or GenerateSecretString',
    },
  );

export function secretsManagerResources({ region, accountId, dataDir, endpoint, now }: CloudContext): ResourceFamily {
  const secrets = new Secrets(region, accountId);
  endpoint.add(new SecretsManagerService({ secrets, now }));

  const secret = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, SecretProperties);
    const { Name: name = physicalName('secret', resource), Description: description } = properties;
    const arn = secrets.arnOf(name, shortId(`secret:${resource.stack}/${resource.logicalId}`, 6));
    const file = dataDir === null ? null : join(dataDir, 'secretsmanager', `${stableUuid(arn)}.json`);
    const made = new Secret({ arn, name, description }, file, now());
    const { SecretString, GenerateSecretString } = properties;
    const text = JSON.stringify({ SecretString, GenerateSecretString });
    made.declare({ text, value: () => SecretString ?? generated(GenerateSecretString) }, now());
    secrets.add(made);
    return { ref: arn, attributes: { Id: arn } };
  };

  return { types: { 'AWS::SecretsManager::Secret': secret } };
}

function generated(rules: z.output<typeof Generate> | undefined): string | undefined {
  if (!rules) return undefined;
  const password = randomPassword({
    length: rules.PasswordLength,
    exclude: rules.ExcludeCharacters,
    lowercase: !rules.ExcludeLowercase,
    uppercase: !rules.ExcludeUppercase,
    numbers: !rules.ExcludeNumbers,
    punctuation: !rules.ExcludePunctuation,
    space: rules.IncludeSpace,
    requireEachKind: rules.RequireEachIncludedType,
  });
  const { SecretStringTemplate: template, GenerateStringKey: key } = rules;
  return template && key !== undefined ? JSON.stringify({ ...template, [key]: password }) : password;
}
