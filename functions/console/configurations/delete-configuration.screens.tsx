import * as z from 'zod/mini';
import { noticeOf } from '../components/change-notice.tsx';
import { settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import { refusedPage } from '../pages/refused-page.tsx';
import { type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { apiPathOf, Configuration } from './configuration-answers.ts';

export const confirmDeletion: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const { name } = await pageRequest.management.get(path, Configuration);
  return confirmPage({
    title: `Delete ${name}?`,
    under: [screenPath(pageRequest, path), name],
    text: "Its secret is deleted permanently. Existing runs stay in the delivery log; pending deliveries fail. This can't be undone.",
    action: screenPath(pageRequest, `${path}/delete`),
    label: 'Delete',
  });
};

export const deleteConfiguration: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const gone = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (gone.ok || gone.failure.status === 404)
    return seeOther(screenPath(pageRequest, 'api-configurations', noticeOf('deleted')));
  return refusedPage('Not deleted', [screenPath(pageRequest, path), 'API configuration'], gone.failure);
};
