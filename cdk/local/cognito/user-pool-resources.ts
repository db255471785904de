/** User pools, their clients and groups. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { shortId } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { flag, numeric } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { mailAddress } from '../ses/mail-address.ts';
import { composed } from '../ses/message.ts';
import type { Outbox } from '../ses/outbox.ts';
import { CognitoService } from './cognito-service.ts';
import { type CodeMail, type PoolAttribute, type PoolClient, UserPool } from './user-pool.ts';

/** The properties that matter here. Most others are about mails and hosted pages, which a local run does not have. */
const PoolProperties = z.object({
  Policies: z
    .object({
      PasswordPolicy: z
        .object({
          MinimumLength: numeric.default(8),
          RequireLowercase: flag.default(false),
          RequireUppercase: flag.default(false),
          RequireNumbers: flag.default(false),
          RequireSymbols: flag.default(false),
          TemporaryPasswordValidityDays: numeric.default(7),
        })
        .optional(),
    })
    .optional(),
  Schema: z
    .array(
      z.object({
        Name: z.string().optional(),
        Required: flag.default(false),
        StringAttributeConstraints: z
          .object({ MinLength: numeric.default(0), MaxLength: numeric.default(2048) })
          .optional(),
      }),
    )
    .default([]),
  UsernameAttributes: z.undefined({ error: 'the local cloud has sign-in by name only' }).optional(),
  LambdaConfig: z.undefined({ error: 'the local cloud calls no functions from a user pool' }).optional(),
  EmailConfiguration: z.object({ From: z.string().optional() }).optional(),
  VerificationMessageTemplate: z
    .object({ EmailSubject: z.string().optional(), EmailMessage: z.string().optional() })
    .optional(),
  MfaConfiguration: z
    .enum(['OFF', 'OPTIONAL'], { error: 'the local cloud leaves it to users whether they have a second factor' })
    .optional(),
  EnabledMfas: z
    .array(z.enum(['SOFTWARE_TOKEN_MFA'], { error: 'the second factor of the local cloud is an authenticator app' }))
    .default([]),
});

const DEFAULT_SENDER = 'no-reply@verificationemail.com';

const unit = z.enum(['seconds', 'minutes', 'hours', 'days']);
const ClientProperties = z.object({
  UserPoolId: z.string(),
  GenerateSecret: z
    .literal([false, 'false'], { error: 'the local cloud has clients without a secret only' })
    .optional(),
  ExplicitAuthFlows: z.array(z.string()).default([]),
  AccessTokenValidity: numeric.optional(),
  IdTokenValidity: numeric.optional(),
  RefreshTokenValidity: numeric.default(30),
  TokenValidityUnits: z
    .object({ AccessToken: unit.optional(), IdToken: unit.optional(), RefreshToken: unit.optional() })
    .default({}),
  PreventUserExistenceErrors: z.string().default('LEGACY'),
});

const GroupProperties = z.object({ UserPoolId: z.string(), GroupName: z.string() });

const SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

export function cognitoResources(cloud: CloudContext, outbox: Outbox): ResourceFamily {
  const { endpoint, now } = cloud;
  const service = new CognitoService(now);
  endpoint.add(service);

  const pool = (resource: DeclaredResource): Provisioned => {
    const userPool = userPoolOf(resource, cloud, outbox);
    const { id, arn, issuer } = userPool.settings;
    service.add(userPool);
    const providerName = issuer.replace('https://', '');
    return { ref: id, attributes: { Arn: arn, UserPoolId: id, ProviderName: providerName, ProviderURL: issuer } };
  };

  const client = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, ClientProperties);
    const id = shortId(`client:${resource.stack}/${resource.logicalId}`, 26);
    service.pool(properties.UserPoolId).clients.set(id, clientOf(properties, id));
    return { ref: id, attributes: { ClientId: id, Name: id } };
  };

  const group = (resource: DeclaredResource): Provisioned => {
    const { UserPoolId, GroupName } = propertiesOf(resource, GroupProperties);
    service.pool(UserPoolId).groups.add(GroupName);
    return { ref: GroupName, attributes: {} };
  };

  return {
    types: {
      'AWS::Cognito::UserPool': pool,
      'AWS::Cognito::UserPoolClient': client,
      'AWS::Cognito::UserPoolGroup': group,
    },
  };
}

