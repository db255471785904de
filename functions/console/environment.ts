import { resource } from '#shared/env';

/** Sessions, submitted forms and counted attempts to sign in. */
export const consoleTable = { CONSOLE_TABLE: resource };
