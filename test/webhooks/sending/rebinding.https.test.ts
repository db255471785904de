import { describe, expect, it, vi } from 'vitest';
import type { ResolveHost } from '../../../functions/webhooks/sending/vetted-addresses.ts';
import { addresses, failureOf, HOST, needsIpv6, receiver, requestTo, sender } from './sending-to.ts';

/** In this file 127.0.0.1 counts as public and ::1 as private, so that both can really be called. */
vi.mock('../../../functions/webhooks/sending/ip-address.ts', async (original) => ({
  ...(await original<object>()),
  isPublicAddress: (text: string) => text === '127.0.0.1',
}));

const requestOf = (url: string) => {
  const request = requestTo(url);
  return { ...request, target: { ...request.target, mayBePrivate: false } };
};

/** Answers in turn, the last answer from then on. */
const answering = (...lists: readonly (readonly string[])[]) => {
  const asked: string[] = [];
  const resolveHost: ResolveHost = ({ host }) => {
    asked.push(host);
    return Promise.resolve(addresses(...(lists[asked.length - 1] ?? lists.at(-1) ?? [])));
  };
  return { asked, resolveHost };
};

describe('a name that changes its address', () => {
  it('between two look-ups is looked up once per attempt, so that only what was vetted is called', async () => {
    const outside = await receiver({ host: '127.0.0.1' });
    const { asked, resolveHost } = answering(['127.0.0.1'], ['::1']);
    const send = sender({ resolveHost });
    const request = requestOf(`https://${HOST}:${outside.port}`);
    expect(await send(request)).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(asked).toEqual([HOST]);
    // A connection to the old address is still open, and must not serve the name that now lies inside.
    expect(failureOf(await send(request))).toBe('blocked_target');
    expect(asked).toEqual([HOST, HOST]);
    expect(outside.posts).toHaveLength(1);
  });

  it.each([[['127.0.0.1', '::1']], [['::1', '127.0.0.1']]])(
    'to one inside and one outside, %j, is not called at all',
    async (answers) => {
      const outside = await receiver({ host: '127.0.0.1' });
      const { resolveHost } = answering(answers);
      expect(failureOf(await sender({ resolveHost })(requestOf(`https://${HOST}:${outside.port}`)))).toBe(
        'blocked_target',
      );
      expect(outside.connections).toBe(0);
    },
  );

  it('is called at an address that was vetted, whatever the system resolves it to', async (context) => {
    needsIpv6(context);
    const inside = await receiver({ host: '::1' });
    const { resolveHost } = answering(['127.0.0.1']);
    // No server listens there on this port; ::1 would answer, and so might the system's address for the name.
    const result = await sender({ resolveHost })(requestOf(`https://localhost:${inside.port}`));
    expect(failureOf(result)).toBe('connection_refused');
    expect(inside.connections).toBe(0);
  });

  it('receives nothing when the connection went elsewhere', async (context) => {
    needsIpv6(context);
    const { resolveHost } = answering(['127.0.0.1']);
    const inside = await receiver({ host: '::1' });
    const request = requestOf(inside.url);
    // An address as the host makes the connection skip the look-up, if it was not recognised as one.
    const unnoticed = { ...request.target, isAddress: false };
    expect(failureOf(await sender({ resolveHost })({ ...request, target: unnoticed }))).toBe('blocked_target');
    expect(inside.posts).toHaveLength(0);
  });

  it('is vetted as a whole when it is an address', async (context) => {
    needsIpv6(context);
    const inside = await receiver({ host: '::1' });
    const { asked, resolveHost } = answering(['127.0.0.1']);
    expect(failureOf(await sender({ resolveHost })(requestOf(inside.url)))).toBe('blocked_target');
    expect(asked).toEqual([]);
    expect(inside.connections).toBe(0);
  });
});
