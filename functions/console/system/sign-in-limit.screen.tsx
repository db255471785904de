import * as z from 'zod/mini';
import { Saved } from '../components/badge.tsx';
import { Submit } from '../components/button.tsx';
import { Field, PostForm } from '../components/form.tsx';
import { Facts, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { page, type Screen, seeOther } from '../pages/screen.ts';

const Limit = z.object({
  newBrowsersClosedUntil: z.nullable(z.string()),
  closedNetworks: z.number(),
  closedBrowsers: z.number(),
});
type Limit = z.output<typeof Limit>;

export const SIGN_IN_LIMIT_PATH = '/console/system/sign-in-limit';
const UNLOCK_PATH = `${SIGN_IN_LIMIT_PATH}/unlock`;

const apiPathOf = (name: string) => `people/${encodeURIComponent(name)}/sign-in-limit`;
const pageOf = (name: string, more = '') => `${SIGN_IN_LIMIT_PATH}?name=${encodeURIComponent(name)}${more}`;

/** The lock of a name after wrong passwords, for operators. */
export const signInLimit: Screen = async ({ query, management }) => {
  const name = (query.get('name') ?? '').trim().slice(0, 128);
  const limit = name === '' ? undefined : await management.get(apiPathOf(name), Limit);
  return page(
    'Sign-in limits',
    <>
      <PageHead
        title="Sign-in limits"
        lead="Too many wrong passwords from one network lock a name on that network for 15 minutes."
        under={['/console/system', 'System']}
      />
      <div class="stack">
        <form class="form card pad" method="get" action={SIGN_IN_LIMIT_PATH}>
          <Field name="name" label="Name" value={name} isRequired maxLength={128} />
          <div class="row">
            <Submit label="Look up" />
          </div>
        </form>
        {limit && <State name={name} limit={limit} isUnlocked={query.has('unlocked')} />}
      </div>
    </>,
  );
};

interface StateProps {
  readonly name: string;
  readonly limit: Limit;
  readonly isUnlocked: boolean;
}

function State({ name, limit, isUnlocked }: StateProps) {
  const { newBrowsersClosedUntil: until } = limit;
  return (
    <section class="card pad stack">
      <h2 class="break">{name}</h2>
      <Facts
        facts={{
          'New browsers': until === null ? 'Open' : <>Locked until {<Time at={until} />}</>,
          'Locked networks': limit.closedNetworks,
          'Locked known browsers': limit.closedBrowsers,
        }}
      />
      <PostForm class="row" action={UNLOCK_PATH}>
        <input type="hidden" name="name" value={name} />
        <Submit kind="primary" label="Unlock" />
        {isUnlocked && <Saved label="Unlocked" />}
      </PostForm>
    </section>
  );
}

export const unlockName: Screen = async ({ form, management }) => {
  const name = form.trimmed('name') ?? '';
  await management.send({ method: 'DELETE', path: apiPathOf(name) }, z.unknown());
  return seeOther(pageOf(name, '&unlocked=1'));
};
