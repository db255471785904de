/** The senders of mails. */
import { z } from 'zod';
import { shortId } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { Identities } from './identities.ts';
import type { Outbox } from './outbox.ts';
import { SesService } from './ses-service.ts';

/** Signatures, return paths and bounces matter to mails that leave the machine. */
const IdentityProperties = z.strictObject({
  EmailIdentity: z.string().regex(/^([!-?A-~]+@)?[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+$/, { error: 'no address or domain' }),
  DkimAttributes: ignored,
  DkimSigningAttributes: ignored,
  FeedbackAttributes: ignored,
  MailFromAttributes: ignored,
  Tags: ignored,
});

export function sesResources(
  { region, accountId, endpoint, now, metrics }: CloudContext,
  outbox: Outbox,
): ResourceFamily {
  const identities = new Identities(region, accountId);
  endpoint.add(new SesService({ identities, outbox, region, now, metrics }));

  const identity = (resource: DeclaredResource): Provisioned => {
    const { EmailIdentity: name } = propertiesOf(resource, IdentityProperties);
    identities.add(name);
    return { ref: name, attributes: name.includes('@') ? {} : dkimTokens(name) };
  };

  return { types: { 'AWS::SES::EmailIdentity': identity } };
}

/** The records that AWS asks for in the name server of the domain. */
function dkimTokens(domain: string): Record<string, string> {
  const tokens = [1, 2, 3].map((number) => [number, shortId(`dkim:${domain}:${number}`, 32)] as const);
  return Object.fromEntries(
    tokens.flatMap(([number, token]) => [
      [`DkimDNSTokenName${number}`, `${token}._domainkey.${domain}`],
      [`DkimDNSTokenValue${number}`, `${token}.dkim.amazonses.com`],
    ]),
  );
}
