import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { parseAddress } from '../../../functions/webhooks/sending/ip-address.ts';

/** All in PEM. */
export interface Certificates {
  /** The authority: a client that trusts it trusts the server. */
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

const LOCAL = ['localhost', '127.0.0.1', '::1'];

const UNTIL = new Date('2049-12-31');

/** An authority, which issues certificates for servers with any names and addresses. */
export function makeAuthority({ until = UNTIL }: { until?: Date } = {}): (names: readonly string[]) => Certificates {
  const authority = keyPair();
  const ca = certificate(
    { subject: 'Test authority', key: authority.publicKey, until, extensions: [IS_AUTHORITY] },
    authority.privateKey,
  );
  return (names) => {
    const server = keyPair();
    const leaf = certificate(
      { subject: 'Test server', key: server.publicKey, until, extensions: [namesOf(names)] },
      authority.privateKey,
    );
    return {
      caPem: pem(ca),
      certPem: pem(leaf),
      keyPem: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  };
}

/** An authority of its own and a certificate for a server with these names and addresses. */
export const makeCertificates = (names: readonly string[] = LOCAL, options: { until?: Date } = {}): Certificates =>
  makeAuthority(options)(names);

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Content {
  readonly subject: string;
  readonly key: KeyObject;
  readonly until: Date;
  readonly extensions: readonly Buffer[];
}

/** X.509 version 3 (RFC 5280), issued by the test authority. */
function certificate({ subject, key, until, extensions }: Content, issuer: KeyObject): Buffer {
  const content = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(Buffer.from([1, ...key.export({ type: 'spki', format: 'der' }).subarray(-8)])),
    ECDSA_WITH_SHA256,
    commonName('Test authority'),
    sequence(time(new Date('2020-01-01')), time(until)),
    commonName(subject),
    key.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  );
  return sequence(content, ECDSA_WITH_SHA256, bitString(sign('sha256', content, issuer)));
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: readonly Buffer[]) => der(0x30, ...contents);
const explicit = (tag: number, content: Buffer) => der(0xa0 | tag, content);
const integer = (bytes: Buffer) => der(0x02, bytes);
const bitString = (bytes: Buffer) => der(0x03, Buffer.of(0), bytes);
const octetString = (content: Buffer) => der(0x04, content);
/** Given as it is encoded, in hex. */
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
const commonName = (name: string) => sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))));

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));
const TRUE = der(0x01, Buffer.of(0xff));
/** basicConstraints, critical. */
const IS_AUTHORITY = sequence(objectId('551d13'), TRUE, octetString(sequence(TRUE)));

/** subjectAltName. */
function namesOf(names: readonly string[]): Buffer {
  const entries = names.map((name) => {
    const address = parseAddress(name);
    if (!address) return der(0x82, Buffer.from(name));
    const hex = address.value.toString(16).padStart(address.family === 4 ? 8 : 32, '0');
    return der(0x87, Buffer.from(hex, 'hex'));
  });
  return sequence(objectId('551d11'), octetString(sequence(...entries)));
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
