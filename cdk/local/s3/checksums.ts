/** The checksums that S3 clients send along, and their verification. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CallRefusal } from '../endpoint/call-refusal.ts';

export type Algorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256';

export interface Checksum {
  readonly algorithm: Algorithm;
  /** Base64. */
  readonly value: string;
  /** COMPOSITE is made of the checksums of the parts. */
  readonly type: 'FULL_OBJECT' | 'COMPOSITE';
}

interface Running {
  update(bytes: Buffer): void;
  digest(): Buffer;
}

type Headers = Readonly<Record<string, string>>;

const ALGORITHMS: readonly Algorithm[] = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'];

export function algorithmNamed(name: string | undefined): Algorithm | undefined {
  if (name === undefined) return undefined;
  const supported = ALGORITHMS.find((algorithm) => algorithm === name.toUpperCase());
  if (!supported)
    throw new CallRefusal(
      400,
      'InvalidRequest',
      'Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]',
    );
  return supported;
}

export function checksumHeader(algorithm: Algorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

export function checksumOf(algorithm: Algorithm, bytes: Buffer): string {
  const running = STARTED[algorithm]();
  running.update(bytes);
  return running.digest().toString('base64');
}

export async function checksumOfStream(algorithm: Algorithm, stream: AsyncIterable<Buffer>): Promise<string> {
  const running = STARTED[algorithm]();
  for await (const bytes of stream) running.update(bytes);
  return running.digest().toString('base64');
}

/** The checksum of an object made of parts, from the checksums of the parts. */
export function compositeChecksum(algorithm: Algorithm, parts: readonly string[]): string {
  const joined = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
  return `${checksumOf(algorithm, joined)}-${parts.length}`;
}

/** The checksum that the headers claim. */
export function claimedChecksum(headers: Headers): Pick<Checksum, 'algorithm' | 'value'> | undefined {
  const claimed = ALGORITHMS.flatMap((algorithm) => {
    const value = headers[checksumHeader(algorithm)];
    return value === undefined ? [] : [{ algorithm, value }];
  });
  if (claimed.length > 1)
    throw new CallRefusal(
      400,
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  return claimed[0];
}

/** Throws unless the body is what the sender says it is. */
export function verifyBody(headers: Headers, body: Buffer): void {
  const md5 = headers['content-md5'];
  if (md5 !== undefined && Buffer.from(md5, 'base64').length !== 16) {
    throw new CallRefusal(400, 'InvalidDigest', 'The Content-MD5 you specified was invalid.');
  }
  if (md5 !== undefined && createHash('md5').update(body).digest('base64') !== md5) {
    throw new CallRefusal(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  const claimed = claimedChecksum(headers);
  if (claimed && checksumOf(claimed.algorithm, body) !== claimed.value) throw mismatch(claimed.algorithm);
  if (!claimed && headers['x-amz-sdk-checksum-algorithm'] !== undefined) {
    throw new CallRefusal(
      400,
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
}

export function mismatch(algorithm: Algorithm): CallRefusal {
  return new CallRefusal(400, 'BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`);
}

const STARTED: Readonly<Record<Algorithm, () => Running>> = {
  CRC32: () => fourBytes((bytes, value) => crc32(bytes, value)),
  CRC32C: () => fourBytes(crc32c),
  CRC64NVME: crc64nvme,
  SHA1: () => createHash('sha1'),
  SHA256: () => createHash('sha256'),
};

function fourBytes(next: (bytes: Buffer, value: number) => number): Running {
  let value = 0;
  return {
    update(bytes) {
      value = next(bytes, value);
    },
    digest() {
      const digest = Buffer.alloc(4);
      digest.writeUInt32BE(value >>> 0);
      return digest;
    },
  };
}

const CRC32C_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

function crc32c(bytes: Buffer, previous: number): number {
  let value = ~previous;
  // Counted loops: iterating over a buffer is ten times slower.
  for (let i = 0; i < bytes.length; i++) value = (CRC32C_TABLE[(value ^ (bytes[i] ?? 0)) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}

/** The 64 bits in two halves, because BigInt would be a hundred times slower. */
const CRC64_HIGH = new Uint32Array(256);
const CRC64_LOW = new Uint32Array(256);
for (let index = 0; index < 256; index++) {
  let value = BigInt(index);
  for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ 0x9a6c9329ac4bc9b5n : value >> 1n;
  CRC64_HIGH[index] = Number(value >> 32n);
  CRC64_LOW[index] = Number(value & 0xffffffffn);
}

function crc64nvme(): Running {
  let high = ~0;
  let low = ~0;
  return {
    update(bytes) {
      for (let i = 0; i < bytes.length; i++) {
        const index = (low ^ (bytes[i] ?? 0)) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ (CRC64_LOW[index] ?? 0);
        high = (high >>> 8) ^ (CRC64_HIGH[index] ?? 0);
      }
    },
    digest() {
      const digest = Buffer.alloc(8);
      digest.writeUInt32BE(~high >>> 0, 0);
      digest.writeUInt32BE(~low >>> 0, 4);
      return digest;
    },
  };
}