function userPoolOf(
  resource: DeclaredResource,
  { region, accountId, dataDir }: CloudContext,
  outbox: Outbox,
): UserPool {
  const properties = propertiesOf(resource, PoolProperties);
  const id = `${region}_${shortId(`pool:${resource.stack}/${resource.logicalId}`, 9)}`;
  return new UserPool(
    {
      id,
      arn: `arn:aws:cognito-idp:${region}:${accountId}:userpool/${id}`,
      issuer: `https://cognito-idp.${region}.amazonaws.com/${id}`,
      passwordPolicy: passwordPolicyOf(properties),
      temporaryPasswordDays: properties.Policies?.PasswordPolicy?.TemporaryPasswordValidityDays ?? 7,
      customAttributes: properties.Schema.filter(({ Required }) => !Required).flatMap(customAttribute),
      takesCodes: properties.MfaConfiguration === 'OPTIONAL' && properties.EnabledMfas.includes('SOFTWARE_TOKEN_MFA'),
      sendCode: codeSender(properties, outbox),
    },
    dataDir === null ? null : join(dataDir, 'cognito', `${id}.json`),
  );
}

/** Mails codes with the subject and text of the pool. */
const codeSender =
  (
    { EmailConfiguration: email, VerificationMessageTemplate: template }: z.output<typeof PoolProperties>,
    outbox: Outbox,
  ) =>
  ({ to, code, now }: CodeMail) => {
    const from = email?.From ?? DEFAULT_SENDER;
    const subject = template?.EmailSubject ?? 'Your verification code';
    const text = (template?.EmailMessage ?? 'Your verification code is {####}.').replace('{####}', code);
    const messageId = randomUUID();
    const request = { Destination: { ToAddresses: [to], CcAddresses: [], BccAddresses: [] }, ReplyToAddresses: [] };
    const simple = { Subject: { Data: subject }, Body: { Text: { Data: text } } };
    const raw = Buffer.from(composed({ messageId, from, request, simple, sentAt: now }));
    outbox.add({ messageId, sentAt: now, from: mailAddress(from).address, recipients: [to], subject, text, raw });
  };

function passwordPolicyOf({ Policies }: z.output<typeof PoolProperties>) {
  const policy = Policies?.PasswordPolicy;
  return {
    minimumLength: policy?.MinimumLength ?? 8,
    requireLowercase: policy?.RequireLowercase ?? true,
    requireUppercase: policy?.RequireUppercase ?? true,
    requireNumbers: policy?.RequireNumbers ?? true,
    requireSymbols: policy?.RequireSymbols ?? true,
  };
}

function customAttribute(declared: z.output<typeof PoolProperties>['Schema'][number]): PoolAttribute[] {
  if (declared.Name === undefined) return [];
  const { MinLength: minLength = 0, MaxLength: maxLength = 2048 } = declared.StringAttributeConstraints ?? {};
  return [{ name: `custom:${declared.Name}`, minLength, maxLength }];
}

function clientOf(properties: z.output<typeof ClientProperties>, id: string): PoolClient {
  const { AccessTokenValidity, IdTokenValidity, RefreshTokenValidity, TokenValidityUnits: units } = properties;
  const seconds = (value: number | undefined, unit: keyof typeof SECONDS) =>
    value === undefined ? SECONDS.hours : value * SECONDS[unit];
  return {
    id,
    flows: properties.ExplicitAuthFlows,
    accessTokenSeconds: seconds(AccessTokenValidity, units.AccessToken ?? 'hours'),
    idTokenSeconds: seconds(IdTokenValidity, units.IdToken ?? 'hours'),
    refreshTokenSeconds: seconds(RefreshTokenValidity, units.RefreshToken ?? 'days'),
    hidesMissingUsers: properties.PreventUserExistenceErrors === 'ENABLED',
  };
}
