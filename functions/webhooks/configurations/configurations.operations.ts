import { pageOf } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { ApiConfiguration, SavedApiConfiguration } from './api-configuration.ts';
import { ConfigurationChange, NewConfiguration } from './configuration-input.ts';

const path = ItemPath;
const errors = { 400: ['invalid-target', 'secret-required'], 409: ['name-taken'] };
const example = {
  name: 'Privacy desk',
  targetUrl: 'https://api.example.com/hooks',
  authentication: { type: 'bearer', token: 'a secret' },
};

/** Operations on API configurations. */
export const configurationOperations = operations({
  createApiConfiguration: {
    route: 'POST /manage/v1/api-configurations',
    summary: 'Create an API configuration',
    body: NewConfiguration,
    example,
    answers: { 201: SavedApiConfiguration },
    errors,
  },
  listApiConfigurations: {
    route: 'GET /manage/v1/api-configurations',
    summary: 'List API configurations',
    query: PageQuery,
    answers: { 200: pageOf('ApiConfigurationPage', ApiConfiguration) },
  },
  getApiConfiguration: {
    route: 'GET /manage/v1/api-configurations/{id}',
    summary: 'Get an API configuration',
    path,
    answers: { 200: ApiConfiguration },
  },
  replaceApiConfiguration: {
    route: 'PUT /manage/v1/api-configurations/{id}',
    summary: 'Replace an API configuration',
    description: 'A secret that is absent stays, unless scheme, host or port of the target change.',
    path,
    body: NewConfiguration,
    example,
    answers: { 200: SavedApiConfiguration },
    errors,
  },
  changeApiConfiguration: {
    route: 'PATCH /manage/v1/api-configurations/{id}',
    summary: 'Change an API configuration',
    description: 'Members that are absent stay as they are.',
    path,
    body: ConfigurationChange,
    example: { maxAttempts: 5 },
    answers: { 200: SavedApiConfiguration },
    errors,
  },
  deleteApiConfiguration: {
    route: 'DELETE /manage/v1/api-configurations/{id}',
    summary: 'Delete an API configuration',
    path,
    answers: { 204: undefined },
    errors: { 409: ['in-use'] },
  },
});
