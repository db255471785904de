import * as z from 'zod/mini';
import { Submit } from '../components/button.tsx';
import { noticeOf } from '../components/change-notice.tsx';
import { PostForm } from '../components/form.tsx';
import { OneTimeSecret, SHOWN_ONCE } from '../components/one-time-secret.tsx';
import { Card, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { confirmPage } from '../pages/confirm-page.tsx';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { apiPathOf, Configuration } from './configuration-answers.ts';

/** The page of a new signing secret, which is not displayed again. */
export function signingSecretPage(pageRequest: PageRequest, { id, name, signingSecret = '' }: Configuration): Page {
  const own = screenPath(pageRequest, apiPathOf(id));
  return page(
    'Signing secret',
    <>
      <PageHead title="Signing secret" under={[own, name]} />
      <OneTimeSecret label="Signing secret" secret={signingSecret} next={own}>
        <p class="hint">Receivers verify every request with it, using a Standard Webhooks library.</p>
      </OneTimeSecret>
    </>,
    { reloadLeadsTo: screenPath(pageRequest, apiPathOf(id), { [SHOWN_ONCE]: '1' }) },
  );
}

export const rotateSigningSecret: Screen = async (pageRequest) => {
  const path = `${apiPathOf(pageRequest.path['id'])}/signing-secret`;
  return signingSecretPage(
    pageRequest,
    await pageRequest.management.send({ method: 'POST', path, body: {} }, Configuration),
  );
};

export const confirmEndOfPrevious: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const { name } = await pageRequest.management.get(path, Configuration);
  const own = screenPath(pageRequest, path);
  return confirmPage({
    title: 'End the previous signing secret?',
    under: [own, name],
    text: 'Receivers that still use it will reject every request.',
    action: `${own}/signing-secret/previous`,
    label: 'End it now',
  });
};

export const endPreviousSecrets: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  await pageRequest.management.send({ method: 'DELETE', path: `${path}/signing-secret/previous` }, z.unknown());
  return seeOther(screenPath(pageRequest, path, noticeOf('saved')));
};

/** The signing secret of a configuration, with the buttons to change it. */
export function SigningPanel({
  pageRequest,
  stored,
}: {
  readonly pageRequest: PageRequest;
  readonly stored: Configuration;
}) {
  if (stored.signature !== 'standard-webhooks') return null;
  const path = screenPath(pageRequest, `${apiPathOf(stored.id)}/signing-secret`);
  const endsAt = stored.previousSigningSecretEndsAt;
  return (
    <Card title="Signing secret">
      <p class="muted">A secret is set. After a rotation the previous one stays valid for 24 hours.</p>
      {endsAt && (
        <p>
          The previous secret is valid until <Time at={endsAt} />. <a href={`${path}/previous`}>End it now…</a>
        </p>
      )}
      <PostForm action={path}>
        <Submit label="Rotate secret" />
      </PostForm>
    </Card>
  );
}
