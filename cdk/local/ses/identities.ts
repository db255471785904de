/** The addresses and domains that may send. Those of the template count as verified. */
import type { MailAddress } from './mail-address.ts';

export class Identities {
  private readonly names = new Set<string>();
  /** `arn:aws:ses:us-east-1:000000000000:identity/` */
  private readonly arnPrefix: string;

  constructor(region: string, accountId: string) {
    this.arnPrefix = `arn:aws:ses:${region}:${accountId}:identity/`;
  }

  arnOf(name: string): string {
    return this.arnPrefix + name;
  }

  add(name: string): void {
    this.names.add(name.includes('@') ? name : name.toLowerCase());
  }

  /** The identity by which the address may send: itself, else its domain, else the nearest domain above that. */
  of({ address, domain }: MailAddress): string | undefined {
    const sender = `${address.slice(0, address.lastIndexOf('@'))}@${domain}`;
    for (const name of this.names) if (name.includes('@') && withLowerDomain(name) === sender) return name;
    for (let name = domain; name !== ''; name = parentOf(name)) if (this.names.has(name)) return name;
    return undefined;
  }
}

/** SES tells `Ann@example.com` and `ann@example.com` apart, but not `ann@Example.com`. */
function withLowerDomain(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

function parentOf(domain: string): string {
  const dot = domain.indexOf('.');
  return dot < 0 ? '' : domain.slice(dot + 1);
}
