import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decrypted, encrypted, materialOf } from '../../../../cdk/local/kms/ciphertext.ts';
import { canonicalContext, contextConditions } from '../../../../cdk/local/kms/encryption-context.ts';
import { CODE_POINT } from '../../../support/runner/code-points.ts';

const material = randomBytes(32);
const name = fc.record({ keyId: fc.uuid(), version: fc.nat(0xffff_ffff) });
const plaintext = fc.uint8Array({ minLength: 1, maxLength: 4096 }).map((bytes) => Buffer.from(bytes));
const context = fc.dictionary(fc.string({ unit: CODE_POINT }), fc.string({ unit: CODE_POINT }), { maxKeys: 5 });

describe('a ciphertext', () => {
  test('gives its plaintext back to whoever knows the context, in any order', () => {
    fc.assert(
      fc.property(name, plaintext, context, (of, text, pairs) => {
        const blob = encrypted({ name: of, material }, text, pairs);
        const reversed = Object.fromEntries(Object.entries(pairs).reverse());
        expect(materialOf(blob)).toEqual(of);
        expect(decrypted(blob, material, reversed)).toEqual(text);
      }),
    );
  });

  test('gives nothing to another context', () => {
    fc.assert(
      fc.property(name, plaintext, context, context, (of, text, pairs, others) => {
        fc.pre(canonicalContext(pairs) !== canonicalContext(others));
        expect(decrypted(encrypted({ name: of, material }, text, pairs), material, others)).toBeUndefined();
      }),
    );
  });

  test('gives nothing when any of its bits is changed, or with other material', () => {
    fc.assert(
      fc.property(name, plaintext, context, fc.nat(), (of, text, pairs, bit) => {
        const blob = encrypted({ name: of, material }, text, pairs);
        expect(decrypted(blob, randomBytes(32), pairs)).toBeUndefined();
        const at = Math.floor(bit / 8) % blob.length;
        blob.writeUInt8(blob.readUInt8(at) ^ (1 << (bit % 8)), at);
        expect(decrypted(blob, material, pairs)).toBeUndefined();
      }),
    );
  });

  test('is another one every time', () => {
    const twice = [1, 2].map(() => {
      const keyId = '00000000-0000-4000-8000-000000000000';
      return encrypted({ name: { keyId, version: 0 }, material }, Buffer.from('same'), {}).toString('hex');
    });
    expect(twice[0]).not.toBe(twice[1]);
  });

  test('is none when it is too short or of another form', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 48 }), (bytes) => materialOf(Buffer.from(bytes)) === undefined));
    expect(materialOf(Buffer.alloc(60, 2))).toBeUndefined();
  });
});

describe('an encryption context', () => {
  test('has one text of its own', () => {
    const pairs = (text: string): Record<string, string> => JSON.parse(text);
    expect(canonicalContext({ b: '2', a: '1' })).toBe(canonicalContext({ a: '1', b: '2' }));
    expect(canonicalContext({})).not.toBe(canonicalContext({ '': '' }));
    expect(canonicalContext({ a: 'b","c":"d' })).not.toBe(canonicalContext({ a: 'b', c: 'd' }));
    expect(canonicalContext(pairs('{"__proto__":"a"}'))).not.toBe(canonicalContext({}));
  });

  test('is asked about by name in any case, and by its set of names', () => {
    expect(contextConditions({})).toEqual({});
    expect(contextConditions({ Tenant: 'acme', tenant: 'other', place: 'x' })).toEqual({
      'kms:encryptioncontext:tenant': ['acme', 'other'],
      'kms:encryptioncontext:place': ['x'],
      'kms:EncryptionContextKeys': ['Tenant', 'tenant', 'place'],
    });
  });
});
