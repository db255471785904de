import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { SavedApiConfiguration } from './api-configuration.ts';

/** Operations on the secrets that sign requests. */
export const signingSecretOperations = operations({
  rotateSigningSecret: {
    route: 'POST /manage/v1/api-configurations/{id}/signing-secret',
    summary: 'Rotate the signing secret',
    description: 'The answer shows the new secret once. The previous one keeps signing for 24 hours.',
    path: ItemPath,
    answers: { 200: SavedApiConfiguration },
    errors: { 409: ['not-signed'] },
  },
  endPreviousSigningSecrets: {
    route: 'DELETE /manage/v1/api-configurations/{id}/signing-secret/previous',
    summary: 'End the previous signing secrets',
    path: ItemPath,
    answers: { 204: undefined },
    errors: { 409: ['not-signed'] },
  },
});
