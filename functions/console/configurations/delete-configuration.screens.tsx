import * as z from 'zod/mini';
import { noticeOf } from '../components/change-notice.tsx';
import { Confirm } from '../components/confirm.tsx';
import { PageHead, Problem } from '../components/page-parts.tsx';
import { settled } from '../management/management.ts';
import { page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { apiPathOf, Configuration } from './configuration-answers.ts';

export const confirmDeletion: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const { name } = await pageRequest.management.get(path, Configuration);
  return page(
    `Delete ${name}`,
    <>
      <PageHead title={`Delete ${name}?`} under={[screenPath(pageRequest, path), name]} />
      <Confirm action={screenPath(pageRequest, `${path}/delete`)} label="Delete" back={screenPath(pageRequest, path)}>
        Its secret is deleted permanently. Existing runs stay in the delivery log; pending deliveries fail. This can't
        be undone.
      </Confirm>
    </>,
  );
};

export const deleteConfiguration: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const gone = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (gone.ok || gone.failure.status === 404)
    return seeOther(screenPath(pageRequest, 'api-configurations', noticeOf('deleted')));
  return page(
    'Not deleted',
    <>
      <PageHead title="Not deleted" under={[screenPath(pageRequest, path), 'API configuration']} />
      <Problem failure={gone.failure} />
    </>,
    { status: gone.failure.status },
  );
};
